"""What several reads share: finding a node or refusing, and the way that leads to it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from brain.errors import NodeNotFound
from brain.reads.answers import Crumb
from brain.reads.nearness import near
from brain.store import Store
from brain.tree.nodes import Node


def node_of(store: Store, node_id: str) -> Node:
    """The node of this id. Raises NodeNotFound, and what `require_tree` raises."""
    store.require_tree()
    node = store.node(node_id)
    if node is None:
        message = "The indexed commit has no such node. Look it up, or start at the root: /"
        raise NodeNotFound(message, near=near(store, node_id))
    return node


def breadcrumb_of(store: Store, node: Node) -> tuple[Crumb, ...]:
    """The way from the root to the node, the node last."""
    return tuple(Crumb(step.id, step.title) for step in (*store.ancestors(node), node))


def breadcrumbs_of(store: Store, nodes: Iterable[Node]) -> Mapping[str, tuple[Crumb, ...]]:
    """The breadcrumb of each of these nodes by its id, asked at once."""
    asked = {node.id: node for node in nodes}
    ways = store.ways(asked.values())
    return {
        node.id: tuple(Crumb(step.id, step.title) for step in (*ways[node.id], node))
        for node in asked.values()
    }
