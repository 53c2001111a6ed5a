"""Between tree and rows: the only package that knows both."""

from brain.store import known
from brain.store.builds import last_whole_seconds
from brain.store.checking import differences, note_check
from brain.store.database import DatabaseStore, database_store
from brain.store.known import Definer, Known
from brain.store.managing import clear_away
from brain.store.protocol import Store
from brain.store.queueing import (
    Job,
    is_any_ready,
    is_any_rested,
    job_of,
    lost_builds,
    note_end,
    note_loss,
    put_back,
    take,
    want,
)
from brain.store.sources import (
    BUSY,
    DELETED,
    OVERTAKEN,
    Source,
    State,
    begin,
    build_lock,
    follow,
    note_attempt,
    note_build,
    note_failure,
    note_progress,
    settings_of,
    source_as_it_is,
    source_of,
)
from brain.store.staging import Staging, batches
from brain.store.updating import Update, update_tree
from brain.store.watching import followers, idle_sources, is_outdated, least_proven, pinned_commits
from brain.store.writing import MAX_LEFT_OUT, Built, replace_tree, require_unmoved, settle

__all__ = [
    "BUSY",
    "DELETED",
    "MAX_LEFT_OUT",
    "OVERTAKEN",
    "Built",
    "DatabaseStore",
    "Definer",
    "Job",
    "Known",
    "Source",
    "Staging",
    "State",
    "Store",
    "Update",
    "batches",
    "begin",
    "build_lock",
    "clear_away",
    "database_store",
    "differences",
    "follow",
    "followers",
    "idle_sources",
    "is_any_ready",
    "is_any_rested",
    "is_outdated",
    "job_of",
    "known",
    "last_whole_seconds",
    "least_proven",
    "lost_builds",
    "note_attempt",
    "note_build",
    "note_check",
    "note_end",
    "note_failure",
    "note_loss",
    "note_progress",
    "pinned_commits",
    "put_back",
    "replace_tree",
    "require_unmoved",
    "settings_of",
    "settle",
    "source_as_it_is",
    "source_of",
    "take",
    "update_tree",
    "want",
]
