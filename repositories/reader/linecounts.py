"""How many lines of a document changed, as `git diff --numstat` counts them."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING, NamedTuple

from repositories import git
from repositories.errors import CommitMissing, MirrorDamaged
from repositories.git import GitFailed
from repositories.processes import Limits, ProcessError
from repositories.reader.differences import Difference, size_in
from repositories.reader.opening import blob_in, open_mirror
from repositories.reader.pairing import PLAIN, PLAIN_DIFF, literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from pygit2 import Odb

TOGETHER = 512 << 10  # bytes of the larger texts that one process compares
LOOKED_AT = 8_000  # bytes in which a NUL makes Git take a text for binary

_NUMSTAT = ("--numstat", "-z", "--diff-algorithm=myers", *PLAIN_DIFF)
_COUNTS = re.compile(rb"(\d+)\t(\d+)\t(.*)\Z", re.DOTALL)


class LineCount(NamedTuple):
    """Lines that only the newer text has, and lines that only the older one has."""

    added: int
    removed: int


class LineCounts(NamedTuple):
    """Counts by path; without the texts that the mirror lacks and those that Git takes for binary."""

    by_path: Mapping[str, LineCount]
    complete: bool  # the time was enough for all


def line_counts(
    mirror: Path, old: str, new: str, *, among: Iterable[Difference], seconds: float
) -> LineCounts:
    """The line counts of these differences between the two commits.

    Small texts come first: one can be written so that Git compares it for a minute, and must not take
    the counts of others out of the answer.
    """
    until = time.monotonic() + seconds
    odb = open_mirror(mirror).odb
    by_path: dict[str, LineCount] = {}
    compared: list[tuple[int, Difference]] = []
    for one in among:
        if one.old and one.new and one.old != one.new:
            sizes = size_in(odb, one.old), size_in(odb, one.new)
            if sizes[0] is not None and sizes[1] is not None:
                compared.append((max(sizes[0], sizes[1]), one))
        elif (count := _count_of_one_text(odb, one)) is not None:
            by_path[one.path] = count
    for batch in _batches(sorted(compared)):
        try:
            by_path |= _compare(mirror, (old, new), batch, until)
        except ProcessError:
            return LineCounts(by_path, complete=False)
    return LineCounts(by_path, complete=True)


def _count_of_one_text(odb: Odb, one: Difference) -> LineCount | None:
    """The count of a text that came, went or moved as it was."""
    if one.old == one.new:
        return LineCount(0, 0)
    try:
        text = blob_in(odb, one.new or one.old or "")
    except (CommitMissing, MirrorDamaged):
        return None
    if b"\0" in text[:LOOKED_AT]:
        return None
    lines = text.count(b"\n") + (text != b"" and not text.endswith(b"\n"))
    return LineCount(lines, 0) if one.new else LineCount(0, lines)


def _batches(compared: Iterable[tuple[int, Difference]]) -> Iterator[list[Difference]]:
    """What one process compares: some documents that stayed where they were, or one that moved."""
    batch: list[Difference] = []
    total = 0
    for size, one in compared:
        if one.old_path:
            yield [one]
            continue
        if batch and total + size > TOGETHER:
            yield batch
            batch, total = [], 0
        batch.append(one)
        total += size
    if batch:
        yield batch


def _compare(
    mirror: Path, commits: tuple[str, str], batch: Sequence[Difference], until: float
) -> dict[str, LineCount]:
    if len(batch) == 1:
        return _compare_one(mirror, batch[0], until)
    paths = [literal(one.path) for one in batch]
    arguments = ("diff-tree", "-r", "--no-renames", *_NUMSTAT, *commits, "--", *paths)
    try:
        told = git.run(mirror, *PLAIN, *arguments, limits=_left(until)).stdout.split(b"\0")
    except GitFailed:  # a text is broken; each alone, so that it takes no other with it
        each = (_compare_one(mirror, one, until) for one in batch)
        return {path: count for found in each for path, count in found.items()}
    counts = {
        found[3]: LineCount(int(found[1]), int(found[2])) for found in map(_COUNTS.match, told) if found
    }
    keys = ((one.path, one.path.encode()) for one in batch)
    return {path: counts[key] for path, key in keys if key in counts}


def _compare_one(mirror: Path, one: Difference, until: float) -> dict[str, LineCount]:
    try:
        arguments = ("diff", *_NUMSTAT, str(one.old), str(one.new), "--")
        told = git.run(mirror, *PLAIN, *arguments, limits=_left(until)).stdout
    except GitFailed:
        return {}
    found = _COUNTS.match(told)
    return {one.path: LineCount(int(found[1]), int(found[2]))} if found else {}


def _left(until: float) -> Limits:
    return Limits(seconds=until - time.monotonic())
