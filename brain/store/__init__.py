"""Between tree and rows: the only package that knows both."""

from brain.store.database import DatabaseStore, database_store
from brain.store.protocol import Store
from brain.store.sources import (
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
from brain.store.writing import Built, replace_tree, settle

__all__ = [
    "Built",
    "DatabaseStore",
    "Source",
    "Staging",
    "State",
    "Store",
    "batches",
    "begin",
    "build_lock",
    "database_store",
    "follow",
    "note_attempt",
    "note_build",
    "note_failure",
    "note_progress",
    "replace_tree",
    "settings_of",
    "settle",
    "source_as_it_is",
    "source_of",
]
