"""What a destination names, and what in a document a fragment means."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import unquote

from brain.markdown.documents import Document
from brain.tree.nodes import Node

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_LINE_FRAGMENT = re.compile(r"L\d+(?:C\d+)?(?:-L?\d+(?:C\d+)?)?\Z")


class Target(NamedTuple):
    """What a raw destination names: a path of the repository and a fragment, both as written in it."""

    path: str | None  # None: outside the repository; "" with a fragment only: this very document
    fragment: str
    written: str  # the destination without query and fragment, not decoded
    climbs: bool = False  # above the root of the repository


def target_of(raw: str, document: str, web: Sequence[str] = ()) -> Target:
    """Where a raw destination in this document points.

    `web` holds the prefixes of this very repository's blobs on its own host.
    """
    address, _, fragment = raw.partition("#")
    written = address.partition("?")[0]
    inside = next(
        (written[len(prefix) :] for prefix in web if written.lower().startswith(prefix.lower())), None
    )
    if inside is None and (_SCHEME.match(written) or written.startswith("//")):
        return Target(None, fragment, written)
    if inside is None and not written:
        return Target(document if fragment else None, fragment, written)
    path = unquote(written if inside is None else f"/{inside}")
    folder = [] if path.startswith("/") else document.split("/")[:-1]
    return _walk(folder, path, fragment, written)


def web_prefixes(web_address: str, branch: str) -> tuple[str, ...]:
    """How addresses of this branch's files begin on the host that `web_address` names."""
    base = web_address.rstrip("/")
    ways = ("blob", "tree", "-/blob", "-/tree", "src/branch")
    return tuple(f"{base}/{way}/{branch}/" for way in ways) if base and branch else ()


def is_line_fragment(fragment: str) -> bool:
    """Whether the fragment names lines or words, as a Git host's viewer and browsers do, and no heading."""
    return _LINE_FRAGMENT.match(fragment) is not None or ":~:" in fragment


def _walk(folder: list[str], path: str, fragment: str, written: str) -> Target:
    steps = path.removeprefix("/").split("/")
    at = list(folder)
    for step in steps:
        if step == "..":
            if not at:
                return Target(None, fragment, written, climbs=True)
            at.pop()
        elif step not in (".", ""):
            at.append(step)
        elif step == "" and step is not steps[-1]:
            at.append("")  # a doubled slash names nothing in Git
    joined = "/".join(at)
    is_folder = steps[-1] in ("", ".", "..")
    return Target(f"{joined}/" if is_folder and joined else joined or "/", fragment, written)


class Place(NamedTuple):
    """One node of a document, as a fragment can mean it."""

    id: str
    start: int  # its first line
    names: tuple[str, ...]  # its anchor and alias; none for the document itself


class Page:
    """A document as a target: its nodes by anchor and by line."""

    def __init__(
        self, places: Sequence[Place], reserved: Sequence[tuple[str, int]], named: Sequence[str]
    ) -> None:
        self._places = places
        self._starts = [place.start for place in places]
        self._reserved = dict(reserved)
        self._named = named
        self._exact: dict[str, str] = {}
        for place in places:
            for name in place.names:
                self._exact.setdefault(name, place.id)
        self._folded: dict[str, str] | None = None

    @classmethod
    def of_document(cls, document: Document) -> Page:
        """The page of a parsed document."""
        places = [
            Place(
                node_id(document.path, part.anchor),
                part.start,
                tuple(filter(None, (part.anchor, part.alias))),
            )
            for part in document.parts
        ]
        return cls(places, document.anchors, document.named)

    @classmethod
    def of_nodes(cls, nodes: Sequence[Node]) -> Page:
        """The page of a document's nodes, itself first."""
        places = [
            Place(node.id, node.lines.start, tuple(filter(None, (node.id.partition("#")[2], node.alias))))
            for node in nodes
            if node.lines
        ]
        return cls(places, nodes[0].anchors, nodes[0].named)

    def find(self, fragment: str) -> str | None:
        """The id of the node a fragment (percent-decoded) leads to; None when no anchor has its name."""
        name = self._name(fragment)
        if name is None:
            return None
        at = max(0, bisect_right(self._starts, self._reserved.get(name, 0)) - 1)
        return self._exact.get(name) or self._places[at].id

    def has(self, fragment: str) -> bool:
        """Whether a browser would find the fragment: a heading, or an anchor written as `<a id>`."""
        return self._name(fragment) is not None or fragment.removeprefix("user-content-") in self._named

    @property
    def meaning(self) -> tuple[object, ...]:
        """What any fragment leads to; equal pages answer every link alike."""
        return tuple((name, self.find(name)) for name in self.names), tuple(self._named)

    @property
    def names(self) -> list[str]:
        """Every anchor a link could mean, in order."""
        return [*self._exact, *self._reserved]

    def _name(self, fragment: str) -> str | None:
        for name in (fragment, fragment.removeprefix("user-content-")):
            if name in self._exact or name in self._reserved:
                return name
        if self._folded is None:
            self._folded = {}
            for name in self.names:
                self._folded.setdefault(name.lower(), name)
        return self._folded.get(fragment.removeprefix("user-content-").lower())


def node_id(path: str, anchor: str) -> str:
    """The id of a document's part."""
    return f"{path}#{anchor}" if anchor else path
