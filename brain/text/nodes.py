"""What stands in many answers, in words."""

from __future__ import annotations

from collections.abc import Iterable

from brain.reads.answers import Crumb
from brain.store.protocol import Envelope
from brain.tree.nodes import Node


def freshness(envelope: Envelope) -> str:
    """One line: what is read, and how far behind it is."""
    if not envelope.commit:
        return f"{envelope.branch or envelope.project}: {envelope.state}"
    behind = {None: "", 0: ", up to date"}.get(envelope.behind, f", {envelope.behind} behind")
    return f"{envelope.branch} at {envelope.commit[:12]}{behind}".strip()


def head(breadcrumb: Iterable[Crumb], envelope: Envelope) -> str:
    """The way to a node, and how fresh it is."""
    return f"{' › '.join(crumb.title for crumb in breadcrumb)} ({freshness(envelope)})"


def node_line(node: Node) -> str:
    """A node in one line."""
    size = f"~{node.size:,} tokens"
    below = f", {node.children} below" if node.children else ""
    summary = f": {node.summary}" if node.summary else ""
    return f"{node.id}  {node.title} ({size}{below}){summary}"


def counted(name: str) -> str:
    """What a count counts, in words."""
    return {"brokenAnchors": "broken anchors", "leftOut": "left out", "broken": "broken links"}.get(
        name, name
    )
