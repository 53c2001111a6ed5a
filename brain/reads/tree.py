"""A node and one level of what it holds."""

from __future__ import annotations

from collections.abc import Sequence

from brain.reads.answers import Branch, Level
from brain.reads.nodes import breadcrumb_of, node_of
from brain.store import Store
from brain.tree.forks import best_first
from brain.tree.nodes import ROOT, Node

GRANDCHILDREN = 20  # that depth 2 shows under each child


def read_tree(
    store: Store, node_id: str = ROOT, *, offset: int = 0, limit: int = 50, depth: int = 1, match: str = ""
) -> Level:
    """The node, the way to it, and a window of its children; at depth 2 with their first children.

    With words to `match` the level is ordered by how well title, name and summary meet them, best first.
    Raises BrainOff, NotBuilt, and NodeNotFound for an id the indexed commit does not have.
    """
    node = node_of(store, node_id)
    if match:
        children = _best_children(store, node, match, offset, limit)
    else:
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


def _best_children(store: Store, node: Node, match: str, offset: int, limit: int) -> Sequence[Node]:
    """A window of the level ordered by what its nodes show; only those of the window are read whole."""
    level = store.signs(node.id)
    order = best_first(match, [sign for _, sign in level])
    window = [level[place][0] for place in order[offset : offset + limit]]
    nodes = store.nodes(window)
    return [nodes[node_id] for node_id in window]
