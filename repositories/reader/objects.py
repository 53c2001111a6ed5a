"""What a commit holds and where it stands among others."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import pygit2
from pygit2.enums import SortMode

from repositories.errors import CommitMissing, MirrorDamaged
from repositories.reader.listing import WALK, Listing, WalkLimits, walk
from repositories.reader.opening import blob_in, commit_in, open_mirror, require_commit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path


def commit_exists(mirror: Path, commit: str) -> bool:
    """Whether the mirror holds the commit."""
    odb = open_mirror(mirror).odb
    try:
        require_commit(odb, commit)
    except CommitMissing:
        return False
    return True


def tree_of(mirror: Path, commit: str, limits: WalkLimits = WALK) -> Listing:
    """Every path of the commit. Raises CommitMissing and MirrorDamaged."""
    odb = open_mirror(mirror).odb
    return walk(odb, commit_in(odb, commit).tree, limits)


def blob(mirror: Path, oid: str) -> bytes:
    """The bytes of one blob. Raises CommitMissing when it is not there, MirrorDamaged when it is broken."""
    return blob_in(open_mirror(mirror).odb, oid)


def blobs(mirror: Path, oids: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    """(object id, bytes) of each blob, in the order asked; the errors of `blob`."""
    odb = open_mirror(mirror).odb
    for oid in oids:
        yield oid, blob_in(odb, oid)


def descends_from(mirror: Path, commit: str, ancestor: str) -> bool:
    """Whether `ancestor` is the commit or one before it; False when that cannot be said."""
    repository = open_mirror(mirror)
    try:
        require_commit(repository.odb, commit)
        require_commit(repository.odb, ancestor)
        return commit == ancestor or bool(repository.descendant_of(commit, ancestor))
    except (CommitMissing, KeyError, pygit2.GitError):
        return False


def ahead_count(mirror: Path, old: str, new: str, cap: int = 1_000) -> int | None:
    """How many commits `new` has that `old` has not, counted to `cap`; None when that cannot be said."""
    repository = open_mirror(mirror)
    try:
        require_commit(repository.odb, old)
        require_commit(repository.odb, new)
        if old == new:
            return 0
        walker = repository.walk(new, SortMode.NONE)
        walker.hide(old)
        return sum(1 for _ in itertools.islice(walker, cap))
    except (CommitMissing, MirrorDamaged, KeyError, pygit2.GitError):
        return None
