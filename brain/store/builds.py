"""The finished builds of a project, and who asked for the one that waits or runs."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from brain import models
from brain.store.sources import source_as_it_is
from members.models import Project

BESIDE = frozenset({"history"})  # phases that ran beside the others, and took no time of their own

_COLUMNS = ("number", "commit", "kind", "asked_by", "started_at", "seconds", "outcome", "error")


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildRow:
    """One finished build."""

    number: int  # in its project, from 1
    commit: str  # "" when it failed before it knew
    kind: str  # whole or incremental
    asked_by: str
    started_at: datetime
    seconds: float
    outcome: str
    error: str


def recent_builds(project: Project, limit: int) -> list[BuildRow]:
    """The newest builds of the project, the last one first."""
    rows = models.Build.objects.filter(source__project=project).order_by("-number").values(*_COLUMNS)
    return [BuildRow(**row | {"seconds": _spent(row["seconds"])}) for row in rows[:limit]]


def last_whole_seconds(source_id: int) -> float | None:
    """How long the last whole build took that came to an end; None when no row of it is left."""
    whole = models.Build.objects.filter(source_id=source_id, kind="whole", outcome="ready")
    seconds = whole.order_by("-number").values_list("seconds", flat=True).first()
    return None if seconds is None else _spent(seconds)


def asker_of(project: Project) -> str:
    """Who asked for the build that runs, or else for the one that waits; "" when nobody did."""
    source = source_as_it_is(project)
    return str(source.running.get("by", "")) if source.running else source.wanted_by


def _spent(seconds: dict[str, float]) -> float:
    return sum(spent for phase, spent in seconds.items() if phase not in BESIDE)
