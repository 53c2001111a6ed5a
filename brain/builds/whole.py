"""A whole build: every document of the tip is read, and the tree replaced."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from brain import snapshots, store
from brain.builds.reading import parsed_documents, timed_history
from brain.builds.reports import PIN, Course, Finished, Plan
from brain.contents import Contents, changes_of, contents_of, history_problems
from brain.markdown.documents import Document
from brain.store import Built, Staging
from brain.tree.assembly import File, Tree, TreeSettings, assemble
from brain.tree.nodes import Changed
from repositories import mirrors
from repositories.reader import History

LARGE = 5_000  # nodes; autovacuum is quick enough with fewer


def build_whole(plan: Plan, course: Course) -> Finished:
    """Build the planned commit. Raises BuildFailed, and what a damaged mirror raises."""
    source, mirror, commit = plan.source, plan.mirror, plan.commit
    with ThreadPoolExecutor(1) as beside, snapshots.writing() as snapshot:
        history = beside.submit(timed_history, course, mirror, commit)
        with course.phase("list"):
            contents = contents_of(mirror, commit, plan.settings.scope)
        staging = Staging()
        documents = parsed_documents(
            contents.documents, mirror, course, staging, plan.settings, snapshot=snapshot
        )
        changes = _changes(history, mirror, commit, contents)
        tree = _assembled(contents, documents, plan.settings, course, changes)
        built = Built(
            source=source,
            commit=commit,
            tree=tree,
            settings_hash=plan.settings_hash,
            problems=(*tree.problems, *staging.problems, *history_problems(history.result())),
            left_out=contents.left_out,
            truncated=contents.truncated,
        )
        with course.phase("write"):
            snapshot.keep(snapshots.path_of(source.pk, commit))
            # The pin comes before the commit of the transaction: what readers see is never collected.
            mirrors.pin(plan.repository, str(source.project_id), PIN, commit)
            store.replace_tree(built, staging)
    if len(tree.nodes) >= LARGE:
        with course.phase("pin"):
            store.settle()
    return Finished(kind="whole", commit=commit, counts=built.counts)


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


def _changes(history: Future[History], mirror: Path, commit: str, contents: Contents) -> dict[str, Changed]:
    return changes_of(mirror, commit, history.result(), (entry.path for entry in contents.documents))
