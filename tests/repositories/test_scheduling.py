"""When a repository is synced: at most one sync waits and one runs, and no ask is lost."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django_q.models import OrmQ

from repositories import mirrors, reader, scheduling, tasks
from repositories.mirrors import places
from repositories.models import Repository
from repositories.scheduling import queue_due_syncs, sync_later, sync_local
from tests.repositories.given_git import a_repository


@pytest.fixture
def world(db, settings, tmp_path):
    settings.MIRROR_LOCAL_ROOTS = [tmp_path]
    settings.MIRROR_ROOT = tmp_path / "mirrors"
    settings.SYNC_MINUTES = 5
    OrmQ.objects.all().delete()
    return a_repository(tmp_path / "rules.git", [{"a.md": "1"}])


@pytest.fixture
def repository(world):
    return Repository.objects.create(slug="rules", name="Rules", remote=str(world.path))


def work():
    """Be the worker: run what is queued, until nothing is; how many tasks that were."""
    ran = 0
    while task := OrmQ.objects.order_by("pk").first():
        task.delete()
        assert task.func() == "repositories.tasks.sync"
        tasks.sync(*task.task["args"])
        ran += 1
    return ran


def waiting():
    return OrmQ.objects.count()


def a_moment_ago(**ago):
    return timezone.now() - timedelta(**ago)


def noted(repository, **columns):
    Repository.objects.filter(pk=repository.pk).update(**columns)


def fresh(repository):
    return Repository.objects.get(pk=repository.pk)


def test_an_ask_is_answered_by_one_sync(repository, world):
    assert sync_later(repository)
    assert work() == 1
    synced = fresh(repository)
    assert (synced.outcome, synced.wanted_at, synced.woken_at, synced.failures) == ("ok", None, None, 0)
    assert reader.tip_of(repository.mirror, "main") == world.tip()


def test_a_burst_of_asks_queues_one_task(repository):
    assert [sync_later(repository) for _ in range(5)] == [True, False, False, False, False]
    assert (waiting(), work()) == (1, 1)
    assert len(fresh(repository).starts) == 1


def test_what_is_asked_during_a_sync_is_synced_after_it(repository, world, monkeypatch):
    asked = []
    tell = mirrors.syncing._moves

    def push_meanwhile(before, after):
        if not asked:
            world.commit({"a.md": "2"})
            asked.append(sync_later(repository))
        return tell(before, after)

    monkeypatch.setattr(mirrors.syncing, "_moves", push_meanwhile)
    sync_later(repository)
    assert work() == 2
    assert asked == [True]
    assert reader.tip_of(repository.mirror, "main") == world.tip()
    assert fresh(repository).wanted_at is None


def test_a_task_that_meets_a_running_sync_leaves_the_ask_to_it(repository):
    sync_later(repository)
    with places.locked(repository):
        assert work() == 1
        left = fresh(repository)
        assert (left.outcome, left.woken_at) == ("never", None)
        assert left.wanted_at is not None
    assert queue_due_syncs() == 1
    assert work() == 1
    assert fresh(repository).wanted_at is None


@pytest.mark.django_db(transaction=True)
def test_a_sync_by_command_that_was_running_does_not_swallow_an_ask(repository, world):
    with places.locked(repository):
        sync_later(repository)
        ran = threading.Thread(target=lambda: (work(), connection.close()))
        ran.start()
        ran.join()
    assert fresh(repository).wanted_at is not None
    queue_due_syncs()
    work()
    assert fresh(repository).outcome == "ok"


def test_a_failed_fetch_is_noted_and_no_error_of_the_task(repository):
    noted(repository, remote="https://10.0.0.1/a")
    sync_later(repository)
    work()
    failed = fresh(repository)
    assert (failed.outcome, failed.failures, failed.wanted_at) == ("refused", 1, None)


def test_a_repository_that_is_gone_or_wanted_no_more_is_no_error(repository):
    tasks.sync(repository.pk)
    assert fresh(repository).outcome == "never"
    sync_later(repository)
    Repository.objects.all().delete()
    assert work() == 1


def test_an_ask_that_is_undone_wakes_nobody(repository):
    with transaction.atomic():
        sync_later(repository)
        transaction.set_rollback(True)
    assert (waiting(), fresh(repository).woken_at) == (0, None)


def test_more_than_six_syncs_a_minute_are_put_off_and_not_lost(repository):
    noted(repository, starts=[a_moment_ago(seconds=50 - n) for n in range(6)])
    sync_later(repository)
    assert work() == 1
    put_off = fresh(repository)
    assert (put_off.outcome, put_off.woken_at) == ("never", None)
    assert (put_off.wanted_at is None, queue_due_syncs()) == (False, 0)
    noted(repository, starts=[a_moment_ago(seconds=61 - n) for n in range(6)])
    assert (queue_due_syncs(), work()) == (1, 1)
    assert (fresh(repository).outcome, len(fresh(repository).starts)) == ("ok", 6)


def test_a_mirror_is_due_every_few_minutes(repository, settings):
    assert (queue_due_syncs(), work()) == (1, 1)
    assert queue_due_syncs() == 0
    noted(repository, starts=[a_moment_ago(minutes=5)])
    settings.SYNC_MINUTES = 6
    assert queue_due_syncs() == 0
    settings.SYNC_MINUTES = 0
    assert queue_due_syncs() == 0
    settings.SYNC_MINUTES = 5
    assert (queue_due_syncs(), queue_due_syncs(), waiting()) == (1, 0, 1)


@pytest.mark.parametrize(("failures", "minutes"), [(0, 5), (1, 5), (2, 10), (3, 20), (5, 60), (100, 60)])
def test_a_remote_that_fails_is_asked_less_and_less_often(repository, failures, minutes):
    noted(repository, failures=failures, starts=[a_moment_ago(minutes=minutes - 1)])
    assert queue_due_syncs() == 0
    noted(repository, starts=[a_moment_ago(minutes=minutes)])
    assert queue_due_syncs() == 1


def test_the_longest_waiting_come_first_and_no_more_than_fit(repository, settings, monkeypatch):
    monkeypatch.setattr(scheduling, "AT_ONCE", 2)
    for number, minutes in enumerate((7, 9, 8)):
        starts = [a_moment_ago(minutes=minutes)]
        Repository.objects.create(slug=f"r{number}", name="R", remote="/nowhere", starts=starts)
    noted(repository, starts=[a_moment_ago(minutes=1)])
    assert queue_due_syncs() == 2
    woken = Repository.objects.exclude(woken_at=None).values_list("slug", flat=True)
    assert set(woken) == {"r1", "r2"}
    assert queue_due_syncs() == 0


def test_what_was_lost_with_its_task_is_asked_again(repository):
    sync_later(repository)
    OrmQ.objects.all().delete()
    assert queue_due_syncs() == 0
    noted(repository, woken_at=a_moment_ago(minutes=11))
    assert (queue_due_syncs(), waiting()) == (1, 1)


def test_what_was_lost_with_its_worker_is_tried_again_after_a_pause(repository):
    sync_later(repository)
    OrmQ.objects.all().delete()
    noted(repository, woken_at=None, failures=1, starts=[a_moment_ago(seconds=30)])
    assert queue_due_syncs() == 0
    noted(repository, starts=[a_moment_ago(seconds=61)])
    assert queue_due_syncs() == 1
    noted(repository, woken_at=None, failures=3)
    assert queue_due_syncs() == 0


def test_a_pass_with_nothing_due_asks_the_database_once(repository):
    rows = [
        Repository(slug=f"r{number}", name="R", remote="/nowhere", starts=[timezone.now()])
        for number in range(1_000)
    ]
    Repository.objects.bulk_create(rows)
    noted(repository, starts=[timezone.now()])
    with CaptureQueriesContext(
        connection,
    ) as asked:
        assert queue_due_syncs() == 0
    assert len(asked) == 1


def test_a_commit_to_a_local_remote_is_seen_without_being_told(repository, world):
    assert (sync_local(), sync_local(), work()) == (1, 0, 1)
    assert (sync_local(), waiting()) == (0, 0)
    for change in (
        lambda: world.commit({"a.md": "2"}),
        lambda: world.branch("next", world.tip()),
        lambda: world.git("pack-refs", "--all"),
        lambda: world.delete_branch("next"),
        lambda: world.default_branch("other"),
    ):
        change()
        assert (sync_local(), work(), sync_local()) == (1, 1, 0)
    assert reader.tip_of(repository.mirror, "main") == world.tip()
    assert [branch.name for branch in reader.branches(repository.mirror)] == ["main"]


def test_a_working_tree_is_followed_too(repository, world, tmp_path):
    world.git("clone", "--quiet", str(world.path), str(tmp_path / "tree"))
    noted(repository, remote=str(tmp_path / "tree"))
    assert (sync_local(), work(), sync_local()) == (1, 1, 0)
    commit = world.commit({"a.md": "2"})
    world.git("--git-dir", str(tmp_path / "tree/.git"), "fetch", "--quiet", "origin", "main:pulled")
    assert (sync_local(), work(), sync_local()) == (1, 1, 0)
    assert reader.tip_of(repository.mirror, "pulled") == commit


def test_a_change_is_left_to_a_sync_that_waits_or_runs_and_to_no_other(repository, world):
    mirrors.sync(repository)
    world.commit({"a.md": "2"})
    for wanted, woken, failures, queued in (
        (timezone.now(), timezone.now(), 0, 0),  # it waits
        (timezone.now(), None, 1, 0),  # it runs
        (timezone.now(), None, 0, 1),  # it was put off
        (None, None, 1, 1),  # it failed
    ):
        noted(repository, wanted_at=wanted, woken_at=woken, failures=failures)
        assert sync_local() == queued


def test_a_folder_that_is_gone_is_not_asked_for_again_and_again(repository, world):
    elsewhere = world.path.rename(world.path.with_name("elsewhere.git"))
    assert sync_local() == 0
    sync_later(repository)
    work()
    assert (fresh(repository).outcome, sync_local()) == ("refused", 0)
    elsewhere.rename(world.path)
    assert (sync_local(), work()) == (1, 1)
    assert fresh(repository).outcome == "ok"


def test_remotes_elsewhere_are_never_looked_at_on_this_disk(repository, settings, django_assert_num_queries):
    noted(repository, remote="https://git.example.org/rules.git")
    assert scheduling.changed_local_remotes() == []
    settings.MIRROR_LOCAL_ROOTS = []
    noted(repository, remote="/anywhere")
    with django_assert_num_queries(0):
        assert scheduling.changed_local_remotes() == []


def test_people_see_whether_a_sync_waits_or_runs(repository):
    assert scheduling.state_of(repository) == ""
    sync_later(repository)
    assert scheduling.state_of(fresh(repository)).startswith("waiting since ")
    noted(repository, starts=[timezone.now()])
    assert scheduling.state_of(fresh(repository)).startswith("running since ")
    noted(repository, starts=[a_moment_ago(minutes=21)], wanted_at=None)
    assert scheduling.state_of(fresh(repository)) == ""
