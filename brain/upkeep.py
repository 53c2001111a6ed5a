"""What should be so and is not: looked for every minute and every night, and put right."""

from __future__ import annotations

import logging

from django.utils import timezone

from brain import following, store
from brain.builds import jobs, request, wake
from brain.store import Source
from repositories import mirrors, reader
from repositories.errors import RepositoryError

logger = logging.getLogger(__name__)

UPKEEP = "minute job"  # who asked
OLDER = "new builder"


def every_minute() -> None:
    """Queue lost builds, branches that moved unnoticed and trees of an older builder; heal what drifted."""
    for source_id in store.lost_builds():
        logger.warning("The build of source %s was lost with its worker.", source_id)
        store.note_loss(source_id)
    following.heal()
    for source in store.idle_sources():
        if reason := _why_build(source):
            request(source, asked_by=reason, patient=True)
    if store.is_any_ready():
        wake()
    _sweep_pins()


def every_night() -> None:
    """Compare the tree that was not compared for the longest time with a whole build of its commit."""
    jobs.check_next()


def _why_build(source: Source) -> str:
    """Who asks for a build of this source; "" when it stands as it should, or failed at this very tip."""
    repository = source.project.repository
    if repository is None:
        return ""
    try:
        tip = reader.tip_of(repository.mirror, source.branch)
    except RepositoryError:
        return ""
    if source.state == store.State.FAILED and source.attempted_commit == tip:
        return ""
    if source.commit != tip:
        return UPKEEP
    return OLDER if store.is_outdated(source) else ""


def _sweep_pins() -> None:
    """Drop pins that no row names: of each repository once an hour."""
    minute = timezone.now().minute
    for repository, needed in store.pinned_commits(minute, of=60):
        try:
            mirrors.sweep_pins(repository, needed)
        except RepositoryError as error:
            logger.info("The pins of %s were not swept: %s", repository, error)
