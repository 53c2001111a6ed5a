"""Where many nodes stand, asked at once: the ways to them, and the nodes that hold given lines."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from brain import models
from brain.store.fetching import nodes_by_key
from brain.store.protocol import Place
from brain.tree.nodes import Node, key_of
from repositories.statements import ask

_ABOVE = """
    WITH RECURSIVE above(key, parent) AS (
        SELECT key, parent FROM brain_node WHERE source_id = %(source)s AND key = ANY(%(keys)s)
        UNION
        SELECT node.key, node.parent FROM above
        JOIN brain_node node ON node.source_id = %(source)s AND node.key = above.parent
    )
    SELECT key FROM above
"""
_HOLDING = """
    SELECT place.ordinality, holding.key
    FROM unnest(%(documents)s::uuid[], %(lines)s::int[]) WITH ORDINALITY AS place(document, line, ordinality)
    CROSS JOIN LATERAL (
        SELECT node.key FROM brain_node node
        WHERE node.source_id = %(source)s AND node.document = place.document AND node.line_start <= place.line
        ORDER BY node.line_start DESC, node.level DESC LIMIT 1
    ) holding
"""


def ways(source: models.Source, nodes: Iterable[Node]) -> dict[str, Sequence[Node]]:
    """The nodes above each of these, the root first, by the id of each."""
    asked = list(nodes)
    if not asked:
        return {}
    rows = ask(_ABOVE, {"source": source.pk, "keys": [key_of(node.id) for node in asked]})
    keys = [row[0] for row in rows]
    return ways_in({node.id: node for node in nodes_by_key(source.pk, keys).values()}, asked)


def ways_in(known: Mapping[str, Node], nodes: Iterable[Node]) -> dict[str, Sequence[Node]]:
    """The same, where every node above is known."""
    found: dict[str, Sequence[Node]] = {}
    for node in nodes:
        above: list[Node] = []
        parent = node.parent
        while parent is not None and parent in known:
            above.append(known[parent])
            parent = known[parent].parent
        found[node.id] = above[::-1]
    return found


def holding(source: models.Source, places: Iterable[Place]) -> dict[Place, Node]:
    """The deepest node whose own lines hold each of these lines."""
    asked = list(dict.fromkeys(places))
    values: dict[str, Any] = {
        "source": source.pk,
        "documents": [key_of(path) for path, _ in asked],
        "lines": [line for _, line in asked],
    }
    keys: dict[int, uuid.UUID] = dict(ask(_HOLDING, values))
    nodes = nodes_by_key(source.pk, list(set(keys.values())))
    return {asked[place - 1]: nodes[key] for place, key in keys.items()}
