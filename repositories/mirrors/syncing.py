"""A sync: the mirror brought to the remote's state, or left as it was with a reason."""

from __future__ import annotations

import contextlib
import errno
import logging
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from repositories import git
from repositories.credentials import CredentialsUnreadable, scrub
from repositories.errors import FetchFailed, MirrorDamaged, MirrorMissing, RemoteRefused
from repositories.mirrors import fetching, notes, places, renewal, watching
from repositories.mirrors.complaints import SENTENCES, Outcome
from repositories.mirrors.fetching import SyncLimits
from repositories.mirrors.notes import Moved
from repositories.mirrors.remotes import Reach, Resolver, public_resolver, reach
from repositories.processes import ProcessError
from repositories.reader import branches

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from repositories.mirrors.progress import Progress
    from repositories.models import Repository

PACKS = 50  # from so many on, they are packed anew
USUAL = SyncLimits()
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Synced:
    """What a sync that went well has found."""

    moved: tuple[Moved, ...]
    default_branch: str  # the remote's own; empty when it has none
    size: int  # bytes of the mirror
    renewed: bool  # the mirror was damaged and has been cloned again


def sync(
    repository: Repository,
    *,
    resolver: Resolver = public_resolver,
    authority: Path | None = None,
    limits: SyncLimits = USUAL,
    progress: Progress | None = None,
) -> Synced:
    """Bring the mirror to the remote's state, note the outcome in the row, and tell which branches moved.

    Raises FetchFailed, after noting it, when the mirror stays as it was, and MirrorBusy, noting nothing,
    when another sync of the repository is running.
    """
    with places.locked(repository):
        repository.refresh_from_db()
        notes.note_start(repository, watching.refs_seen(repository.remote))
        started = time.monotonic()
        try:
            synced = _synced(repository, resolver, authority, limits, progress)
        except FetchFailed as failure:
            notes.note_failure(repository, failure)
            time.sleep(max(0.0, started + limits.floor - time.monotonic()))
            raise
        first = notes.note_success(repository, synced.default_branch, synced.size)
    if first:
        notes.tell_default_branch(repository)
    notes.tell_moves(repository, synced.moved)
    return synced


def report_damage(repository: Repository) -> None:
    """Note that a read found the mirror damaged: the next sync clones it again."""
    places.damage_note(repository).touch()


def remove(repository: Repository) -> None:
    """Remove the mirror and all that stands beside it. Raises MirrorBusy."""
    with places.locked(repository):
        for name in (".git", ".new", ".old", ".damaged", ".pins", ".lock"):
            places.discard(repository.mirror.with_suffix(name))


def _synced(
    repository: Repository,
    resolver: Resolver,
    authority: Path | None,
    limits: SyncLimits,
    progress: Progress | None,
) -> Synced:
    mirror = repository.mirror
    with _in_our_words():
        git.require_version()
        way = reach(repository, resolver, authority, limits.patience)
        before = _tips(mirror)
        head = fetching.head_of(way, limits)
        renewed = _bring(repository, way, limits, progress)
        moved = _moves(before, _tips(mirror))
        if moved or renewed:
            _tidy(mirror, limits)
        return Synced(moved, head, places.size_of(mirror), renewed)


def _bring(repository: Repository, way: Reach, limits: SyncLimits, progress: Progress | None) -> bool:
    """Fetch into the mirror, or into a new one when it is damaged; whether it was."""
    mirror = repository.mirror
    if not _is_damaged(repository, limits):
        fetching.create(mirror)
        places.sweep(mirror)
        try:
            fetching.fetch(mirror, way, limits, progress)
            return False
        except FetchFailed as failure:
            if failure.code != Outcome.FAILED or fetching.is_whole(mirror, limits):
                raise
    renewal.renew(repository, way, limits, progress)
    return True


def _is_damaged(repository: Repository, limits: SyncLimits) -> bool:
    if not repository.mirror.exists():
        return False
    return places.damage_note(repository).exists() or not fetching.is_readable(repository.mirror, limits)


@contextlib.contextmanager
def _in_our_words() -> Iterator[None]:
    try:
        yield
    except RemoteRefused as error:
        raise FetchFailed(Outcome.REFUSED, str(error)) from None
    except CredentialsUnreadable as error:
        raise FetchFailed(Outcome.AUTH, str(error)) from None
    except (git.GitTooOld, MirrorDamaged) as error:
        raise FetchFailed(Outcome.FAILED, str(error)) from error
    except OSError as error:
        code = Outcome.DISK if error.errno in {errno.ENOSPC, errno.EDQUOT} else Outcome.FAILED
        raise FetchFailed(code, SENTENCES[code], scrub(str(error))) from error


def _tips(mirror: Path) -> dict[str, str]:
    try:
        return {branch.name: branch.commit for branch in branches(mirror)}
    except (MirrorMissing, MirrorDamaged):
        return {}


def _moves(before: dict[str, str], after: dict[str, str]) -> tuple[Moved, ...]:
    names = sorted(before.keys() | after.keys())
    moves = (Moved(name, before.get(name), after.get(name)) for name in names)
    return tuple(move for move in moves if move.old != move.new)


def _tidy(mirror: Path, limits: SyncLimits) -> None:
    # A mirror that is not tidy is slower and nothing worse: no reason to call the sync failed.
    try:
        if places.pack_count(mirror) > PACKS:
            fetching.pack_anew(mirror, limits)
        fetching.index_history(mirror, limits)
    except (git.GitFailed, ProcessError):
        log.warning("The mirror %s could not be tidied.", mirror.name)
