"""What is never indexed, and what a project narrows further."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple, Protocol

from pathspec import GitIgnoreSpec

MAX_DOCUMENTS = 20_000
MAX_DOCUMENT_BYTES = 2 * 1024 * 1024

SUFFIX = ".md"
_NOT_AT_ROOT = frozenset({"plugins", "scratch", "identifiers"})


def is_markdown(path: str) -> bool:
    """Whether the path names a Markdown file."""
    return path[-3:].lower() == SUFFIX


@lru_cache(maxsize=65_536)
def _is_restricted(folder: str) -> bool:
    """Compatibility forms and case are folded on the side that denies: full-width letters hide nothing."""
    return unicodedata.normalize("NFKC", folder).casefold() == "restricted"


@lru_cache(maxsize=65_536)
def never_indexed(folder: str) -> bool:
    """Whether everything below this folder (a path without a slash at its end) stays out of every index."""
    segments = folder.split("/")
    return segments[0] in _NOT_AT_ROOT or any(
        segment.startswith(".") or _is_restricted(segment) for segment in segments if segment
    )


class Scope:
    """The paths one project indexes; its globs, written as in .gitignore, can only narrow the rules."""

    def __init__(self, include: Sequence[str] = (), exclude: Sequence[str] = ()) -> None:
        self._include = GitIgnoreSpec.from_lines(include) if any(line.strip() for line in include) else None
        self._exclude = GitIgnoreSpec.from_lines(exclude) if any(line.strip() for line in exclude) else None

    def hides(self, path: str) -> bool:
        """Whether a rule keeps this path out, whatever is there: such a path is never told to exist."""
        folder = path.rpartition("/")[0]
        if folder and never_indexed(folder):
            return True
        return bool(self._exclude and self._exclude.match_file(path))

    def covers(self, path: str) -> bool:
        """Whether a regular file at this path is a document of the index."""
        if not is_markdown(path) or self.hides(path):
            return False
        return self._include is None or self._include.match_file(path)


class Candidate(Protocol):
    """A regular file that may become a document."""

    @property
    def path(self) -> str: ...
    @property
    def size(self) -> int: ...


class LeftOut(NamedTuple):
    """A Markdown file that a limit keeps out of the index."""

    path: str
    reason: str  # too-large, too-many or bad-path


def choose[C: Candidate](files: Iterable[C], scope: Scope) -> tuple[list[C], list[LeftOut]]:
    """Of a commit's files, in path order, those to index; and those that a limit leaves out.

    What rules and globs keep out is not listed.
    """
    chosen: list[C] = []
    left_out = []
    for file in files:
        if not scope.covers(file.path):
            continue
        if file.size > MAX_DOCUMENT_BYTES:
            left_out.append(LeftOut(file.path, "too-large"))
        elif len(chosen) >= MAX_DOCUMENTS:
            left_out.append(LeftOut(file.path, "too-many"))
        else:
            chosen.append(file)
    return chosen, left_out
