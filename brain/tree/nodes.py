"""The values a tree is made of: nodes, links, and what could not be linked."""

from __future__ import annotations

import hashlib
import uuid
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

ROOT = "/"


class Kind(StrEnum):
    """What a node is; folders and the root have no text of their own."""

    ROOT = "root"
    FOLDER = "folder"
    DOCUMENT = "document"
    SECTION = "section"
    CARD = "card"


class LinkKind(StrEnum):
    """A Markdown link, or the mention of a reference id."""

    LINK = "link"
    MENTION = "mention"


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines `start` to `end`, both included, counted from 1 as Git counts; none when `end` < `start`."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Changed:
    """The last commit that changed a document; `subject` is None where it must not be told."""

    commit: str
    at: datetime
    subject: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A place in the tree: what it is, what it says, where it stands."""

    id: str  # "/", "rules/", "rules/review.md" or "rules/review.md#scope", the path verbatim
    kind: Kind
    parent: str | None = None  # the id of the node above; None for the root
    path: str = ""  # of the document it stands in; a folder's own path with its slash; "" for the root
    title: str
    summary: str = ""  # at most 240 characters
    summary_source: str = ""
    lines: Lines | None = None  # its own text; None: a folder or the root
    subtree_end: int | None = None  # the last line of everything under it
    size: int = 0  # estimated tokens of its subtree: UTF-8 bytes / 4, rounded up
    level: int = 0  # of its heading, 1 to 6; 0: not made by a heading
    children: int = 0  # nodes directly under it
    reference_id: str | None = None
    labels: tuple[str, ...] = ()
    status: str = ""  # of its front matter, as written
    space: str = ""  # key of the space it belongs to, upper case
    order: int | None = None
    home: bool = False  # a home page: the README.md or index.md that opens `space`
    blob: str = ""  # object id of a document's text
    changed: Changed | None = None
    outgoing: int = 0  # links it makes, kept or not
    alias: str | None = None  # the GitHub slug of a card, the id or slug of a document's title heading
    anchors: tuple[tuple[str, int], ...] = ()  # of a document: anchors that are no node, with their lines
    named: tuple[str, ...] = ()  # of a document: anchors written as `<a id>`


@dataclass(frozen=True, slots=True)
class Link:
    """A reference that leads somewhere: from the deepest node that holds it, in order of position."""

    source: str  # node id
    target: str  # node id
    kind: LinkKind
    line: int  # of the file it stands in


@dataclass(frozen=True, slots=True)
class BrokenLink:
    """A link to a Markdown file that the commit does not have, as the document `source` writes it."""

    source: str
    target: str
    line: int


@dataclass(frozen=True, slots=True)
class BrokenAnchor:
    """A link to a heading that an existing document does not have, and the closest one it has."""

    source: str
    line: int
    target: str
    suggestion: str | None


def key_of(node_id: str) -> uuid.UUID:
    """The key of a node's row: the first 128 bits of the SHA-256 of its id."""
    return uuid.UUID(bytes=hashlib.sha256(node_id.encode()).digest()[:16])
