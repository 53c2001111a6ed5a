"""Where things are shown: the portal's address of every node, line and room of one project."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import quote, urlencode

from django.urls import reverse

from brain.tree.nodes import ROOT, Kind, Node

SECTION_ID = re.compile(r"(?P<path>.*?\.md)#(?P<anchor>.+)", re.IGNORECASE | re.DOTALL)
FOLDERS = frozenset({Kind.ROOT, Kind.FOLDER})


@dataclass(frozen=True, slots=True)
class Addresses:
    """The addresses of one project."""

    slug: str

    def of(self, node: Node) -> str:
        """Where a node is read: a folder in the tree, a section or card at its place in the document."""
        if node.kind in FOLDERS:
            return self.tree(node.id)
        anchor = node.id[len(node.path) + 1 :] if node.kind in (Kind.SECTION, Kind.CARD) else ""
        return self.read(node.path) + fragment(anchor)

    def of_id(self, node_id: str) -> str:
        """The same for a node of which only the id is known."""
        if is_folder(node_id):
            return self.tree(node_id)
        section = SECTION_ID.fullmatch(node_id)
        return self.read(section["path"]) + fragment(section["anchor"]) if section else self.read(node_id)

    def tree(self, node_id: str = ROOT, **parameters: object) -> str:
        """The level of a node."""
        return self._at("tree", {"node": node_id} if node_id != ROOT else {}, parameters)

    def read(self, node_id: str, **parameters: object) -> str:
        """The text of a node, rendered."""
        return self._at("read", {"node": node_id}, parameters)

    def written(self, node_id: str, **parameters: object) -> str:
        """The text of a node as written; `#L12` is its line 12."""
        return self.read(node_id, view="written", **parameters)

    def broken(self) -> str:
        """What nobody could follow."""
        return self._at("broken", {}, {})

    def _at(self, name: str, node: dict[str, str], parameters: dict[str, object]) -> str:
        query = node | {key: value for key, value in parameters.items() if value not in (None, "")}
        written = urlencode(query, safe="/", quote_via=quote)
        return reverse(name, args=[self.slug]) + (f"?{written}" if written else "")


def is_folder(node_id: str) -> bool:
    """Whether this is the id of a folder or the root."""
    return node_id.endswith("/")


def fragment(anchor: str) -> str:
    """The place of an anchor on a rendered page."""
    return f"#h-{quote(anchor)}" if anchor else ""
