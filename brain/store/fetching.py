"""Nodes by what is known of them, in statements written by hand: reads spend most of their time here."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from brain.store.rows import node_from
from brain.tree.nodes import Node
from repositories.statements import ask

# In the order in which `rows.node_from` takes them.
COLUMNS = (
    "node_id, kind, path, title, summary, summary_source, line_start, line_end, subtree_end, size, level,"
    ' children, reference_id, labels, status, space, "order", blob, changed_commit, changed_at,'
    " changed_subject, outgoing_links, home::text"
)
_SELECT = f"SELECT {COLUMNS} FROM brain_node WHERE source_id = %(source)s AND "  # noqa: S608
_KEYED = f"SELECT {COLUMNS}, key FROM brain_node WHERE source_id = %(source)s AND key = ANY(%(keys)s)"  # noqa: S608


def nodes_where(source_id: int, where: str, /, **values: Any) -> list[Node]:
    """The nodes for which the condition holds; `where` is SQL of this package, its values named in it."""
    return [node_from(row) for row in ask(_SELECT + where, values | {"source": source_id})]


def nodes_by_key(source_id: int, keys: Sequence[uuid.UUID]) -> Mapping[uuid.UUID, Node]:
    """The nodes of these keys, by key."""
    if not keys:
        return {}
    return {row[-1]: node_from(row) for row in ask(_KEYED, {"source": source_id, "keys": list(keys)})}
