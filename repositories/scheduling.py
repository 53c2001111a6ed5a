"""When a repository is synced: it was asked for, or is due, or has changed on this disk.

The row is the truth and a queued task only wakes a worker, so that none of them can be lost for good.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone
from django_q.tasks import async_task

from repositories import mirrors
from repositories.errors import FetchFailed, MirrorBusy
from repositories.models import Repository

if TYPE_CHECKING:
    from collections.abc import Iterable

TASK = "repositories.tasks.sync"
MOST_A_MINUTE = 6  # syncs of one repository
AT_ONCE = 200  # repositories that a pass lets wait in the queue
MINUTE = timedelta(minutes=1)
LOST = timedelta(minutes=10)  # after which nobody waits for a worker that was told
LONGEST = timedelta(hours=1)  # between two tries of a remote that fails
RUN = timedelta(minutes=20)  # that a sync takes at most
_NEVER = datetime.min.replace(tzinfo=UTC)


def sync_later(repository: Repository) -> bool:
    """Ask for a sync that begins from now on; False when one waits already, which will do."""
    with transaction.atomic():
        Repository.objects.filter(pk=repository.pk).update(wanted_at=Now())
        return _wake(repository)


def run(repository_id: int) -> None:
    """Sync the repository, if somebody still waits for that. A failed fetch is noted and no error."""
    repository = Repository.objects.filter(pk=repository_id).first()
    if repository is None or repository.wanted_at is None:
        return
    if not _has_room(repository, timezone.now()):
        _sleep(repository)  # it stays wanted, and the next pass that finds room wakes it
        return
    if not _try(repository):
        # The sync that runs may have begun before what is asked for. If it still runs after this, it has yet
        # to look whether it is wanted again, and finds nobody told; else the second try is ours.
        _sleep(repository)
        _try(repository)


def queue_due_syncs() -> int:
    """Wake a worker for what is due and for what was asked and forgotten, the oldest first; how many."""
    now = timezone.now()
    asleep = Repository.objects.filter(Q(woken_at=None) | Q(woken_at__lt=now - LOST))
    due = [repository for repository in asleep if _is_due(repository, now)]
    if not due:
        return 0
    room = AT_ONCE - Repository.objects.filter(woken_at__gte=now - LOST).count()
    return _queue(sorted(due, key=_waits_since)[: max(0, room)])


def sync_local() -> int:
    """Queue a sync of every local remote that has changed; cheap enough for every other second."""
    now = timezone.now()
    changed = changed_local_remotes()
    return _queue(one for one in changed if one.wanted_at is None or _is_due(one, now))


def changed_local_remotes() -> list[Repository]:
    """The repositories on this disk whose branches have moved since their last sync began."""
    if not settings.MIRROR_LOCAL_ROOTS:
        return []
    local = Repository.objects.filter(remote__startswith="/")
    return [one for one in local if mirrors.refs_seen(one.remote) != one.refs_seen]


def state_of(repository: Repository) -> str:
    """What a person may know: whether a sync runs, or waits, and since when."""
    begun = repository.starts[-1] if repository.starts else _NEVER
    if max(repository.attempted_at or _NEVER, timezone.now() - RUN) < begun:
        return f"running since {begun:%H:%M:%S} UTC"
    wanted = repository.wanted_at
    return f"waiting since {wanted:%H:%M:%S} UTC" if wanted else ""


def _queue(repositories: Iterable[Repository]) -> int:
    # What is wanted already is not asked for again: a sync that has begun for it would be repeated.
    return sum((_wake if one.wanted_at else sync_later)(one) for one in repositories)


def _is_due(repository: Repository, now: datetime) -> bool:
    begun = repository.starts[-1] if repository.starts else _NEVER
    if repository.wanted_at:
        # One that began for this ask and never ended counts as a failure, or a mirror that ends every worker
        # would be tried without a pause.
        pause = min(MINUTE * ((1 << min(repository.failures, 10)) - 1), LONGEST)
        return begun <= now - pause and _has_room(repository, now)
    if not settings.SYNC_MINUTES:
        return False
    usual = timedelta(minutes=settings.SYNC_MINUTES)
    pause = usual * (1 << min(max(repository.failures - 1, 0), 10))
    return begun <= now - min(pause, max(usual, LONGEST))


def _has_room(repository: Repository, now: datetime) -> bool:
    recent = [begun for begun in repository.starts if begun > now - MINUTE]
    return len(recent) < MOST_A_MINUTE


def _waits_since(repository: Repository) -> datetime:
    return repository.wanted_at or (repository.starts[-1] if repository.starts else _NEVER)


def _try(repository: Repository) -> bool:
    """Sync, and wake a worker again for what was asked meanwhile; False when another sync runs."""
    try:
        mirrors.sync(repository)
    except MirrorBusy:
        return False
    except FetchFailed:
        pass
    repository.refresh_from_db(fields=["wanted_at"])
    if repository.wanted_at and _has_room(repository, timezone.now()):
        _wake(repository)
    return True


def _wake(repository: Repository) -> bool:
    rows = Repository.objects.filter(pk=repository.pk)
    asleep = rows.filter(Q(woken_at=None) | Q(woken_at__lt=Now() - LOST))
    with transaction.atomic():
        if not asleep.update(woken_at=Now()):
            return False
        async_task(TASK, repository.pk)
    return True


def _sleep(repository: Repository) -> None:
    Repository.objects.filter(pk=repository.pk).update(woken_at=None)
