"""A whole build: every document of the tip is read, and the tree replaced."""

from __future__ import annotations

import hashlib
import logging
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from django.conf import settings
from django.utils import timezone

from brain import snapshots, store
from brain.builds.reports import Course, Progress, Report
from brain.contents import Contents, changes_of, contents_of, history_problems, texts_of
from brain.errors import BuildFailed
from brain.markdown.documents import Document
from brain.parsing import parse_all
from brain.store import Built, Source, Staging
from brain.tree.assembly import BUILDER_VERSION, File, Tree, TreeSettings, assemble
from brain.tree.nodes import Changed
from repositories import mirrors, reader
from repositories.errors import BranchMissing, CommitMissing, MirrorDamaged, MirrorMissing
from repositories.reader import History

logger = logging.getLogger(__name__)

PIN = "tree"
DAMAGED = "mirror-damaged"
LARGE = 5_000  # nodes; autovacuum is quick enough with fewer
STAGED_CHARACTERS = 1_000_000  # of words that go to the database at a time


def build(source: Source, *, asked_by: str = "", progress: Progress | None = None) -> Report:
    """Build the tip of the branch that the project's Brain follows.

    Raises BuildFailed; the tree of the last good build then stays readable.
    """
    with store.build_lock(source):
        source.refresh_from_db()
        course, began = Course(source, progress), timezone.now()
        try:
            store.begin(source)
            built = _build(source, course)
        except Exception as error:
            failure = _as_failure(error)
            if failure.code == DAMAGED and source.project.repository:
                mirrors.report_damage(source.project.repository)
            store.note_failure(source, failure)
            outcome = {"outcome": "failed", "error": f"{failure.code}: {failure}"[:500], "kind": "whole"}
            store.note_build(source, began, asked_by=asked_by, seconds=course.seconds, **outcome)
            raise failure from error
        row = store.note_build(
            source,
            began,
            asked_by=asked_by,
            commit=built.commit,
            kind="whole",
            counts=built.counts,
            seconds={phase: round(seconds, 3) for phase, seconds in course.seconds.items()},
            outcome="ready",
        )
    return Report(commit=built.commit, counts=built.counts, seconds=course.seconds, number=row.number)


def settings_hash(tree_settings: TreeSettings) -> str:
    """What of the settings a stored tree was made with; a different one forces a whole build."""
    return hashlib.sha256(f"{BUILDER_VERSION} {tree_settings!r}".encode()).hexdigest()


def _build(source: Source, course: Course) -> Built:
    repository = source.project.repository
    if repository is None:
        raise BuildFailed("no-repository", "The project has no document repository.")
    mirror, tree_settings = repository.mirror, store.settings_of(source)
    with course.phase("resolve"):
        commit = reader.tip_of(mirror, source.branch)
        store.note_attempt(source, commit)
    with ThreadPoolExecutor(1) as beside, snapshots.writing() as snapshot:
        history = beside.submit(_history, course, mirror, commit)
        with course.phase("list"):
            contents = contents_of(mirror, commit, tree_settings.scope)
        staging = Staging()
        documents = list(_documents(contents, mirror, course, staging, snapshot, tree_settings))
        tree = _assembled(
            contents, documents, tree_settings, course, _changes(history, mirror, commit, contents)
        )
        built = Built(
            source=source,
            commit=commit,
            tree=tree,
            settings_hash=settings_hash(tree_settings),
            problems=(*tree.problems, *staging.problems, *history_problems(history.result())),
            left_out=contents.left_out,
        )
        with course.phase("write"):
            snapshot.keep(snapshots.path_of(source.pk, commit))
            # The pin comes before the commit of the transaction: what readers see is never collected.
            mirrors.pin(repository, str(source.project_id), PIN, commit)
            store.replace_tree(built, staging)
    with course.phase("pin"):
        _let_go(source, commit)
        if len(tree.nodes) >= LARGE:
            store.settle()
    return built


def _documents(
    contents: Contents,
    mirror: Path,
    course: Course,
    staging: Staging,
    snapshot: snapshots.Writer,
    tree_settings: TreeSettings,
) -> Iterator[Document]:
    """The parsed documents; their words are staged and their texts noted for exact search on the way."""
    total = len(contents.documents)

    def texts() -> Iterator[tuple[str, bytes]]:
        found = texts_of(mirror, contents.documents)
        while True:
            with course.aside("read"):
                text = next(found, None)
                if text is None:
                    return
                snapshot.add(*text)
            yield text

    with course.phase("parse", total):
        parsed = parse_all(
            texts(), processes=settings.BRAIN_PARSE_PROCESSES, not_prefixes=tree_settings.not_prefixes
        )
        done = 0
        for group in store.batches(parsed, STAGED_CHARACTERS):
            with course.aside("words"):
                staging.add(group)
            done += len(group)
            course.tell("parse", done, total)
            yield from (document for document, _ in group)


def _assembled(
    contents: Contents,
    documents: Iterable[Document],
    tree_settings: TreeSettings,
    course: Course,
    changes: dict[str, Changed],
) -> Tree:
    with course.phase("assemble"):
        files = {
            entry.path: File(blob=entry.blob, changed=changes.get(entry.path)) for entry in contents.documents
        }
        return assemble(
            documents,
            files,
            tree_settings,
            existing=contents.existing,
            words=contents.words,
            problems=contents.problems,
        )


def _history(course: Course, mirror: Path, commit: str) -> History:
    started = time.monotonic()
    history = reader.last_changes(mirror, commit)
    course.seconds["history"] = time.monotonic() - started
    return history


def _changes(history: Future[History], mirror: Path, commit: str, contents: Contents) -> dict[str, Changed]:
    return changes_of(mirror, commit, history.result(), (entry.path for entry in contents.documents))


def _let_go(source: Source, commit: str) -> None:
    """Drop the pins and snapshots of older commits; whatever stays is swept later."""
    repository = source.project.repository
    if repository is None:
        return
    for pin in mirrors.pins(repository):
        if (pin.project_id, pin.use) == (str(source.project_id), PIN) and pin.commit != commit:
            mirrors.unpin(repository, pin.project_id, PIN, pin.commit)
    snapshots.drop_others(source.pk, commit)


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
        case _:
            logger.error("A build failed unexpectedly.", exc_info=error)
            return BuildFailed("error", f"The build stopped with {type(error).__name__}; the log tells more.")
