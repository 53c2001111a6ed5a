"""What became of a text: answers of changes and resolve."""

from __future__ import annotations

from dataclasses import dataclass

from brain.store.protocol import Envelope
from brain.tree.nodes import Kind


@dataclass(frozen=True, slots=True)
class ChangedNode:
    """A section or card whose own lines changed."""

    id: str
    title: str
    kind: Kind
    status: str  # added, modified or deleted


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedDocument:
    """A document that changed between two commits."""

    status: str  # added, modified, deleted or renamed
    path: str
    old_path: str | None = None  # of a renamed one
    lines_added: int | None  # None: not known, as the three below
    lines_removed: int | None
    lines_known: bool  # False: the mirror lacks the older text
    nodes: tuple[ChangedNode, ...] = ()  # at most 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """The answer of changes: at most 100 documents, by path."""

    envelope: Envelope
    since: str  # the whole commit id
    documents: tuple[ChangedDocument, ...]
    truncated: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolution:
    """What became of one citation; without lines when the text is gone or cannot be told."""

    status: str  # unchanged, moved, edited, split, deleted, ambiguous or unknownCommit
    path: str | None
    line_start: int | None
    line_end: int | None
    node_id: str | None  # the deepest node that holds the first line
    diff: str | None = None  # from the cited lines to today's, of edited and split ones


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolutions:
    """The answer of resolve, in the order of the question."""

    envelope: Envelope
    results: tuple[Resolution, ...]
