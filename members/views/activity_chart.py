"""How much was read each day, as a chart that a template can draw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING

from django.db.models import Count, Sum
from django.db.models.functions import TruncDate

from members.activity import NO_PROJECT
from members.callers import Door
from members.models import Activity, ReadCount

if TYPE_CHECKING:
    from members.models import Project

DAYS = 14
READS = ("brain.read", "brain.grep", "brain.search", "brain.changes", "brain.resolve")
# From the bottom up. A count of reads with a token does not say by which of the two doors for programs.
SERIES = (("portal", "k3"), ("API and MCP", "k2"), ("command", "k1"))
OF_DOORS = {Door.PORTAL: "portal", Door.API: "API and MCP", Door.MCP: "API and MCP", Door.COMMAND: "command"}
STEPS = (2, 4, 6, 10)  # a scale ends at one of these, or at its tenfold: half of it is a number too
TICKS = (0, 4, 9, 13)  # days that are named


@dataclass(frozen=True, slots=True)
class Bar:
    """A piece of a day's bar; places and sizes are percentages."""

    tone: str
    x: str
    y: str
    width: str
    height: str


@dataclass(frozen=True, slots=True)
class Day:
    """A day's reads in the order of the series."""

    day: date
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """The reads of the last 14 days."""

    series: tuple[tuple[str, str], ...]
    days: tuple[Day, ...]
    bars: tuple[Bar, ...]
    scale: tuple[str, str, str]  # its numbers from the top down
    ticks: tuple[date, ...]
    total: int
    most: Day


def reads_a_day(project: Project | None) -> Chart | None:
    """The chart of a project's reads, or of all; None when nothing was read in its time."""
    today = datetime.now(UTC).date()
    days = [today - timedelta(days=back) for back in range(DAYS - 1, -1, -1)]
    counted = _listed(days[0], project) + _counted(days[0], project)
    return chart_of(
        [Day(day, tuple(counted[day, name] for name, _ in SERIES)) for day in days] if counted else []
    )


def chart_of(days: list[Day]) -> Chart | None:
    """The chart of these days; None when all are empty."""
    most = max(days, key=lambda day: sum(day.counts), default=None)
    if most is None or not sum(most.counts):
        return None
    top = _top(sum(most.counts))
    return Chart(
        series=SERIES,
        days=tuple(days),
        bars=tuple(_bars(days, top)),
        scale=(_short(top), _short(top // 2), "0"),
        ticks=tuple(days[place].day for place in TICKS if place < len(days)),
        total=sum(sum(day.counts) for day in days),
        most=most,
    )


def _listed(since: date, project: Project | None) -> Counter[tuple[date, str]]:
    rows = Activity.objects.filter(at__gte=datetime.combine(since, time.min, UTC), action__in=READS)
    if project is not None:
        rows = rows.filter(chain=project.pk)
    grouped = rows.order_by().values_list(TruncDate("at", tzinfo=UTC), "door").annotate(Count("pk"))
    return _added((day, OF_DOORS.get(Door(door), ""), count) for day, door, count in grouped)


def _counted(since: date, project: Project | None) -> Counter[tuple[date, str]]:
    rows = ReadCount.objects.filter(day__gte=since)
    if project is not None:
        rows = rows.filter(project_id=project.pk)
    grouped = rows.order_by().values_list("day", "member_id", "token_id").annotate(Sum("count"))
    return _added((day, _series(member, token), count) for day, member, token, count in grouped)


def _series(member: int, token: object) -> str:
    if token != NO_PROJECT:
        return "API and MCP"
    return "portal" if member else "command"


def _added(counts: Iterator[tuple[date, str, int]]) -> Counter[tuple[date, str]]:
    added: Counter[tuple[date, str]] = Counter()
    for day, name, count in counts:
        added[day, name] += count
    return added


def _bars(days: list[Day], top: int) -> Iterator[Bar]:
    step = 100 / len(days)
    for place, day in enumerate(days):
        below = 0
        for (_, tone), count in zip(SERIES, day.counts, strict=True):
            if count:
                below += count
                x, y = step * (place + 0.275), 100 - 100 * below / top
                yield Bar(tone, _percent(x), _percent(y), _percent(step * 0.45), _percent(100 * count / top))


def _top(most: int) -> int:
    scale = 1
    while True:
        for step in STEPS:
            if step * scale >= most:
                return step * scale
        scale *= 10


def _short(number: int) -> str:
    """A number of the scale, which has little room."""
    for size, letter in ((10**6, "M"), (10**3, "k")):
        if number >= size and number % size == 0:
            return f"{number // size}{letter}"
    return str(number)


def _percent(value: float) -> str:
    return f"{value:.2f}%"
