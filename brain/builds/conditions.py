"""When a build has to read everything again, in words."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from django.utils import timezone

from brain.store import MAX_LEFT_OUT, Source
from brain.tree.assembly import BUILDER_VERSION
from repositories import reader

MAX_INCREMENTAL = 50  # builds after a whole one
MAX_AGE = timedelta(days=1)  # of the whole build that the others follow
MAX_CHANGED = 2_000  # documents
MAX_SHARE = 5  # and at most one document in so many
BETWEEN_WHOLE = timedelta(minutes=5)  # at most, two whole builds that nobody waits for
REST = 20  # times as long as such a build took, until the next one


class NeedsWhole(Exception):
    """An incremental build can't be made; the text says why."""


def why_whole(source: Source, mirror: Path, commit: str, settings_hash: str) -> str:
    """Why the build of this commit has to be whole; "" when it can start from the stored tree."""
    if reason := _why_not_from(source):
        return reason
    if source.settings_hash != settings_hash:
        return "the settings of the tree have changed"
    if not reader.descends_from(mirror, commit, source.commit):
        return "the indexed commit is not one before the new one"
    return ""


def require_few(changed: int, documents: int) -> None:
    """Raises NeedsWhole when so many of the documents changed that a whole build is as quick."""
    if changed > MAX_CHANGED or changed * MAX_SHARE > documents:
        raise NeedsWhole(f"{changed:,} of {documents:,} documents have changed")


def _why_not_from(source: Source) -> str:
    """Why the stored tree is none to start from; "" when it is one."""
    if not source.commit or not source.refs_complete or source.whole_built_at is None:
        return "there is no whole tree to start from"
    if source.builder != BUILDER_VERSION:
        return "an older builder made the tree"
    if source.basis.get("truncated") or any(left["reason"] == "too-many" for left in source.left_out):
        return "the tree has left documents out"
    cut = any(source.broken[name] for name in ("truncated", "anchorsTruncated"))
    if cut or source.counts["leftOut"] > MAX_LEFT_OUT:
        return "the tree has more to mend than is kept"
    if source.incremental_builds >= MAX_INCREMENTAL:
        return f"{MAX_INCREMENTAL} incremental builds have followed the last whole one"
    if timezone.now() - source.whole_built_at >= MAX_AGE:
        return "the last whole build is a day old"
    return ""
