"""The pages that link to a page, or to one heading or card of it."""

from __future__ import annotations

from brain.errors import InvalidArgument
from brain.reads.answers import Backlink, Backlinks
from brain.reads.nodes import node_of
from brain.store import Store


def read_backlinks(store: Store, node_id: str, *, offset: int = 0, limit: int = 20) -> Backlinks:
    """A window of the links from other pages, by path and line of where they stand.

    For a document those to its headings and cards count too.
    Raises BrainOff, NotBuilt, NodeNotFound, and InvalidArgument for a folder or the root.
    """
    node = node_of(store, node_id)
    if node.lines is None:
        raise InvalidArgument(
            "node", "Backlinks are those of a document, a section or a card, not of a folder."
        )
    ends, total = store.incoming(node.id, offset, limit, page=True)
    return Backlinks(
        envelope=store.envelope,
        items=tuple(Backlink(end.source, end.target, end.kind, end.line) for end in ends),
        total=total,
        limit=limit,
        offset=offset,
    )
