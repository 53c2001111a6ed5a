"""Nodes as rows and rows as nodes: the one place where both are known."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from psycopg.types.json import Jsonb

from brain.tree.folders import sort_key
from brain.tree.names import names_of, text_key
from brain.tree.nodes import Changed, Kind, Lines, Node, key_of

# Column, its PostgreSQL type, and the node's value for it; the order in which COPY writes them.
NODE_COLUMNS: tuple[tuple[str, str], ...] = (
    ("source_id", "int8"),
    ("key", "uuid"),
    ("parent", "uuid"),
    ("document", "uuid"),
    ("kind", "varchar"),
    ("node_id", "text"),
    ("path", "text"),
    ("sort", "text"),
    ("title", "text"),
    ("summary", "varchar"),
    ("summary_source", "varchar"),
    ("line_start", "int4"),
    ("line_end", "int4"),
    ("subtree_end", "int4"),
    ("size", "int4"),
    ("level", "int2"),
    ("children", "int4"),
    ("name_key", "int8"),
    ("title_key", "int8"),
    ("reference_key", "int8"),
    ("number", "int8"),
    ("reference_id", "varchar"),
    ("labels", "varchar[]"),
    ("status", "text"),
    ("space", "varchar"),
    ("order", "int4"),
    ("blob", "varchar"),
    ("changed_commit", "varchar"),
    ("changed_at", "timestamptz"),
    ("changed_subject", "varchar"),
    ("outgoing_links", "int4"),
    ("home", "jsonb"),
)

_KINDS = {kind.value: kind for kind in Kind}

row_key = lru_cache(maxsize=4_096)(key_of)  # the rows of one document name each other again and again


def node_row(source_id: int, node: Node) -> tuple[Any, ...]:
    """The node's values in the order of NODE_COLUMNS."""
    lines, changed, names = node.lines, node.changed, names_of(node)
    return (
        source_id,
        row_key(node.id),
        row_key(node.parent) if node.parent is not None else None,
        row_key(node.path) if lines else None,
        node.kind.value,
        node.id,
        node.path,
        _sort(node),
        node.title,
        node.summary,
        node.summary_source,
        lines.start if lines else None,
        lines.end if lines else None,
        node.subtree_end,
        min(node.size, 2**31 - 1),
        node.level,
        node.children,
        text_key(names.stem) if names else None,
        text_key(node.title),
        text_key(node.reference_id) if node.reference_id else None,
        names.number if names else None,
        node.reference_id,
        list(node.labels),
        node.status,
        node.space,
        node.order,
        node.blob,
        changed.commit if changed else "",
        changed.at if changed else None,
        changed.subject if changed else None,
        node.outgoing,
        Jsonb(_home(node)),
    )


def node_from(row: Sequence[Any]) -> Node:
    """The node a row stands for, its values in the order of `fetching.COLUMNS`."""
    home = json.loads(row[22])
    return Node(
        id=row[0],
        kind=_KINDS[row[1]],
        parent=home.get("parent"),
        path=row[2],
        title=row[3],
        summary=row[4],
        summary_source=row[5],
        lines=None if row[6] is None or row[7] is None else Lines(row[6], row[7]),
        subtree_end=row[8],
        size=row[9],
        level=row[10],
        children=row[11],
        reference_id=row[12],
        labels=tuple(row[13]),
        status=row[14],
        space=row[15],
        order=row[16],
        home=home.get("home", False),
        blob=row[17],
        changed=Changed(row[18], row[19], row[20]) if row[18] and row[19] else None,
        outgoing=row[21],
        alias=home.get("alias"),
        anchors=tuple((name, line) for name, line in home.get("anchors", ())),
        named=tuple(home.get("named", ())),
    )


def _sort(node: Node) -> str:
    """Folders before documents, by name; sections and cards go by their lines."""
    name = node.path.rstrip("/").rpartition("/")[2]
    if node.kind is Kind.DOCUMENT:
        return sort_key(name)
    return f"0{name}" if node.kind is Kind.FOLDER else ""


def _home(node: Node) -> dict[str, Any]:
    """What the tree reads again, and what only some nodes have."""
    home: dict[str, Any] = {"parent": node.parent}
    if node.home:
        home["home"] = True
    if node.alias:
        home["alias"] = node.alias
    if node.anchors:
        home["anchors"] = [list(anchor) for anchor in node.anchors]
    if node.named:
        home["named"] = list(node.named)
    return home
