"""When the files of a commit last changed: `git log`, because a walk in pygit2 takes six times as long."""

from __future__ import annotations

import functools
import secrets
from typing import TYPE_CHECKING

from repositories import git
from repositories.cleaning import clean_line
from repositories.processes import Limits, OutputTooLarge, ProcessTimeout
from repositories.reader import history
from repositories.reader.history import History, HistoryLimits, LastChange, Touches
from repositories.reader.opening import commit_in, open_mirror, require_commit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pygit2 import Odb

MESSAGE_LIMIT = 1 << 20  # bytes of a commit that is still read for its subject
LINE_LIMIT = 4_096  # bytes of a first line that are decoded
WALK = HistoryLimits()
LOOK_UP = Limits(seconds=5, output=64 << 20)

_LOG = (
    "log",
    "-z",
    "--no-renames",
    "--no-merges",
    "--no-ext-diff",
    "--no-textconv",
    "--ignore-submodules=none",
)


def last_changes(mirror: Path, commit: str, *, limits: HistoryLimits = WALK) -> History:
    """The last change of every Markdown file in the newest commits; in fewer when those are too much."""
    odb = open_mirror(mirror).odb
    require_commit(odb, commit)
    allowed = Limits(seconds=limits.seconds, output=limits.output)
    for count in (limits.commits, limits.fewer):
        try:
            found = _touches(mirror, f"-n{count}", commit, limits=allowed)
        except (ProcessTimeout, OutputTooLarge):
            continue
        return History(changes=_told(odb, found), walked=found.walked, complete=found.walked < count)
    return _unread()


def changes_since(mirror: Path, stored: str, commit: str, *, limits: HistoryLimits = WALK) -> History:
    """The last change of every Markdown file in the commits that `commit` has and `stored` has not.

    Not complete when there are more of them than the limit; with a problem, nothing was read.
    """
    odb = open_mirror(mirror).odb
    require_commit(odb, stored)
    require_commit(odb, commit)
    allowed = Limits(seconds=limits.seconds, output=limits.output)
    try:
        found = _touches(mirror, f"-n{limits.commits + 1}", f"{stored}..{commit}", limits=allowed)
    except (ProcessTimeout, OutputTooLarge):
        return _unread()
    return History(changes=_told(odb, found), walked=found.walked, complete=found.walked <= limits.commits)


def last_change_of(mirror: Path, commit: str, path: str) -> LastChange | None:
    """The last change of one path, however old; None when there is none or 5 s do not find it."""
    odb = open_mirror(mirror).odb
    require_commit(odb, commit)
    marker = _marker()
    # Not what lay below a folder of this name, before the file took its place.
    pathspecs = (f":(literal){path}", f":(exclude,literal){path}/")
    try:
        chunks = _log(mirror, marker, "--full-history", commit, "--", *pathspecs, limits=LOOK_UP)
        key = max(history.commits_in(chunks, marker), default=None)
        return _change(odb, key, withheld=_touches_restricted(mirror, key[1].decode())) if key else None
    except (ProcessTimeout, OutputTooLarge):
        return None


def _unread() -> History:
    return History(changes={}, walked=0, complete=False, problem="The history is too large to read.")


def _touches(mirror: Path, *arguments: str, limits: Limits) -> Touches:
    marker = _marker()
    return history.touches_in(_log(mirror, marker, "--name-only", *arguments, "--", limits=limits), marker)


@functools.lru_cache(maxsize=1_024)
def _touches_restricted(mirror: Path, commit: str) -> bool:
    return bool(_touches(mirror, "-n1", commit, limits=LOOK_UP).restricted)


def _log(mirror: Path, marker: str, *arguments: str, limits: Limits) -> Iterator[bytes]:
    return git.stream(mirror, *_LOG, history.log_format(marker), *arguments, limits=limits)


def _marker() -> str:
    # A writer of the repository chooses the paths; what makes a token a commit must not be guessable.
    return f"{secrets.token_hex(16)} "


def _told(odb: Odb, found: Touches) -> dict[str, LastChange]:
    by_commit: dict[bytes, LastChange] = {}
    changes: dict[str, LastChange] = {}
    for path, key in found.newest.items():
        commit = key[1]
        if commit not in by_commit:
            by_commit[commit] = _change(odb, key, withheld=commit in found.restricted)
        try:
            changes[path.decode()] = by_commit[commit]
        except UnicodeDecodeError:
            continue  # no document has such a path
    return changes


def _change(odb: Odb, key: tuple[int, bytes], *, withheld: bool) -> LastChange:
    seconds, commit = key[0], key[1].decode()
    subject = None if withheld else _subject(odb, commit)
    return LastChange(commit, history.moment(seconds), subject)


def _subject(odb: Odb, commit: str) -> str:
    if odb.read_header(commit)[1] > MESSAGE_LIMIT:
        return ""
    found = commit_in(odb, commit)
    message = found.message.lstrip(b"\n").split(b"\n", 1)[0][:LINE_LIMIT]
    try:
        text = message.decode(found.encoding, errors="replace")
    except (LookupError, ValueError):  # no such encoding, or one that is none for text
        text = message.decode(errors="replace")
    return clean_line(text, history.SUBJECT_LIMIT)
