"""What holds these words: answers of grep and search."""

from __future__ import annotations

from dataclasses import dataclass

from brain.reads.answers.places import Crumb, following
from brain.store.protocol import Envelope
from brain.tree.nodes import Node


@dataclass(frozen=True, slots=True, kw_only=True)
class LineHit:
    """A line that holds every word, in the deepest node that holds the line."""

    node: Node
    line: int
    text: str  # of the line, at most 500 characters around the first word
    breadcrumb: tuple[Crumb, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lines:
    """The answer of grep: hits by path and line, at most 50."""

    envelope: Envelope
    text: str
    matches: tuple[LineHit, ...]
    truncated: bool  # there are more, or the time was up
    total: int | None = None  # of all hits, when they were counted
    space: str | None = None  # as used, upper case
    label: str | None = None  # as used, as stored


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """A node that meets the words, and the line that shows it."""

    node: Node
    breadcrumb: tuple[Crumb, ...]
    score: float
    line: int | None  # of the file; None: a folder, whose summary meets them
    highlight: str  # of that line, the words between ** and **


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """The answer of search: a window of the nodes, best first."""

    envelope: Envelope
    query: str
    results: tuple[Result, ...]
    total: int
    limit: int
    offset: int
    mode: str  # text, or substring when no word is known

    @property
    def next_offset(self) -> int | None:
        """Where the next window starts; None after the last."""
        return following(self.offset + len(self.results), self.total)
