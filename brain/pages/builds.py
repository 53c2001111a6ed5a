"""Builds as a page shows them: the steps of the one that runs, and how long the last ones took."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from brain.store.builds import BuildRow

STEPS = {  # phase: words
    "resolve": "Resolve tip",
    "list": "List tree",
    "read": "Read blobs",
    "parse": "Parse",
    "assemble": "Assemble",
    "write": "Write",
    "pin": "Pin",
}
SERIES = (("whole", "k1"), ("incremental", "k2"), ("failed", "k4"))
CHARTED, LISTED = 40, 20  # builds
SCALE = (1, 2, 4, 6, 10)  # it ends at one of these, or at its tenfold: half of it is a number too
LEAST = 1.5  # percent: of the shortest bar


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A step of the running build; `done` of `total` of the current one (0: unknown)."""

    phase: str
    words: str
    number: int
    is_past: bool = False
    is_current: bool = False
    done: int = 0
    total: int = 0


@dataclass(frozen=True, slots=True)
class Bar:
    """A build's bar; places and sizes are percentages."""

    tone: str
    x: str
    y: str
    width: str
    height: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """How long the last builds took, the oldest first."""

    bars: tuple[Bar, ...]
    series: tuple[tuple[str, str], ...]
    scale: tuple[str, str, str]  # its seconds from the top down
    first: BuildRow
    last: BuildRow
    words: str


def steps_of(progress: Mapping[str, Any] | None) -> tuple[Step, ...]:
    """The steps of a build that is this far; none is current while it waits."""
    phases = list(STEPS)
    told = progress or {}
    phase = told.get("phase")
    at = phases.index(phase) if phase in STEPS else -1
    return tuple(
        Step(
            phase=each,
            words=STEPS[each],
            number=place + 1,
            is_past=place < at,
            is_current=place == at,
            done=told["done"] if place == at else 0,
            total=told["total"] if place == at else 0,
        )
        for place, each in enumerate(phases)
    )


def chart_of(builds: Sequence[BuildRow]) -> Chart | None:
    """The chart of these builds, given the newest first; None when there is none."""
    if not builds:
        return None
    rows = list(reversed(builds))
    top = _top(max(row.seconds for row in rows))
    return Chart(
        bars=tuple(_bar(row, place, top) for place, row in enumerate(rows, CHARTED - len(rows))),
        series=SERIES,
        scale=(f"{top:g}", f"{top / 2:g}", "0"),
        first=rows[0],
        last=rows[-1],
        words=_words(rows),
    )


def _bar(row: BuildRow, place: int, top: float) -> Bar:
    step = 100 / CHARTED
    height = max(100 * row.seconds / top, LEAST)
    tone = dict(SERIES)[_series(row)]
    x, width = step * (place + 0.11), step * 0.78
    return Bar(tone, f"{x:.2f}%", f"{100 - height:.2f}%", f"{width:.2f}%", f"{height:.2f}%")


def _series(row: BuildRow) -> str:
    if row.outcome != "ready":
        return "failed"
    return row.kind if row.kind == "incremental" else "whole"


def _words(rows: Sequence[BuildRow]) -> str:
    """The chart in a sentence, for whoever does not see it."""
    told = []
    for name, _ in SERIES:
        seconds = [row.seconds for row in rows if _series(row) == name]
        if seconds:
            told.append(f"{len(seconds):,} {name}, the longest {max(seconds):.1f} seconds")
    return f"Build times: {'; '.join(told)}."


def _top(most: float) -> float:
    scale = 0.1
    while True:
        for step in SCALE:
            if step * scale >= most:
                return step * scale
        scale *= 10
