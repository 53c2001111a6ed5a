"""What happens by the clock: rows of django-q2, made anew whenever workers start."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta

from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone
from django_q.models import Schedule
from django_q.tasks import async_task

MINUTE_JOB = "brain.tasks.minute"
NIGHT = time(2, 30)  # UTC
OURS = "kintsugi: "  # how the names of our rows begin; others are the administrator's


@dataclass(frozen=True, slots=True)
class Job:
    """A function that is called by the clock."""

    name: str
    function: str
    nightly: bool = False  # else every minute


JOBS = (
    Job("every minute", MINUTE_JOB),
    Job("due syncs", "repositories.tasks.sync_due"),
    Job("every night", "brain.tasks.nightly", nightly=True),
)


def set_schedules() -> None:
    """Make the rows be what JOBS says; several supervisors may do so at once."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended('schedules', 0))")
        for job in JOBS:
            _set(job)
        names = [OURS + job.name for job in JOBS]
        Schedule.objects.filter(name__startswith=OURS).exclude(name__in=names).delete()


def ask_again() -> None:
    """Run the minute job now: it asks again for what was lost with a cluster."""
    async_task(MINUTE_JOB, cluster=settings.Q_CLUSTER["name"])


def _set(job: Job) -> None:
    row = {
        "func": job.function,
        "cluster": settings.Q_CLUSTER["name"],
        "schedule_type": Schedule.DAILY if job.nightly else Schedule.MINUTES,
        "minutes": None if job.nightly else 1,
        "repeats": -1,
    }
    first = _next_night() if job.nightly else timezone.now()
    Schedule.objects.update_or_create(
        name=OURS + job.name, defaults=row, create_defaults={**row, "next_run": first}
    )


def _next_night() -> datetime:
    now = timezone.now()
    night = datetime.combine(now, NIGHT, tzinfo=UTC)
    return night if night > now else night + timedelta(days=1)
