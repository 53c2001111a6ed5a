"""Nodes as rows and rows as nodes: the one place where both are known."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from psycopg.types.json import Jsonb

from brain.markdown.documents import Document
from brain.markdown.problems import Problem
from brain.tree.folders import sort_key
from brain.tree.names import names_of, text_key
from brain.tree.nodes import Changed, Kind, Lines, Link, Node, key_of

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
    ("digest", "bytea"),
)
LINK_COLUMNS = (
    ("source_id", "int8"),
    ("from_node", "uuid"),
    ("position", "int4"),
    ("to_node", "uuid"),
    ("kind", "varchar"),
    ("line", "int4"),
)
REF_COLUMNS = (
    ("source_id", "int8"),
    ("document", "uuid"),
    ("position", "int4"),
    ("anchor", "text"),
    ("kind", "varchar"),
    ("target", "text"),
    ("line", "int4"),
    ("goal", "uuid"),
)
PROBLEM_COLUMNS = (
    ("source_id", "int8"),
    ("path", "text"),
    ("line", "int4"),
    ("code", "varchar"),
    ("severity", "varchar"),
    ("message", "varchar"),
)

MAX_MESSAGE = 500  # characters of a problem's

type Row = tuple[Any, ...]

_KINDS = {kind.value: kind for kind in Kind}

row_key = lru_cache(maxsize=4_096)(key_of)  # the rows of one document name each other again and again


def node_row(source_id: int, node: Node, digest: bytes | None) -> Row:
    """The node's values in the order of NODE_COLUMNS; of a folder or document with its digest."""
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
        digest,
    )


def link_rows(source_id: int, links: Iterable[Link]) -> Iterator[Row]:
    """The links' values in the order of LINK_COLUMNS; each node's are numbered from 0."""
    positions: dict[str, int] = {}
    for link in links:
        position = positions.get(link.source, 0)
        positions[link.source] = position + 1
        yield source_id, row_key(link.source), position, row_key(link.target), link.kind.value, link.line


def ref_rows(source_id: int, document: Document, goals: Iterable[str]) -> Iterator[Row]:
    """The values of a document's references in the order of REF_COLUMNS; `goals` are theirs."""
    key = row_key(document.path)
    for position, (reference, goal) in enumerate(zip(document.references, goals, strict=True)):
        yield source_id, key, position, *reference, row_key(goal) if goal else None


def problem_row(source_id: int, problem: Problem) -> Row:
    """The problem's values in the order of PROBLEM_COLUMNS."""
    return (
        source_id,
        problem.path,
        problem.line,
        problem.code,
        problem.severity,
        problem.message[:MAX_MESSAGE],
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
