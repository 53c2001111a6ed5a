"""A document's contents: its sections and cards, nested as they stand in the tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from brain.tree.nodes import Node


@dataclass(frozen=True, slots=True)
class Entry:
    """A section or card, and those under it."""

    node: Node
    entries: tuple[Entry, ...] = ()

    @property
    def anchor(self) -> str:
        """Its anchor in the document."""
        return anchor_of(self.node)


def contents_of(outline: Sequence[Node], top: str) -> tuple[Entry, ...]:
    """What stands below the node `top`; `outline` holds a document's nodes in order."""
    below: dict[str | None, list[Node]] = {}
    for node in outline:
        below.setdefault(node.parent, []).append(node)
    return _entries(below, top)


def anchor_of(node: Node) -> str:
    """What its id adds to the path of its document; empty for the document itself."""
    return node.id[len(node.path) + 1 :]


def _entries(below: dict[str | None, list[Node]], parent: str) -> tuple[Entry, ...]:
    return tuple(Entry(node, _entries(below, node.id)) for node in below.get(parent, ()))
