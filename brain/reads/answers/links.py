"""What leads where, and what nowhere: answers of backlinks, broken and problems."""

from __future__ import annotations

from dataclasses import dataclass

from brain.markdown.problems import Problem
from brain.reads.answers.places import following
from brain.store.protocol import Envelope
from brain.tree.nodes import BrokenAnchor, BrokenLink, LinkKind, Node
from brain.tree.scope import LeftOut


@dataclass(frozen=True, slots=True)
class Backlink:
    """A node of another page, and the page, heading or card of this one that it points at."""

    node: Node
    target: Node
    kind: LinkKind
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Backlinks:
    """A window of the links to a page, or to one heading or card of it."""

    envelope: Envelope
    items: tuple[Backlink, ...]
    total: int
    limit: int
    offset: int

    @property
    def next_offset(self) -> int | None:
        """Where the next window starts; None after the last."""
        return following(self.offset + len(self.items), self.total)


@dataclass(frozen=True, slots=True, kw_only=True)
class Broken:
    """Links to missing Markdown files, and links to headings that existing documents lack."""

    envelope: Envelope
    links: tuple[BrokenLink, ...]
    truncated: bool
    anchors: tuple[BrokenAnchor, ...]
    anchors_truncated: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Problems:
    """A window of what a writer can mend, and every file that a limit left out."""

    envelope: Envelope
    problems: tuple[Problem, ...]
    total: int
    limit: int
    offset: int
    left_out: tuple[LeftOut, ...]

    @property
    def next_offset(self) -> int | None:
        """Where the next window starts; None after the last."""
        return following(self.offset + len(self.problems), self.total)
