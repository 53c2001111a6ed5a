"""The texts of an indexed commit for exact search: a cache on local disk, never the truth."""

from brain.snapshots.making import Writer, in_memory, writing
from brain.snapshots.opening import renew, texts_at
from brain.snapshots.places import drop_all, drop_others, path_of
from brain.snapshots.texts import Run, Texts

__all__ = [
    "Run",
    "Texts",
    "Writer",
    "drop_all",
    "drop_others",
    "in_memory",
    "path_of",
    "renew",
    "texts_at",
    "writing",
]
