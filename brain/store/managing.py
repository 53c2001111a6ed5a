"""What people decide of a source row: on or off, which branch, whether a wiki holds it."""

from __future__ import annotations

from typing import Any

from django.db.models import F, Q, QuerySet

from brain import models, snapshots
from brain.store.queueing import forget_wish
from brain.store.sources import source_of
from members.access import NO_PROJECT
from members.errors import AccessDenied
from members.models import Project
from repositories import mirrors
from repositories.models import Repository

DECIDED = ("enabled", "branch", "wiki")  # whoever changes one of them overtakes a build that runs

type Changes = dict[str, dict[str, Any]]  # by column: {"from": …, "to": …}


def hold(project: Project) -> models.Source:
    """The source of the project's Brain, and with it project and repository, locked as they are now.

    Locks the project, its repository, then the source: a deletion, another default branch and a build that
    writes each come wholly before or wholly after. Raises AccessDenied when the project is gone.
    """
    held = Project.objects.select_for_update(no_key=True).filter(pk=project.pk).first()
    if held is None:
        raise AccessDenied(NO_PROJECT)
    if held.repository_id is not None:
        held.repository = Repository.objects.select_for_update(no_key=True).get(pk=held.repository_id)
    source_of(held)
    source = models.Source.objects.select_for_update().get(project=held)
    source.project = held
    return source


def hold_to_remove(project: Project) -> int | None:
    """The key of the project's source, locked so that no build writes into what is about to go."""
    keys = models.Source.objects.select_for_update().filter(project=project.pk).values_list("pk", flat=True)
    return keys.first()


def clear_away(source_id: int, repository: Repository | None, project_id: str) -> None:
    """Drop what lies beside the rows of a project that is gone: its snapshots, and its pins in the mirror."""
    snapshots.drop_all(source_id)
    if repository is not None:
        mirrors.unpin_all(repository, project_id)


def decide(source: models.Source, **decided: Any) -> Changes:
    """Write into the held source what was decided, and answer what of it is new."""
    before = {name: getattr(source, name) for name in DECIDED}
    changes = {
        name: {"from": before[name], "to": value} for name, value in decided.items() if before[name] != value
    }
    if not changes:
        return changes
    for name, change in changes.items():
        setattr(source, name, change["to"])
    source.generation += 1
    if "branch" in changes or not source.enabled:
        _call_off(source)
    source.save(
        update_fields=[
            *("generation", "state", *DECIDED),
            *("wanted", "wanted_by", "wanted_at", "wait_until", "patient"),
        ]
    )
    return changes


def astray(repository: Repository | None = None) -> QuerySet[Project]:
    """The projects, of this repository or of all, whose Brain is not as their wiki wants it."""
    kept = Project.objects.filter(brain__wiki=True).exclude(repository__default_branch="")
    default = Q(brain__branch=F("repository__default_branch"), brain__enabled=True)
    if repository is None:
        return kept.exclude(repository=None).exclude(default)
    return kept.filter(repository=repository).exclude(default)


def _call_off(source: models.Source) -> None:
    """Want the build no more that was wanted of another branch, or before the Brain was turned off."""
    forget_wish(source)
    if source.state == models.State.QUEUED:
        source.state = models.State.READY if source.commit else models.State.NOT_BUILT
