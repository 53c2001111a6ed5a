"""How a test states where a Brain stands, and what became of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from django.db import connection
from django.db.models.functions import Now
from django.utils import timezone

from brain import models
from repositories.models import Repository

BUILDING = {"state": "indexing", "attempted_commit": "d0b7f12" + "0" * 33}


def brain_of(slug: str) -> models.Source:
    return models.Source.objects.get(project__slug=slug)


def given_brain(slug: str, **columns: Any) -> None:
    """Let the row of the Brain say this."""
    models.Source.objects.filter(project__slug=slug).update(heartbeat=Now(), **columns)


def committed[**P, T](step: Callable[P, T], *args: P.args, **values: P.kwargs) -> T:
    """Let a step be seen by the server of a browser's test, in whose own thread no rows can be asked for."""

    def alone() -> T:
        try:
            return step(*args, **values)
        finally:
            connection.close()  # or it outlives the database

    with ThreadPoolExecutor(1) as elsewhere:
        return elsewhere.submit(alone).result()


@contextmanager
def a_lent_brain(slug: str) -> Iterator[None]:
    """A Brain that a test of the browser may change: it is put back when the test ends."""
    before = committed(_columns_of, slug)
    try:
        yield
    finally:
        committed(given_brain, slug, **before)


def given_step(slug: str, phase: str, done: int = 0, total: int = 0, *, by: str = "ines") -> None:
    """A build is at this step."""
    running = {"job": "1", "by": by, "whole": False, "patient": False}
    given_brain(slug, progress={"phase": phase, "done": done, "total": total}, running=running, **BUILDING)


def given_builds(slug: str, *outcomes: str, seconds: float = 1.0) -> None:
    """Finished builds, the oldest first, all of which began yesterday; `failed` ones say why."""
    source = brain_of(slug)
    for number, outcome in enumerate(outcomes, 101):
        models.Build.objects.create(
            source=source,
            number=number,
            commit=f"{number:040x}",
            kind="incremental" if outcome == "ready" else "whole",
            asked_by="ines",
            started_at=timezone.now() - timedelta(days=1),
            seconds={"parse": seconds * 0.75, "write": seconds * 0.25, "history": 30.0},
            outcome=outcome,
            error="" if outcome == "ready" else "budget: The build took more than 10 minutes.",
        )


def given_sync(slug: str, *, minutes: float) -> None:
    """The mirror was synced so long ago."""
    moment = timezone.now() - timedelta(minutes=minutes)
    Repository.objects.filter(projects__slug=slug).update(synced_at=moment)


def _columns_of(slug: str) -> dict[str, Any]:
    asked = ("wanted", "wanted_by", "wanted_at", "running", "progress", "attempted_commit")
    decided = ("enabled", "wiki", "branch", "state", "error")
    return models.Source.objects.values(*decided, *asked).get(project__slug=slug)
