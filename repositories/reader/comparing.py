"""Which lines of two texts differ; a line ends at a line feed, and every byte counts."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, NamedTuple

import pygit2
from pygit2.enums import DiffOption

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# More lines are not compared one by one: some texts take seconds then, during which no thread of the process
# can do anything else. A document of as many lines as this and of full size has 40 bytes a line.
MOST_LINES = 50_000

# Lines that stand once in both texts are matched first: fewer blank lines are taken for each other.
_HOW = DiffOption.FORCE_TEXT | DiffOption.PATIENCE
_CONTEXT = 3


class Hunk(NamedTuple):
    """Lines that were replaced by others, counted from 0; an end is the first line after."""

    old_start: int
    old_end: int
    new_start: int
    new_end: int


def hunks_between(old: bytes, new: bytes) -> list[Hunk]:
    """What was replaced, in order; all other lines are equal, one by one."""
    if old == new:
        return []
    if max(old.count(b"\n"), new.count(b"\n")) > MOST_LINES:
        return [_rough(_lines(old), _lines(new))]
    return [_hunk(hunk) for hunk in pygit2.Patch.create_from(old, new, context_lines=0, flag=_HOW).hunks]


def unified(old: bytes, new: bytes, *, old_first: int = 1, new_first: int = 1) -> Iterator[str]:
    """The lines of a unified diff; the numbers of the texts' first lines are given.

    Carriage returns are shown as ␍, and a last line without a line feed much as Git shows it. Texts of very
    many lines are shown one after the other.
    """
    if max(old.count(b"\n"), new.count(b"\n")) > MOST_LINES:
        yield from (_shown("-", line) for line in _lines(old))
        yield from (_shown("+", line) for line in _lines(new))
        return
    for hunk in pygit2.Patch.create_from(old, new, context_lines=_CONTEXT, flag=_HOW).hunks:
        before = _told(hunk.old_start + old_first - 1, hunk.old_lines)
        after = _told(hunk.new_start + new_first - 1, hunk.new_lines)
        yield f"@@ -{before} +{after} @@"
        for line in hunk.lines:
            if line.origin in " +-":
                yield _shown(line.origin, line.raw_content)
            else:
                yield "\\ No newline at end of text"


def _lines(text: bytes) -> list[bytes]:
    *ended, last = text.split(b"\n")
    return [line + b"\n" for line in ended] + ([last] if last else [])


def _rough(old: Sequence[bytes], new: Sequence[bytes]) -> Hunk:
    """All between the lines that both texts begin with and those that both end with."""
    fewer = min(len(old), len(new))
    start = _alike(zip(old, new, strict=False), fewer)
    end = _alike(zip(reversed(old), reversed(new), strict=False), fewer - start)
    return Hunk(start, len(old) - end, start, len(new) - end)


def _alike(pairs: Iterator[tuple[bytes, bytes]], most: int) -> int:
    """How many pairs are equal before one is not."""
    return sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], itertools.islice(pairs, most)))


def _hunk(hunk: pygit2.DiffHunk) -> Hunk:
    # Git numbers a side without lines by the line before it.
    old = hunk.old_start - (hunk.old_lines > 0)
    new = hunk.new_start - (hunk.new_lines > 0)
    return Hunk(old, old + hunk.old_lines, new, new + hunk.new_lines)


def _shown(origin: str, raw: bytes) -> str:
    return origin + raw.decode(errors="replace").removesuffix("\n").replace("\r", "␍")


def _told(start: int, count: int) -> str:
    return str(start) if count == 1 else f"{start},{count}"
