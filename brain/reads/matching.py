"""Which lines of two versions of a text are each other's."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from repositories.reader import Hunk, hunks_between

MANY = 100  # places at which one text stands
_WORD = re.compile(rb"[0-9A-Za-z\x80-\xff]")


class Text:
    """One version of a document, line by line.

    Lines are looked for and matched without what ends them: a file whose line ends change, or the one at the
    end of it, is all there, though no byte for byte.
    """

    def __init__(self, blob: bytes) -> None:
        *ended, last = blob.split(b"\n")
        self.raw = [line + b"\n" for line in ended] + ([last] if last else [])
        self.lines = [line.rstrip(b"\r\n") for line in self.raw]

    def where(self, wanted: Sequence[bytes]) -> list[int]:
        """The first lines at which these lines begin, counted from 0; a hundred are as good as all."""
        found: list[int] = []
        # Between line feeds, so that a search of bytes finds whole lines: in linear time, whatever they say.
        needle, at, number = b"\n" + _joined(wanted), -1, 0
        while wanted and len(found) < MANY:
            at, before = self._between.find(needle, at + 1), max(at, 0)
            if at < 0:
                break
            number += self._between.count(b"\n", before, at)
            found.append(number)
        return found

    @cached_property
    def _between(self) -> bytes:
        return b"\n" + _joined(self.lines)

    @cached_property
    def counts(self) -> Counter[bytes]:
        """How often each line stands here."""
        return Counter(self.lines)


@dataclass(frozen=True, slots=True)
class Run:
    """Lines next to each other that are the same in both versions."""

    start: int  # in the older version
    end: int
    shift: int  # lines that they stand further down in the newer one


class Matched:
    """Which lines of two versions are each other's."""

    def __init__(self, old: Text, new: Text) -> None:
        self.old = old
        self.new = new
        self.hunks = hunks = hunks_between(_joined(old.lines), _joined(new.lines))
        ends = [0, *(hunk.old_end for hunk in hunks)]
        starts = [*(hunk.old_start for hunk in hunks), len(old.lines)]
        shifts = [0, *(hunk.new_end - hunk.old_end for hunk in hunks)]
        self.runs = [Run(*run) for run in zip(ends, starts, shifts, strict=True)]
        self._starts = ends

    def run_of(self, start: int, end: int) -> Run | None:
        """The run that holds all of these lines of the older version."""
        run = self.runs[bisect_right(self._starts, start) - 1]
        return run if end <= run.end else None

    def image(self, line: int) -> int | None:
        """Where a line of the older version stands in the newer one."""
        run = self.run_of(line, line + 1)
        return line + run.shift if run else None

    def is_anchored(self, run: Run) -> bool:
        """Whether the run is no chance: it opens or ends both, or holds words that stand once in both."""
        opens = run.start == 0 and run.shift == 0
        ends = run.end == len(self.old.lines) and run.end + run.shift == len(self.new.lines)
        once, now = self.old.counts, self.new.counts
        lines = self.old.lines[run.start : run.end]
        return opens or ends or any(once[one] == 1 == now[one] and is_telling([one]) for one in lines)

    def span_of(self, start: int, end: int) -> tuple[int, int]:
        """What is left of the lines, with what replaced the others; (0, 0) when that says nothing."""
        pieces = [
            (max(start, run.start) + run.shift, min(end, run.end) + run.shift)
            for run in self.runs
            if run.start < end and start < run.end
        ]
        pieces += [
            self._replacement(hunk, max(start, hunk.old_start), min(end, hunk.old_end))
            for hunk in self.hunks
            if hunk.old_start < end and start < hunk.old_end
        ]
        pieces = [piece for piece in pieces if piece[0] < piece[1]]
        if not any(is_telling(self.new.lines[first:last]) for first, last in pieces):
            return 0, 0
        return min(first for first, _ in pieces), max(last for _, last in pieces)

    def _replacement(self, hunk: Hunk, start: int, end: int) -> tuple[int, int]:
        """Which of a hunk's new lines replaced these of its old ones: all when that cannot be said."""
        whole = hunk.new_start, hunk.new_end
        if (start, end) == (hunk.old_start, hunk.old_end):
            return whole
        old = Text(_joined(line.strip() for line in self.old.lines[hunk.old_start : hunk.old_end]))
        new = Text(_joined(line.strip() for line in self.new.lines[hunk.new_start : hunk.new_end]))
        alike = Matched(old, new)
        pieces = list(alike.pieces(start - hunk.old_start, end - hunk.old_start))
        if not pieces:
            return hunk.new_start, hunk.new_start
        first, last = min(first for first, _ in pieces), max(last for _, last in pieces)
        return hunk.new_start + first, hunk.new_start + last

    def pieces(self, start: int, end: int) -> Iterable[tuple[int, int]]:
        """The lines that stand for these: equal ones, one for one in hunks of one size, or a whole hunk."""
        for run in self.runs:
            if run.start < end and start < run.end:
                yield max(start, run.start) + run.shift, min(end, run.end) + run.shift
        for hunk in self.hunks:
            if not (hunk.old_start < end and start < hunk.old_end):
                continue
            if hunk.old_end - hunk.old_start == hunk.new_end - hunk.new_start:
                by = hunk.new_start - hunk.old_start
                yield max(start, hunk.old_start) + by, min(end, hunk.old_end) + by
            elif hunk.new_start < hunk.new_end:
                yield hunk.new_start, hunk.new_end


def is_telling(lines: Iterable[bytes]) -> bool:
    """Whether there is a letter or a digit in the lines: other text stands anywhere by chance."""
    return any(_WORD.search(line) for line in lines)


def _joined(lines: Iterable[bytes]) -> bytes:
    return b"".join(line + b"\n" for line in lines)
