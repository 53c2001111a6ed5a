"""An incremental build: what changed is read, what depends on it is made again, what differs is written."""

from __future__ import annotations

from brain import snapshots, store
from brain.builds.conditions import NeedsWhole, require_few
from brain.builds.difference import difference_of
from brain.builds.reading import parsed_documents
from brain.builds.regrown import regrown
from brain.builds.reports import PIN, Course, Finished, Plan
from brain.builds.updates import update_of
from brain.contents import contents_of, texts_of
from brain.store import Staging
from repositories import mirrors


def build_incrementally(plan: Plan, course: Course) -> Finished:
    """Make the stored tree that of the planned commit; the same rows as a whole build would store.

    Raises NeedsWhole where that is quicker, BuildFailed, and what a damaged mirror raises.
    """
    source, mirror, commit = plan.source, plan.mirror, plan.commit
    with course.phase("list"):
        contents = contents_of(mirror, commit, plan.settings.scope)
        if contents.truncated or any(left.reason == "too-many" for left in contents.left_out):
            raise NeedsWhole("the commit holds more than a build looks at")
        difference = difference_of(plan, contents)
        require_few(len(difference.changed), len(difference.new))
    staging = Staging()
    entries = [entry for entry in contents.documents if entry.path in difference.read]
    documents = parsed_documents(entries, mirror, course, staging, plan.settings)
    with course.phase("assemble"):
        parts = regrown(plan, contents, difference, {document.path: document for document in documents})
        update = update_of(plan, contents, difference, parts, staging.problems)
    with course.phase("write"):
        # The pin comes before the commit of the transaction: what readers see is never collected.
        mirrors.pin(plan.repository, str(source.project_id), PIN, commit)
        store.update_tree(update, staging)
    with course.phase("pin"):
        was, now = (snapshots.path_of(source.pk, one) for one in (source.commit, commit))
        snapshots.renew(was, now, gone=difference.changed, texts=texts_of(mirror, entries))
    return Finished(kind="incremental", commit=commit, counts=update.counts)
