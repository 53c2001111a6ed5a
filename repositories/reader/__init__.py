"""The read side of a mirror: its branches, what a commit holds, and when it last changed."""

from repositories.reader.branches import Branch, branches, is_branch_name, tip_of
from repositories.reader.changes import changes_since, last_change_of, last_changes
from repositories.reader.comparing import Hunk, hunks_between, unified
from repositories.reader.differences import Difference, DifferenceLimits, Differences, differences
from repositories.reader.following import Asked, Fate, Followed, FollowLimits, Version, follow
from repositories.reader.history import History, HistoryLimits, LastChange
from repositories.reader.linecounts import LineCount, LineCounts, line_counts
from repositories.reader.listing import Entry, Listing, WalkLimits
from repositories.reader.naming import ancestor_named
from repositories.reader.objects import ahead_count, blob, blobs, commit_exists, descends_from, tree_of
from repositories.reader.opening import open_mirror
from repositories.reader.paths import PathChange, paths_between
from repositories.reader.worktrees import WorkTree, ignored_in, work_tree_of

__all__ = [
    "Asked",
    "Branch",
    "Difference",
    "DifferenceLimits",
    "Differences",
    "Entry",
    "Fate",
    "FollowLimits",
    "Followed",
    "History",
    "HistoryLimits",
    "Hunk",
    "LastChange",
    "LineCount",
    "LineCounts",
    "Listing",
    "PathChange",
    "Version",
    "WalkLimits",
    "WorkTree",
    "ahead_count",
    "ancestor_named",
    "blob",
    "blobs",
    "branches",
    "changes_since",
    "commit_exists",
    "descends_from",
    "differences",
    "follow",
    "hunks_between",
    "ignored_in",
    "is_branch_name",
    "last_change_of",
    "last_changes",
    "line_counts",
    "open_mirror",
    "paths_between",
    "tip_of",
    "tree_of",
    "unified",
    "work_tree_of",
]
