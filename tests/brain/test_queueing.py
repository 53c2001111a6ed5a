"""Wanted builds: what is asked for is noted once, begins oldest first, and is never lost nor tried for ever."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from django.db import connection, transaction
from django.utils import timezone
from django_q.models import OrmQ

from brain import models, store
from brain.builds import build, jobs, request, wake_rested
from tests.given_db import Team, a_built_team

pytestmark = pytest.mark.django_db

FILES = {"README.md": "# Handbook\n", "rules/review.md": "# Review\n"}
WAY_BACK = timedelta(minutes=2)


@pytest.fixture
def team(tmp_path: Path) -> Team:
    made = a_built_team(tmp_path, FILES)
    OrmQ.objects.all().delete()
    return made


def of(team: Team) -> models.Source:
    return store.source_of(team.project)


def waking() -> int:
    """How often the worker of builds was woken."""
    return OrmQ.objects.filter(key="brain-index").count()


def forget_the_heartbeat(source: models.Source) -> None:
    models.Source.objects.filter(pk=source.pk).update(heartbeat=timezone.now() - WAY_BACK)


def test_a_request_is_noted_in_the_row_and_wakes_the_worker(team: Team):
    assert request(of(team), asked_by="ada")

    source = of(team)
    assert (source.state, source.wanted, source.wanted_by) == ("queued", "build", "ada")
    assert waking() == 1


def test_requests_for_what_is_wanted_already_are_one(team: Team):
    request(of(team), asked_by="ada")
    first = of(team).wanted_at

    assert not request(of(team), asked_by="grace")
    assert waking() == 1
    assert (of(team).wanted_by, of(team).wanted_at) == ("ada", first)


def test_a_whole_build_is_more_than_the_one_that_was_wanted(team: Team):
    request(of(team), asked_by="sync", patient=True)

    assert request(of(team), asked_by="ada", whole=True)
    assert not request(of(team), asked_by="sync", patient=True)
    source = of(team)
    assert (source.wanted, source.patient, source.wanted_by) == ("whole", False, "ada")


def test_a_request_that_is_undone_wakes_nobody(team: Team):
    with transaction.atomic():
        request(of(team), asked_by="ada")
        transaction.set_rollback(True)

    assert (of(team).wanted, waking()) == ("", 0)


def test_a_brain_that_is_off_wants_nothing(team: Team):
    models.Source.objects.update(enabled=False)

    assert not request(of(team), asked_by="sync")
    assert waking() == 0


def test_the_oldest_request_begins_first(tmp_path: Path, team: Team):
    other = a_built_team(tmp_path, FILES, "rules")
    request(of(other), asked_by="sync")
    request(of(team), asked_by="sync")

    taken = [store.take(), store.take(), store.take()]

    assert [one and one[0].project.slug for one in taken] == ["rules", "handbook", None]
    assert of(team).state == "indexing"


def test_a_request_during_a_build_is_kept_for_after_it(team: Team):
    request(of(team), asked_by="ada")
    store.take()

    assert request(of(team), asked_by="sync")
    assert of(team).state == "indexing"
    assert store.take() is None

    build(of(team))
    assert of(team).state == "ready"  # it began after the request, and did what was asked


def test_a_build_leaves_what_was_asked_while_it_ran(team: Team):
    def ask(phase: str, *_: int) -> None:
        if phase == "assemble":
            request(of(team), asked_by="sync")

    build(of(team), whole=True, progress=ask)

    assert (of(team).state, of(team).wanted_by) == ("queued", "sync")


def test_a_job_builds_what_was_asked_and_only_while_it_is_the_one_that_runs(team: Team):
    request(of(team), asked_by="ada", whole=True)
    taken = store.take()
    assert taken is not None
    source, job = taken

    jobs.run_job(source, "another")
    assert of(team).state == "indexing"

    jobs.run_job(of(team), job.job)
    built = models.Build.objects.filter(source=source).latest("number")
    assert (built.asked_by, built.kind, of(team).state, of(team).running) == ("ada", "whole", "ready", None)


def test_a_build_without_heartbeat_whose_lock_is_free_is_lost_and_wanted_again(team: Team):
    request(of(team), asked_by="ada", whole=True)
    store.take()
    assert store.lost_builds() == []
    forget_the_heartbeat(of(team))

    assert store.lost_builds() == [of(team).pk]
    store.note_loss(of(team).pk)
    source = of(team)
    assert (source.state, source.wanted, source.wanted_by) == ("queued", "whole", "ada")


def test_three_losses_on_one_commit_end_in_failed(team: Team):
    request(of(team), asked_by="ada")
    for _ in range(3):
        taken = store.take()
        assert taken is not None
        store.note_attempt(taken[0], of(team).commit)
        store.note_end(taken[0].pk, taken[1].job, "")

    source = of(team)
    assert (source.state, source.wanted) == ("failed", "")
    assert source.error.startswith("worker-lost: ")
    assert store.take() is None


def test_losses_are_counted_anew_for_another_commit(team: Team):
    request(of(team), asked_by="ada")
    for commit in ("a" * 40, "b" * 40, "c" * 40, "d" * 40):
        taken = store.take()
        assert taken is not None
        store.note_attempt(taken[0], commit)
        store.note_end(taken[0].pk, taken[1].job, "")

    assert of(team).state == "queued"


def test_a_process_that_ends_with_a_reason_fails_the_build_at_once(team: Team):
    request(of(team), asked_by="ada")
    taken = store.take()
    assert taken is not None

    assert store.note_end(taken[0].pk, taken[1].job, "crashed: The process ended with signal SIGSEGV.")
    assert not store.note_end(taken[0].pk, taken[1].job, "timeout: It took too long.")
    assert (of(team).state, of(team).error[:7]) == ("failed", "crashed")


def test_a_whole_build_that_nobody_waits_for_keeps_its_distance(team: Team):
    models.Source.objects.update(settings_hash="other", builder=1)  # so that it has to be whole
    models.Build.objects.update(seconds={"parse": 14.0, "history": 90.0})
    before = of(team).built_at

    request(of(team), asked_by="sync", patient=True)
    taken = store.take()
    assert taken is not None
    jobs.run_job(taken[0], taken[1].job)

    source = of(team)
    assert (source.state, source.wanted, source.built_at) == ("queued", "build", before)
    assert source.wait_until is not None
    assert source.whole_built_at is not None
    assert source.wait_until - source.whole_built_at == timedelta(seconds=280)
    assert store.take() is None


@pytest.mark.parametrize(("took", "pause"), [(0.5, 10), (60.0, 300), (None, 300)])
def test_the_distance_grows_with_what_such_a_build_takes_up_to_five_minutes(team: Team, took, pause):
    models.Source.objects.update(builder=1)
    models.Build.objects.update(seconds={"parse": took})
    if took is None:
        models.Build.objects.all().delete()

    request(of(team), asked_by="sync", patient=True)
    taken = store.take()
    assert taken is not None
    jobs.run_job(taken[0], taken[1].job)

    source = of(team)
    assert source.wait_until is not None
    assert source.whole_built_at is not None
    assert source.wait_until - source.whole_built_at == timedelta(seconds=pause)


def test_a_build_whose_moment_has_come_wakes_the_worker_once(team: Team):
    request(of(team), asked_by="sync", patient=True)
    OrmQ.objects.all().delete()  # it was taken and put back
    models.Source.objects.update(wait_until=timezone.now() + timedelta(seconds=30))
    assert not wake_rested()

    models.Source.objects.update(wait_until=timezone.now() - timedelta(seconds=1))

    assert (wake_rested(), wake_rested(), waking()) == (True, False, 1)


def test_a_person_who_asks_while_a_job_starts_is_not_put_off_by_it(team: Team):
    models.Source.objects.update(builder=1)
    request(of(team), asked_by="sync", patient=True)
    taken = store.take()
    assert taken is not None
    request(of(team), asked_by="ada")

    jobs.run_job(taken[0], taken[1].job)

    assert (of(team).state, of(team).last_build) == ("ready", "whole")


def test_a_job_that_meets_another_build_is_put_back_for_a_moment(team: Team):
    request(of(team), asked_by="ada")
    taken = store.take()
    assert taken is not None
    elsewhere = connection.copy()
    with elsewhere.cursor() as other:
        name = f"brain-build:{of(team).pk}"
        other.execute("SELECT pg_advisory_lock(hashtextextended(%s, 0))", [name])
        jobs.run_job(taken[0], taken[1].job)
    elsewhere.close()

    source = of(team)
    assert (source.state, source.wanted, source.attempts) == ("queued", "build", 0)
    assert store.take() is None


def test_who_asks_in_person_does_not_wait_for_that_distance(team: Team):
    models.Source.objects.update(builder=1)
    request(of(team), asked_by="sync", patient=True)
    taken = store.take()
    assert taken is not None
    jobs.run_job(taken[0], taken[1].job)

    assert request(of(team), asked_by="ada")
    assert store.take() is not None
