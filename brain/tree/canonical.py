"""Nodes and links in their one canonical form: what `brain dump` prints and the tree hash is made of."""

from __future__ import annotations

from typing import Any

from brain.markdown.problems import Problem
from brain.tree.nodes import BrokenAnchor, BrokenLink, Kind, Link, Node


def node_view(node: Node) -> dict[str, Any]:
    """The node as every answer shows it, in the names of the wire."""
    view: dict[str, Any] = {
        "id": node.id,
        "kind": node.kind.value,
        "title": node.title,
        "summary": node.summary,
        "summarySource": node.summary_source,
        "lineStart": node.lines.start if node.lines else None,
        "lineEnd": node.lines.end if node.lines else None,
        "subtreeEnd": node.subtree_end,
        "size": node.size,
        "hasChildren": node.children > 0,
        "childCount": node.children,
        "outgoing": node.outgoing,
    }
    told = {
        "referenceId": node.reference_id,
        "labels": list(node.labels),
        "space": node.space,
        "order": node.order,
        "status": node.status,
    }
    return view | {key: value for key, value in told.items() if value not in (None, "", [])}


def node_line(node: Node) -> dict[str, Any]:
    """One node of the dump: its view, and what finds it besides its id."""
    own = node.id.partition("#")[2] if node.kind in (Kind.SECTION, Kind.CARD) else ""
    anchors = [own] if own else []
    return {
        "type": "node",
        **node_view(node),
        "parent": node.parent,
        "alias": node.alias,
        "anchors": [*anchors, *(name for name, _ in node.anchors)],
    }


def link_line(link: Link) -> dict[str, Any]:
    """One link of the dump."""
    return {"type": "link", "from": link.source, "to": link.target, "kind": link.kind.value}


def broken_line(broken: BrokenLink | BrokenAnchor) -> dict[str, Any]:
    """One broken link or anchor of the dump."""
    if isinstance(broken, BrokenLink):
        return {"type": "broken", "from": broken.source, "target": broken.target}
    where = {"type": "brokenAnchor", "from": broken.source, "line": broken.line}
    return where | {"target": broken.target, "suggestion": broken.suggestion}


def problem_line(problem: Problem) -> dict[str, Any]:
    """One problem of the dump."""
    return {"type": "problem", **problem._asdict()}
