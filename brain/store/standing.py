"""Where a Brain stands, and how fresh what it serves is."""

from __future__ import annotations

from brain import models
from brain.store.protocol import Envelope, Standing
from members.models import Project
from repositories import reader
from repositories.errors import BranchMissing, MirrorDamaged, MirrorMissing


def envelope_of(project: Project, source: models.Source) -> Envelope:
    """The facts of freshness: three of them, none derived from another."""
    repository, tip = project.repository, _tip(project, source)
    behind = None
    if repository and source.commit and tip:
        behind = 0 if tip == source.commit else reader.ahead_count(repository.mirror, source.commit, tip)
    return Envelope(
        project=str(project.pk),
        branch=source.branch,
        commit=source.commit,
        tip=tip,
        behind=behind,
        built_at=source.built_at,
        synced_at=repository.synced_at if repository else None,
        state=source.state if source.enabled else models.State.OFF,
    )


def standing_of(project: Project, source: models.Source) -> Standing:
    """The state of the Brain beside its envelope."""
    repository = project.repository
    try:
        branches = reader.branches(repository.mirror) if repository else []
    except (MirrorMissing, MirrorDamaged):
        branches = []
    return Standing(
        enabled=source.enabled,
        wiki=source.wiki,
        counts=source.counts,
        error=source.error,
        attempted_commit=source.attempted_commit,
        branches=tuple(branch.name for branch in branches),
        progress=source.progress,
    )


def _tip(project: Project, source: models.Source) -> str:
    try:
        return reader.tip_of(project.repository.mirror, source.branch) if project.repository else ""
    except (BranchMissing, MirrorMissing, MirrorDamaged):
        return ""
