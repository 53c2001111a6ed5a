"""The settings of the queues, and the rows of what happens by the clock."""

from __future__ import annotations

from datetime import UTC

import pytest
from django.conf import settings
from django.utils import timezone
from django_q.models import OrmQ, Schedule

from config.schedules import JOBS, OURS, ask_again, set_schedules

WALLS = {"brain": 900, "brain-index": 660}  # seconds: the longest fetch, the longest build


def queues() -> dict[str, dict]:
    alternatives = settings.Q_CLUSTER["ALT_CLUSTERS"]
    return {
        "brain": settings.Q_CLUSTER,
        **{name: settings.Q_CLUSTER | own for name, own in alternatives.items()},
    }


@pytest.mark.parametrize("name", WALLS)
def test_no_task_is_given_out_again_while_it_may_still_run(name: str) -> None:
    queue = queues()[name]
    assert queue["timeout"] > WALLS[name]
    assert queue["queue_limit"] <= queue["workers"]
    assert queue["retry"] >= queue["timeout"] * (queue["queue_limit"] / queue["workers"] + 1) + 60


@pytest.mark.parametrize("name", WALLS)
def test_a_task_is_tried_once_and_begun_at_once(name: str) -> None:
    queue = queues()[name]
    assert queue["max_attempts"] == 1
    assert queue["ack_failures"] is True
    assert queue["guard_cycle"] == 0.5  # with another a task that hangs is never killed
    assert queue["poll"] <= 1


@pytest.mark.django_db
def test_the_clock_has_one_row_for_each_job_however_often_it_is_set() -> None:
    Schedule.objects.create(name=OURS + "a job of an older version", func="gone")
    mine = Schedule.objects.create(name="the administrator's", func="kept")
    for _ in range(2):
        set_schedules()
    assert set(Schedule.objects.values_list("name", "func", "cluster")) == {
        (mine.name, mine.func, None),
        *((OURS + job.name, job.function, "brain") for job in JOBS),
    }


@pytest.mark.django_db
def test_setting_the_clock_again_moves_no_run() -> None:
    set_schedules()
    Schedule.objects.update(next_run=timezone.datetime(2030, 1, 1, tzinfo=UTC), minutes=7)
    set_schedules()
    assert {row.next_run.year for row in Schedule.objects.all()} == {2030}
    assert set(Schedule.objects.filter(schedule_type=Schedule.MINUTES).values_list("minutes", flat=True)) == {
        1
    }


@pytest.mark.django_db
def test_the_nightly_job_waits_for_the_night_and_the_others_do_not() -> None:
    set_schedules()
    nightly = Schedule.objects.get(schedule_type=Schedule.DAILY)
    assert nightly.next_run > timezone.now()
    assert not Schedule.objects.exclude(pk=nightly.pk).filter(next_run__gt=timezone.now()).exists()


@pytest.mark.django_db
def test_the_minute_job_can_be_asked_for_at_once() -> None:
    ask_again()
    assert [(row.key, row.func()) for row in OrmQ.objects.all()] == [("brain", "brain.tasks.minute")]
