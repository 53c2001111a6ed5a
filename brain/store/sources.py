"""The life of a source row: whose Brain it is, and how its builds go."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from typing import Any, NamedTuple

from django.conf import settings
from django.db import InterfaceError, OperationalError, connection, transaction
from django.db.models.functions import Now

from brain import models
from brain.errors import BuildFailed
from brain.tree.assembly import TreeSettings
from members.models import Project
from repositories.statements import Columns, ask

BUSY = "busy"  # another build of the project runs
MOVED, DELETED, OFF = "moved", "deleted", "off"  # why a build can be overtaken
OVERTAKEN = frozenset({MOVED, DELETED, OFF})
NO_WISH: dict[str, Any] = dict.fromkeys(("wanted", "wanted_by"), "")
NO_WISH |= dict.fromkeys(("wanted_at", "wait_until")) | {"patient": False}
KEPT_BUILDS = 200  # rows of finished builds a project keeps

Source = models.Source
SOURCE = Columns(models.Source, "source", without=("broken", "left_out"))  # which can be long
_STORED = f"SELECT {SOURCE.sql} FROM brain_source source WHERE source.project_id = %s"  # noqa: S608
State = models.State


def source_of(project: Project) -> models.Source:
    """The source of the project's Brain; made, following the default branch, when there is none."""
    branch = project.repository.default_branch if project.repository else ""
    source, _ = models.Source.objects.get_or_create(project=project, defaults={"branch": branch})
    return source


def source_as_it_is(project: Project) -> models.Source:
    """The source to read: the stored one, or one that says nothing was built; reading stores nothing."""
    branch = project.repository.default_branch if project.repository else ""
    rows = ask(_STORED, [project.pk])
    source = SOURCE.make(rows[0]) if rows else models.Source(branch=branch)
    source.project = project
    return source


def follow(project: Project, branch: str) -> models.Source:
    """Let the project's Brain follow a branch from the next build on."""
    source = source_of(project)
    if source.branch != branch:
        source.branch = branch
        source.generation += 1
        source.save(update_fields=["branch", "generation"])
    return source


def settings_of(source: models.Source) -> TreeSettings:
    """What besides the commit decides this project's tree."""
    repository = source.project.repository
    return TreeSettings(
        name=repository.name if repository else source.project.name,
        branch=source.branch,
        web_address=repository.web_address if repository else "",
        include=tuple(source.include.splitlines()),
        exclude=tuple(source.exclude.splitlines()),
        not_prefixes=tuple(settings.BRAIN_NOT_ID_PREFIXES),
        max_links=settings.BRAIN_MAX_LINKS_PER_NODE,
    )


def lock_name(source_id: int) -> str:
    """What the lock of a project's only build is called in the database."""
    return f"brain-build:{source_id}"


@contextmanager
def build_lock(source: models.Source) -> Iterator[None]:
    """Hold the project's only build; raises BuildFailed when another process holds it.

    The lock belongs to the database session, so a killed process leaves none behind.
    """
    with connection.cursor() as cursor:
        name = lock_name(source.pk)
        cursor.execute("SELECT pg_try_advisory_lock(hashtextextended(%s, 0))", [name])
        if not cursor.fetchone()[0]:
            raise BuildFailed(BUSY, "Another build of this project is running.")
        try:
            yield
        finally:
            with suppress(OperationalError, InterfaceError):  # a session that is gone holds no lock
                cursor.execute("SELECT pg_advisory_unlock(hashtextextended(%s, 0))", [name])


class Wish(NamedTuple):
    """What was wanted when a build began."""

    whole: bool
    urgent: bool  # somebody waits for it


def begin(source: models.Source) -> Wish:
    """Note that a build has begun; readers keep the old tree. What was wanted until now, which it does.

    Raises BuildFailed when the Brain is off.
    """
    if not source.enabled:
        raise BuildFailed(OFF, "The Brain is turned off.")
    wish = Wish(source.wanted == models.Wanted.WHOLE, bool(source.wanted) and not source.patient)
    resolving = {"phase": "resolve", "done": 0, "total": 0}
    _update(source, state=State.INDEXING, error="", progress=resolving, **NO_WISH)
    return wish


def note_attempt(source: models.Source, commit: str) -> None:
    """Note which commit is being built; losses are counted anew for another one."""
    attempts = source.attempts if commit == source.attempted_commit else min(source.attempts, 1)
    _update(source, attempted_commit=commit, attempts=attempts)


def note_progress(source: models.Source, phase: str, done: int, total: int) -> None:
    """Tell everyone who looks how far the build is."""
    _update(source, progress={"phase": phase, "done": done, "total": total})


def note_failure(source: models.Source, failure: BuildFailed) -> None:
    """Note how the build failed; the old tree, if there is one, stays.

    A build that was overtaken failed in nothing: what overtook it says what is next.
    """
    with transaction.atomic():
        row = models.Source.objects.select_for_update().filter(pk=source.pk).first()
        if row is None:
            return
        overtaken = failure.code in OVERTAKEN
        if not overtaken:
            row.error = f"{failure.code}: {failure}"[:500]
        calm = (State.READY if row.commit else State.NOT_BUILT) if overtaken else State.FAILED
        row.state = State.QUEUED if row.wanted else calm
        row.running = row.progress = None
        row.attempts = 0
        row.save(update_fields=["state", "error", "running", "progress", "attempts"])
    source.state, source.error = row.state, row.error


def note_build(source: models.Source, began: datetime, **finished: Any) -> int:
    """Keep a row of the finished build, and only the newest 200; its number in the project."""
    with transaction.atomic():
        # Locked, so that its project is not deleted between the look and the row.
        if models.Source.objects.select_for_update(no_key=True).filter(pk=source.pk).first() is None:
            return 0  # deleted meanwhile
        last = models.Build.objects.filter(source=source).order_by("-number").first()
        number = last.number + 1 if last else 1
        models.Build.objects.create(source=source, number=number, started_at=began, **finished)
        models.Build.objects.filter(source=source, number__lte=number - KEPT_BUILDS).delete()
    return number


def _update(source: models.Source, **values: Any) -> None:
    """Outside any transaction of the build, so that readers see it at once."""
    models.Source.objects.filter(pk=source.pk).update(heartbeat=Now(), **values)
    for name, value in values.items():
        setattr(source, name, value)
