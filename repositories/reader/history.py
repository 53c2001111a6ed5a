"""From what `git log -z` prints to the last change of every Markdown file; no Git, no clock."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SUBJECT_LIMIT = 240  # code points
LAST_SECOND = 253_402_300_799  # 9999-12-31T23:59:59Z, the last that a datetime can hold
RESTRICTED = "restricted"


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryLimits:
    """How much of a history is read."""

    commits: int = 10_000  # the newest, merges left out
    fewer: int = 1_000  # when those are too large to read
    seconds: float = 20
    output: int = 256 << 20  # bytes that git may print


@dataclass(frozen=True, slots=True)
class LastChange:
    """The commit that changed a file last; `subject` is None where it must not be told."""

    commit: str
    at: datetime  # the committer date in UTC, within 1970 to 9999
    subject: str | None  # the first line of the message, at most 240 characters


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """The last changes that were found, by path."""

    changes: dict[str, LastChange]
    walked: int  # commits that were read
    complete: bool  # no older commit was left out
    problem: str | None = None  # why nothing could be read


@dataclass(slots=True)
class Touches:
    """The newest commit that touches each path, and which of the commits also touch restricted paths."""

    newest: dict[bytes, tuple[int, bytes]] = field(default_factory=dict)  # (seconds, commit id)
    restricted: set[bytes] = field(default_factory=set)
    walked: int = 0


def log_format(marker: str) -> str:
    """The `--format` whose output `touches_in` reads; no path may begin with the marker."""
    return f"--format=tformat:{marker}%H %ct"


def touches_in(chunks: Iterable[bytes], marker: str) -> Touches:
    """Read `git log -z --name-only` in `log_format`.

    Each commit is one token, marker first; each path follows as a token of its own, the first one behind a
    line feed. Tokens end with NUL, so a path may hold new lines, quotes and odd bytes.
    The later committer date wins a path, then the greater commit id.
    """
    found = Touches()
    head, key, first = marker.encode(), (0, b""), False
    newest = found.newest
    for token in _tokens(chunks):
        if token.startswith(head):
            key, first = _key(token[len(head) :]), True
            found.walked += 1
            continue
        path, first = (token[1:] if first else token), False
        if path[-3:].lower() == b".md" and newest.get(path, (-1, b"")) < key:
            newest[path] = key
        if (not path.isascii() or b"restricted" in path.lower()) and is_restricted(path):
            found.restricted.add(key[1])
    return found


def commits_in(chunks: Iterable[bytes], marker: str) -> Iterator[tuple[int, bytes]]:
    """(committer date in seconds, commit id) of each commit in `log_format`; the greatest is the last."""
    head = marker.encode()
    return (_key(token[len(head) :]) for token in _tokens(chunks) if token.startswith(head))


def is_restricted(path: bytes) -> bool:
    """Whether a segment of the path reads `restricted` in any case or compatible spelling (ſ, full width)."""
    text = unicodedata.normalize("NFKC", path.decode(errors="replace")).casefold()
    return RESTRICTED in text.split("/")


def moment(seconds: int) -> datetime:
    """A committer date as Git counts it, clamped to what a calendar can say: 1970 to 9999."""
    return datetime.fromtimestamp(min(max(seconds, 0), LAST_SECOND), UTC)


def _tokens(chunks: Iterable[bytes]) -> Iterator[bytes]:
    rest = b""
    for chunk in chunks:
        tokens = (rest + chunk).split(b"\0")
        rest = tokens.pop()
        yield from tokens


def _key(said: bytes) -> tuple[int, bytes]:
    commit, _, seconds = said.partition(b" ")
    # Clamped before it is compared: what is stored is the clamped date, and both must give one order.
    return min(max(int(seconds or 0), 0), LAST_SECOND), commit
