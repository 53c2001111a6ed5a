"""One build from its beginning to its end: which kind, what of it is noted, and what becomes of a failure."""

from __future__ import annotations

import hashlib
import logging
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict
from datetime import datetime, timedelta
from functools import partial

from django.db import InterfaceError, OperationalError
from django.utils import timezone

from brain import snapshots, store
from brain.builds.conditions import BETWEEN_WHOLE, REST, NeedsWhole, why_whole
from brain.builds.incremental import build_incrementally
from brain.builds.reports import PIN, Course, Finished, Plan, Progress, Report
from brain.builds.whole import build_whole
from brain.errors import BuildFailed
from brain.store import OVERTAKEN, Source
from brain.tree.assembly import BUILDER_VERSION, TreeSettings
from repositories import mirrors, reader
from repositories.errors import BranchMissing, CommitMissing, MirrorDamaged, MirrorMissing

logger = logging.getLogger(__name__)

DAMAGED = "mirror-damaged"
INTERRUPTED = "interrupted"


class Postponed(Exception):
    """A whole build that nobody waits for came too soon after another; it may begin at `until`."""

    def __init__(self, until: datetime) -> None:
        super().__init__(f"Not before {until:%H:%M:%S}.")
        self.until = until


def build(
    source: Source,
    *,
    whole: bool = False,
    asked_by: str = "",
    patient: bool = False,
    progress: Progress | None = None,
) -> Report:
    """Build the tip of the branch that the project's Brain follows, incrementally where that is right.

    Raises BuildFailed; the tree of the last good build then stays readable. Raises Postponed when the build
    is `patient` and a whole one should wait.
    """
    with store.build_lock(source):
        source.refresh_from_db()
        course = Course(source, progress)
        note = partial(_note, source, course, began=timezone.now(), asked_by=asked_by)
        try:
            wish = store.begin(source)
            patient = patient and not wish.urgent
            finished = _build(source, course, whole=whole or wish.whole, patient=patient)
        except Postponed:
            raise
        except Exception as error:
            failure = _as_failure(error)
            if not (failure.code == INTERRUPTED and source.running):  # its worker counts that as a loss
                _fail(source, failure)
                outcome = "overtaken" if failure.code in OVERTAKEN else "failed"
                note(kind="", outcome=outcome, error=f"{failure.code}: {failure}"[:500])
            raise failure from error
        told = asdict(finished)
        return Report(**told, seconds=course.seconds, number=note(outcome="ready", **told))


def settings_hash(tree_settings: TreeSettings) -> str:
    """What of the settings a stored tree was made with; a different one forces a whole build."""
    return hashlib.sha256(f"{BUILDER_VERSION} {tree_settings!r}".encode()).hexdigest()


def _build(source: Source, course: Course, *, whole: bool, patient: bool) -> Finished:
    repository = source.project.repository
    if repository is None:
        raise BuildFailed("no-repository", "The project has no document repository.")
    mirror, tree_settings = repository.mirror, store.settings_of(source)
    with course.phase("resolve"):
        commit = reader.tip_of(mirror, source.branch)
        store.note_attempt(source, commit)
    plan = Plan(
        source=source,
        repository=repository,
        commit=commit,
        settings=tree_settings,
        settings_hash=settings_hash(tree_settings),
    )
    finished = None if whole else _incrementally(plan, course)
    if finished is None:
        if patient:
            _require_pause(source)
        finished = build_whole(plan, course)
    with course.phase("pin"):
        _let_go(plan)
    return finished


def _incrementally(plan: Plan, course: Course) -> Finished | None:
    """None when the build has to be whole, for whatever reason: the same job goes on with that."""
    reason = why_whole(plan.source, plan.mirror, plan.commit, plan.settings_hash)
    if reason:
        logger.info("The build of %s is whole: %s.", plan.source, reason)
        return None
    try:
        return build_incrementally(plan, course)
    except NeedsWhole as needs:
        logger.info("The build of %s is whole: %s.", plan.source, needs)
    except BuildFailed as failure:
        if failure.code in OVERTAKEN:
            raise
        logger.warning("An incremental build of %s failed: %s", plan.source, failure)
    except (OperationalError, InterfaceError, BrokenProcessPool):
        raise  # a whole build would meet them, too
    except Exception:
        store.require_unmoved(plan.source)
        logger.exception("An incremental build of %s failed; it is made whole.", plan.source)
    return None


def _require_pause(source: Source) -> None:
    """A build of a moment keeps nobody busy: the pause is measured by what the last one took."""
    if source.whole_built_at is None:
        return
    took = store.last_whole_seconds(source.pk)
    pause = BETWEEN_WHOLE if took is None else min(BETWEEN_WHOLE, timedelta(seconds=REST * took))
    until = source.whole_built_at + pause
    if until > timezone.now():
        raise Postponed(until)


def _let_go(plan: Plan) -> None:
    """Drop the pins and snapshots of older commits; whatever stays is swept later."""
    project = str(plan.source.project_id)
    for pin in mirrors.pins(plan.repository):
        if (pin.project_id, pin.use) == (project, PIN) and pin.commit != plan.commit:
            mirrors.unpin(plan.repository, pin.project_id, PIN, pin.commit)
    snapshots.drop_others(plan.source.pk, plan.commit)


def _fail(source: Source, failure: BuildFailed) -> None:
    if failure.code == DAMAGED and source.project.repository:
        mirrors.report_damage(source.project.repository)
    store.note_failure(source, failure)
    if failure.code == store.DELETED:  # what stands beside the rows is made before them
        store.clear_away(source.pk, source.project.repository, str(source.project_id))


def _note(source: Source, course: Course, *, began: datetime, **finished: object) -> int:
    seconds = {phase: round(spent, 3) for phase, spent in course.seconds.items()}
    return store.note_build(source, began, seconds=seconds, **finished)


def _as_failure(error: Exception) -> BuildFailed:
    match error:
        case BuildFailed():
            return error
        case BranchMissing():
            return BuildFailed("branch-missing", str(error))
        case MirrorMissing():
            return BuildFailed("mirror-missing", "The repository has no mirror yet; sync it first.")
        case MirrorDamaged() | CommitMissing():
            return BuildFailed(DAMAGED, "The mirror is damaged; the next sync clones it again.")
        case OperationalError() | InterfaceError() | BrokenProcessPool():
            return BuildFailed(INTERRUPTED, "The database or a process of the build went away meanwhile.")
        case MemoryError():
            return BuildFailed("memory", "The build needed more memory than it may take.")
        case _:
            logger.error("A build failed unexpectedly.", exc_info=error)
            return BuildFailed("error", f"The build stopped with {type(error).__name__}; the log tells more.")
