"""What a commit holds and where it stands among others."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import pygit2
from pygit2.enums import SortMode

from repositories import git
from repositories.errors import CommitMissing, MirrorDamaged
from repositories.git import GitFailed
from repositories.processes import Limits, ProcessError
from repositories.reader.listing import WALK, Listing, WalkLimits, walk
from repositories.reader.opening import blob_in, commit_in, open_mirror, require_commit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

GRAPH = Limits(seconds=20, output=1 << 10)


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
    except (CommitMissing, MirrorDamaged):
        return False
    except (KeyError, pygit2.GitError):
        return _asked(mirror, "merge-base", "--is-ancestor", ancestor, commit) is not None


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
    except (CommitMissing, MirrorDamaged):
        return None
    except (KeyError, pygit2.GitError):
        said = _asked(mirror, "rev-list", "--count", f"--max-count={cap}", f"{old}..{new}", "--")
        return None if said is None else int(said)


def _asked(mirror: Path, *arguments: str) -> bytes | None:
    """What Git itself says of commits that libgit2 refuses to read, such as one dated by no number."""
    try:
        return git.run(mirror, *arguments, limits=GRAPH).stdout
    except (GitFailed, ProcessError):
        return None
