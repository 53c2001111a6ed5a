"""The first lines of a run of texts that hold every needle. Pure, but for the clock it is given."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from brain.snapshots import Run

_WINDOW = 256 * 1024  # bytes looked at in one go, more only where a single text is longer


class Stretch(NamedTuple):
    """Where to look: documents `first` up to and without `last`; of a single one, maybe some lines only."""

    first: int
    last: int
    lines: tuple[int, int] | None = None  # the first and the last one, from 1


class Spot(NamedTuple):
    """A line: the number of its document, and its own from 1."""

    document: int
    line: int


@dataclass(frozen=True, slots=True)
class Found:
    """The lines found, in order; `complete` unless the time was up or there are more."""

    spots: list[Spot]
    complete: bool


class _Window(NamedTuple):
    chunk: bytes  # whole lines
    start: int  # of the chunk in the run
    line: int  # the number of its first line


class _TimeUp(Exception):
    """The time is up."""


def first_spots(
    run: Run,
    stretches: Iterable[Stretch],
    needles: Iterable[bytes],
    *,
    limit: int,
    is_late: Callable[[], bool],
) -> Found:
    """The first `limit` lines with every needle; `is_late` is asked at each step."""
    order, spots = list(needles), list[Spot]()
    if any(b"\n" in needle for needle in order):
        return Found([], complete=True)  # a phrase of two lines stands on none
    found = (
        spot
        for stretch in stretches
        for window in _windows(run, stretch)
        for spot in _spots(run, window, _line_starts(window.chunk, order, is_late))
    )
    try:
        spots.extend(islice(found, limit + 1))
    except _TimeUp:
        return Found(spots, complete=False)
    return Found(spots[:limit], complete=len(spots) <= limit)


def _windows(run: Run, stretch: Stretch) -> Iterator[_Window]:
    first, last, lines = stretch
    starts = run.starts
    if lines is not None:
        text = run.between(first, last)
        skipped = _behind_lines(text, lines[0] - 1)
        yield _Window(text[skipped : _behind_lines(text, lines[1])], starts[first] + skipped, lines[0])
        return
    while first < last:
        fits = bisect_right(starts, starts[first] + _WINDOW, first, last + 1) - 1
        stop = max(fits, first + 1)
        yield _Window(run.between(first, stop), starts[first], 1)
        first = stop


def _behind_lines(text: bytes, count: int) -> int:
    """The offset behind the first `count` lines."""
    pieces = text.split(b"\n", count)
    return len(text) - len(pieces[-1])


def _line_starts(chunk: bytes, order: list[bytes], is_late: Callable[[], bool]) -> Iterator[int]:
    """The offsets of the lines that hold every needle.

    The first needle leads: only lines that hold it are looked at. A needle that such a line lacks leads from
    there on, also in the next chunk, so that a rare one soon decides how far each step goes. Each byte is
    looked at by leading needles once, and once more by every needle where a line is a candidate.
    """
    line = 0
    while True:
        if is_late():
            raise _TimeUp
        hit = chunk.find(order[0], line)
        if hit < 0:
            return
        start, end = max(line, chunk.rfind(b"\n", line, hit) + 1), chunk.find(b"\n", hit) + 1
        missing = next((place for place, needle in enumerate(order) if chunk.find(needle, start, end) < 0), 0)
        if missing:
            order[0], order[missing] = order[missing], order[0]
        else:
            yield start
        line = end


def _spots(run: Run, window: _Window, line_starts: Iterable[int]) -> Iterator[Spot]:
    document, line, counted, ends = -1, 0, 0, 0
    for start in line_starts:
        if start >= ends:
            document = bisect_right(run.starts, window.start + start) - 1
            ends = run.starts[document + 1] - window.start
            counted = max(0, run.starts[document] - window.start)
            line = 1 if counted else window.line
        line += window.chunk.count(b"\n", counted, start)
        counted = start
        yield Spot(document, line)
