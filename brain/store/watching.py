"""Which sources somebody has to look at: they follow a branch, stand idle, are old or were never proven."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from django.db.models import F, QuerySet

from brain import models
from brain.tree.assembly import BUILDER_VERSION
from repositories.models import Repository

State = models.State
_SETTLED = (State.READY, State.FAILED)


def followers(repository: Repository, branch: str) -> list[models.Source]:
    """The sources that follow this branch and are on."""
    return list(_sources().filter(project__repository=repository, branch=branch, enabled=True))


def idle_sources() -> Iterator[models.Source]:
    """The sources that were built once and wait for nothing."""
    return _sources().filter(enabled=True, wanted="", state__in=_SETTLED).iterator()


def is_outdated(source: models.Source) -> bool:
    """Whether an older builder made its tree."""
    return bool(source.commit) and source.builder < BUILDER_VERSION


def least_proven() -> models.Source | None:
    """The source whose tree was not compared with a whole build for the longest time."""
    proven = _sources().filter(enabled=True, state=State.READY, builder=BUILDER_VERSION).exclude(commit="")
    return proven.order_by(F("checked_at").asc(nulls_first=True), "pk").first()


def pinned_commits(turn: int, *, of: int) -> Iterator[tuple[Repository, set[tuple[str, str, str]]]]:
    """Repositories, in turn each of so many, with project, use and commit of every pin that a row needs."""
    needed: dict[int, set[tuple[str, str, str]]] = defaultdict(set)
    turned = Repository.objects.annotate(place=F("pk") % of).filter(place=turn % of)
    for source in _sources().filter(project__repository__in=turned).exclude(commit=""):
        repository = source.project.repository
        if repository is not None:
            needed[repository.pk].add((str(source.project_id), "tree", source.commit))
    for repository in turned:
        yield repository, needed[repository.pk]


def _sources() -> QuerySet[models.Source]:
    return models.Source.objects.defer("broken", "left_out", "basis").select_related("project__repository")
