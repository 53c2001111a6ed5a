"""Which lines of two texts differ; a line ends at a line feed, and every byte counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pygit2
from pygit2.enums import DiffOption

if TYPE_CHECKING:
    from collections.abc import Iterator

# Lines that stand once in both texts are matched first: fewer blank lines are taken for each other.
_HOW = DiffOption.FORCE_TEXT | DiffOption.PATIENCE
_CONTEXT = 3
_MARKS = {" ": " ", "+": "+", "-": "-"}  # all others tell of the end of the file


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
    return [_hunk(hunk) for hunk in pygit2.Patch.create_from(old, new, context_lines=0, flag=_HOW).hunks]


def unified(old: bytes, new: bytes, *, old_first: int = 1, new_first: int = 1) -> Iterator[str]:
    """The lines of a unified diff; the numbers of the texts' first lines are given.

    Carriage returns are shown as ␍, and a last line without a line feed as Git shows it.
    """
    for hunk in pygit2.Patch.create_from(old, new, context_lines=_CONTEXT, flag=_HOW).hunks:
        before = _told(hunk.old_start + old_first - 1, hunk.old_lines)
        after = _told(hunk.new_start + new_first - 1, hunk.new_lines)
        yield f"@@ -{before} +{after} @@"
        for line in hunk.lines:
            text = line.raw_content.decode(errors="replace")
            if line.origin in _MARKS:
                yield line.origin + text.removesuffix("\n").replace("\r", "␍")
            else:
                yield "\\ No newline at end of text"


def _hunk(hunk: pygit2.DiffHunk) -> Hunk:
    # Git numbers a side without lines by the line before it.
    old = hunk.old_start - (hunk.old_lines > 0)
    new = hunk.new_start - (hunk.new_lines > 0)
    return Hunk(old, old + hunk.old_lines, new, new + hunk.new_lines)


def _told(start: int, count: int) -> str:
    return str(start) if count == 1 else f"{start},{count}"
