"""A node and one level of what it holds."""

from __future__ import annotations

from brain.reads.answers import Branch, Level
from brain.reads.nodes import breadcrumb_of, node_of
from brain.store import Store
from brain.tree.nodes import ROOT

GRANDCHILDREN = 20  # that depth 2 shows under each child


def read_tree(
    store: Store, node_id: str = ROOT, *, offset: int = 0, limit: int = 50, depth: int = 1
) -> Level:
    """The node, the way to it, and a window of its children; at depth 2 with their first children.

    Raises BrainOff, NotBuilt, and NodeNotFound for an id the indexed commit does not have.
    """
    node = node_of(store, node_id)
    children = store.children(node.id, offset, limit)
    below = store.first_children((child.id for child in children), GRANDCHILDREN) if depth > 1 else {}
    return Level(
        envelope=store.envelope,
        node=node,
        breadcrumb=breadcrumb_of(store, node),
        children=tuple(Branch(node=child, children=tuple(below.get(child.id, ()))) for child in children),
        total=node.children,
        limit=limit,
        offset=offset,
        depth=depth,
    )
