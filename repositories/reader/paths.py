"""Every path that differs between two commits, as `git diff-tree` tells it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from repositories import git
from repositories.errors import TreesUnread
from repositories.git import GitFailed
from repositories.processes import Limits, ProcessError
from repositories.reader import pairing
from repositories.reader.opening import open_mirror, require_commit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

WHOLE = Limits(seconds=20, output=256 << 20)
HEAD = re.compile(rb":([0-7]{6}) ([0-7]{6}) ([0-9a-f]{40}) ([0-9a-f]{40}) [A-Z][0-9]*\Z")

_LIST = ("diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev", *pairing.PLAIN_DIFF)
_NOTHING = "0" * 40


class PathChange(NamedTuple):
    """An entry that is not the same in both commits: file, link or submodule."""

    path: str | None  # None: the name is no UTF-8, as no document's is
    raw_path: bytes
    old_mode: int  # 0: it was not there
    old_blob: str | None
    new_mode: int  # 0: it is gone
    new_blob: str | None


def paths_between(mirror: Path, old: str, new: str, *, limits: Limits = WHOLE) -> tuple[PathChange, ...]:
    """What differs from the commit `old` to the commit `new`, in Git's order.

    Of trees that Git would not write: in an unsorted one a path may be told twice, or though it is the same,
    and an odd mode counts as the plain one, so a path that differs in nothing else is left out.
    Raises CommitMissing, and TreesUnread when Git cannot tell it all within its limits.
    """
    odb = open_mirror(mirror).odb
    require_commit(odb, old)
    require_commit(odb, new)
    try:
        return tuple(_change(head, path) for head, path in raw_changes(mirror, old, new, limits))
    except (GitFailed, ProcessError) as error:
        raise TreesUnread("What differs between the two commits cannot be read.") from error


def raw_changes(mirror: Path, old: str, new: str, limits: Limits) -> Iterator[tuple[bytes, bytes]]:
    """What Git tells of each path that differs: modes, blobs and status in one text, and the path."""
    said = pairing.tokens(git.stream(mirror, *pairing.PLAIN, *_LIST, old, new, "--", limits=limits))
    return zip(said, said, strict=False)


def _change(head: bytes, raw_path: bytes) -> PathChange:
    told = HEAD.match(head)
    if told is None:
        raise TreesUnread("What differs between the two commits is told in another form.")
    old, new = told[3].decode(), told[4].decode()
    try:
        path = raw_path.decode()
    except UnicodeDecodeError:
        path = None
    return PathChange(
        path,
        raw_path,
        int(told[1], 8),
        None if old == _NOTHING else old,
        int(told[2], 8),
        None if new == _NOTHING else new,
    )
