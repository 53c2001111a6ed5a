"""The read side of a mirror: its branches, what a commit holds, and when it last changed."""

from repositories.reader.branches import Branch, branches, is_branch_name, tip_of
from repositories.reader.changes import last_change_of, last_changes
from repositories.reader.history import History, HistoryLimits, LastChange
from repositories.reader.listing import Entry, Listing, WalkLimits
from repositories.reader.objects import ahead_count, blob, blobs, commit_exists, descends_from, tree_of
from repositories.reader.opening import open_mirror

__all__ = [
    "Branch",
    "Entry",
    "History",
    "HistoryLimits",
    "LastChange",
    "Listing",
    "WalkLimits",
    "ahead_count",
    "blob",
    "blobs",
    "branches",
    "commit_exists",
    "descends_from",
    "is_branch_name",
    "last_change_of",
    "last_changes",
    "open_mirror",
    "tip_of",
    "tree_of",
]
