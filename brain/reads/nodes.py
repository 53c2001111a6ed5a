"""What several reads share: finding a node or refusing, and the way that leads to it."""

from __future__ import annotations

from brain.errors import NodeNotFound
from brain.reads.answers import Crumb
from brain.store import Store
from brain.tree.nodes import Node


def node_of(store: Store, node_id: str) -> Node:
    """The node of this id. Raises NodeNotFound, and what `require_tree` raises."""
    store.require_tree()
    node = store.node(node_id)
    if node is None:
        raise NodeNotFound("The indexed commit has no such node. Look it up, or start at the root: /")
    return node


def breadcrumb_of(store: Store, node: Node) -> tuple[Crumb, ...]:
    """The way from the root to the node, the node last."""
    return tuple(Crumb(step.id, step.title) for step in (*store.ancestors(node), node))
