"""Where something stands: answers of status, tree, read and look-up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from brain.store.protocol import Envelope
from brain.tree.nodes import LinkKind, Node


@dataclass(frozen=True, slots=True)
class Crumb:
    """One step of a breadcrumb, root first, the node itself last."""

    id: str
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """The state of a Brain; the one read that answers in every state."""

    envelope: Envelope
    enabled: bool
    wiki: bool
    counts: dict[str, int]  # documents, folders, sections, cards, links, broken, leftOut, problems
    error: str
    attempted_commit: str
    branches: tuple[str, ...]  # those a Brain may follow
    progress: dict[str, Any] | None = None  # phase, done, total


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch:
    """A child with, at depth 2, its own first children."""

    node: Node
    children: tuple[Node, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """A node and a window of its children."""

    envelope: Envelope
    node: Node
    breadcrumb: tuple[Crumb, ...]
    children: tuple[Branch, ...]
    total: int
    limit: int
    offset: int
    depth: int = 1

    @property
    def next_offset(self) -> int | None:
        """Where the next window starts; None after the last."""
        return following(self.offset + len(self.children), self.total)


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """The lines that were read, pinned to a commit so that they can be checked later."""

    node_id: str
    path: str
    line_start: int
    line_end: int
    commit: str
    blob: str
    quote_hash: str  # SHA-256 of the bytes of these lines, hex

    def __str__(self) -> str:
        return f"{self.path}:{self.line_start}-{self.line_end}@{self.commit[:12]}"


@dataclass(frozen=True, slots=True)
class Neighbour:
    """The node at the other end of a link, the kind of link, and the line it stands on."""

    node: Node
    kind: LinkKind
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A node's text from one file, where it was cut, and what is around it."""

    envelope: Envelope
    node: Node
    breadcrumb: tuple[Crumb, ...]
    text: str
    citation: Citation | None  # None: a folder's listing is no text of a file
    truncated: bool
    next_line: int | None
    next_column: int | None  # code points of the line, from 1
    total_lines: int  # of the file
    children: tuple[Node, ...]
    outgoing: tuple[Neighbour, ...]  # at most 20
    incoming: tuple[Neighbour, ...]  # at most 20, to exactly this node
    outgoing_total: int
    incoming_total: int
    line_numbers: bool


@dataclass(frozen=True, slots=True)
class Match:
    """A node that a look-up found, and by what."""

    node: Node
    breadcrumb: tuple[Crumb, ...]
    matched_by: str  # nodeId, path, anchor, referenceId, fileName or title


@dataclass(frozen=True, slots=True, kw_only=True)
class Matches:
    """What a look-up found, best first, at most 20."""

    envelope: Envelope
    query: str
    matches: tuple[Match, ...]
    near: tuple[str, ...] = ()  # ids that come close, when nothing was found


def following(offset: int, total: int) -> int | None:
    """Where the window after one that ends at `offset` starts; None after the last."""
    return offset if offset < total else None
