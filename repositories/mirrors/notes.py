"""What a sync leaves behind: its outcome in the row, and the news of what moved."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils import timezone

from repositories import signals
from repositories.cleaning import clean_line
from repositories.models import Repository
from repositories.reader import branches

if TYPE_CHECKING:
    from collections.abc import Iterable

    from repositories.errors import FetchFailed

STARTS_KEPT = 6  # as many as repositories.scheduling allows in a minute
FAILURES_COUNTED = 100
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Moved:
    """A branch that a sync found elsewhere; `old` None: it is new, `new` None: it is gone."""

    branch: str
    old: str | None
    new: str | None


def note_start(repository: Repository, refs_seen: str) -> None:
    """Note that a sync begins: whatever was asked before now is in its hands."""
    begun = [*repository.starts, timezone.now()][-STARTS_KEPT:]
    _note(
        repository,
        woken_at=None,
        starts=begun,
        failures=min(repository.failures + 1, FAILURES_COUNTED),
        refs_seen=refs_seen,
    )


def note_failure(repository: Repository, failure: FetchFailed) -> None:
    """Note the outcome and its sentence; the log gets the scrubbed reason."""
    log.warning("Sync of %s: %s %s", repository.slug, failure.code, failure.detail or failure.message)
    _note(
        repository, outcome=failure.code, error=clean_line(failure.message, 500), attempted_at=timezone.now()
    )
    _answer(repository)


def note_success(repository: Repository, head: str, size: int) -> bool:
    """Note what was found; whether it gave the repository its first default branch."""
    now = timezone.now()
    _note(repository, outcome=Repository.Outcome.OK, error="", attempted_at=now, synced_at=now)
    _note(repository, remote_default_branch=head, size=size, failures=0)
    _answer(repository)
    first = _first_default(repository, head)
    if repository.default_branch or not first:
        return False
    # Asked again in the same statement: a person may have set one since the sync began.
    rows = Repository.objects.filter(pk=repository.pk, default_branch="")
    is_ours = bool(rows.update(default_branch=first))
    repository.refresh_from_db(fields=["default_branch"])
    return is_ours


def tell_default_branch(repository: Repository) -> None:
    """Tell that the first default branch was found."""
    # Robust, here and below: a listener that fails is logged, and stops neither the sync nor other listeners.
    signals.default_branch_changed.send_robust(
        Repository, repository=repository, old="", new=repository.default_branch, actor=None
    )


def tell_moves(repository: Repository, moves: Iterable[Moved]) -> None:
    """Tell of each branch that moved."""
    for move in moves:
        signals.branch_moved.send_robust(
            Repository, repository=repository, branch=move.branch, old=move.old, new=move.new
        )


def _first_default(repository: Repository, head: str) -> str:
    # A remote whose HEAD leads nowhere leaves no choice when it has one branch, and leaves it open otherwise.
    names = [branch.name for branch in branches(repository.mirror)]
    return head if head in names else names[0] if len(names) == 1 else ""


def _answer(repository: Repository) -> None:
    # Only the ask that the sync began with: what came to the remote since then, it may have missed.
    Repository.objects.filter(pk=repository.pk, wanted_at=repository.wanted_at).update(wanted_at=None)


def _note(repository: Repository, **values: Any) -> None:
    # These columns alone: the form may have saved the others meanwhile.
    Repository.objects.filter(pk=repository.pk).update(**values)
    for name, value in values.items():
        setattr(repository, name, value)
