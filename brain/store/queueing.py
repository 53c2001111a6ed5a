"""Which builds are wanted, run or were lost: the rows of sources say it, jobs only wake the worker."""

from __future__ import annotations

import uuid
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta

from django.db import connection, transaction
from django.db.models import Q, QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from brain import models
from brain.store.sources import NO_WISH, lock_name

LOST_AFTER = timedelta(seconds=60)  # without a heartbeat, by the database's clock
MAX_LOSSES = 3  # of builds of one commit
LOST = f"worker-lost: The build was lost with its worker {MAX_LOSSES} times."

State, Wanted = models.State, models.Wanted
_COLUMNS = (
    *("state", "wanted", "wanted_by", "wanted_at", "patient", "wait_until"),
    *("running", "progress", "attempts", "error"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A build that has been taken: by whom it was asked, and whether it has to be whole."""

    job: str  # its id
    by: str = ""
    whole: bool = False
    patient: bool = False  # nobody waits for it


def want(source_id: int, *, by: str, whole: bool = False, patient: bool = False) -> bool:
    """Note that a build is wanted; False when one that does as much was already, or the Brain is off."""
    with transaction.atomic():
        source = _locked(source_id)
        if source is None or not source.enabled:
            return False
        was = source.wanted
        if was and (was == Wanted.WHOLE or not whole) and (patient or not source.patient):
            return False
        source.wanted = Wanted.WHOLE if whole or was == Wanted.WHOLE else Wanted.BUILD
        source.wanted_by = by[:200]
        source.wanted_at = source.wanted_at or timezone.now()
        source.patient = patient and (source.patient or not was)
        source.wait_until = source.wait_until if source.patient else None
        if source.state != State.INDEXING:
            source.state = State.QUEUED
        source.save(update_fields=_COLUMNS)
    return True


def take() -> tuple[models.Source, Job] | None:
    """The oldest wanted build, now noted as running; None when none may start."""
    with transaction.atomic():
        source = (
            _ready()
            .select_for_update(skip_locked=True, of=("self",))
            .select_related("project__repository")
            .order_by("wanted_at", "pk")
            .first()
        )
        if source is None:
            return None
        job = Job(
            job=uuid.uuid4().hex,
            by=source.wanted_by,
            whole=source.wanted == Wanted.WHOLE,
            patient=source.patient,
        )
        source.running = asdict(job)
        source.state = State.INDEXING
        source.attempts += 1
        source.progress = {"phase": "resolve", "done": 0, "total": 0}
        forget_wish(source)
        source.save(update_fields=_COLUMNS)
        models.Source.objects.filter(pk=source.pk).update(heartbeat=Now())
    return source, job


def is_any_ready() -> bool:
    """Whether a wanted build may start."""
    return _ready().exists()


def is_any_rested() -> bool:
    """Whether a wanted build that had to wait for a moment may start."""
    return _ready().filter(wait_until__isnull=False).exists()


def job_of(source: models.Source) -> Job | None:
    """The build that is noted as running."""
    return Job(**source.running) if source.running else None


def put_back(source_id: int, job: str, until: datetime, *, busy: bool = False) -> None:
    """Want the running build again, but not before this moment, unless somebody waits for it.

    `busy`: another build of the project runs, so that whoever waits has to.
    """
    with transaction.atomic():
        source = _running(source_id, job)
        if source is not None:
            source.attempts = max(0, source.attempts - 1)
            _want_again(source)
            source.wait_until = until if source.patient or busy else None
            source.save(update_fields=_COLUMNS)


def note_end(source_id: int, job: str, error: str) -> bool:
    """Note that the process of the running build ended without a word, and why; whether that was so.

    An empty `error`: it was lost, and is wanted again unless that happened too often.
    """
    with transaction.atomic():
        source = _running(source_id, job)
        if source is None:
            return False
        _end(source, error)
    return True


def lost_builds() -> list[int]:
    """The sources whose running build is lost: no heartbeat for a minute, and nobody holds its lock."""
    stale = models.Source.objects.filter(state=State.INDEXING).filter(
        Q(heartbeat=None) | Q(heartbeat__lt=Now() - LOST_AFTER)
    )
    return [pk for pk in stale.values_list("pk", flat=True) if _is_free(pk)]


def note_loss(source_id: int) -> None:
    """Note that the running build is lost."""
    with transaction.atomic():
        source = _locked(source_id)
        if source is not None and source.state == State.INDEXING:
            _end(source, "")


def _ready() -> QuerySet[models.Source]:
    waited = Q(wait_until=None) | Q(wait_until__lte=Now())
    return models.Source.objects.filter(waited, enabled=True).exclude(wanted="").exclude(state=State.INDEXING)


def _end(source: models.Source, error: str) -> None:
    if not error and source.attempts < MAX_LOSSES:
        _want_again(source)
    else:
        source.running = source.progress = None
        source.error = (error or LOST)[:500]
        source.attempts = 0
        source.state = State.QUEUED if source.wanted else State.FAILED
    source.save(update_fields=_COLUMNS)


def _want_again(source: models.Source) -> None:
    job = job_of(source) or Job(job="", by="upkeep", patient=True)
    was = source.wanted
    source.wanted = Wanted.WHOLE if job.whole or was == Wanted.WHOLE else Wanted.BUILD
    source.patient = job.patient and (source.patient or not was)
    source.wanted_by = source.wanted_by or job.by
    source.wanted_at = source.wanted_at or timezone.now()
    source.running = source.progress = None
    source.state = State.QUEUED


def forget_wish(source: models.Source) -> None:
    """Nothing is wanted any more; without saving it."""
    for name, value in NO_WISH.items():
        setattr(source, name, value)


def _running(source_id: int, job: str) -> models.Source | None:
    source = _locked(source_id)
    return source if source is not None and source.running and source.running["job"] == job else None


def _locked(source_id: int) -> models.Source | None:
    return models.Source.objects.select_for_update().filter(pk=source_id).first()


def _is_free(source_id: int) -> bool:
    with connection.cursor() as cursor:
        # Shared: two that ask at once must not take each other for a build.
        cursor.execute(
            "SELECT pg_try_advisory_xact_lock_shared(hashtextextended(%s, 0))", [lock_name(source_id)]
        )
        (free,) = cursor.fetchone()
    return bool(free)
