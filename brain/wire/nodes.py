"""What stands in many answers: node views, breadcrumbs, freshness, moments."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from brain.reads.answers import Crumb, Neighbour
from brain.store.protocol import Envelope
from brain.tree.canonical import node_view
from brain.tree.nodes import Changed, Node

type Json = dict[str, Any]


def view_json(node: Node) -> Json:
    """The node view that stands in every answer."""
    changed = {"changed": changed_json(node.changed)} if node.changed else {}
    return node_view(node) | changed


def changed_json(changed: Changed) -> Json:
    """A last change; its subject may be withheld."""
    return {"commit": changed.commit, "date": moment(changed.at), "subject": changed.subject}


def envelope_json(envelope: Envelope) -> Json:
    """The facts of freshness."""
    return {
        "projectId": envelope.project,
        "branch": envelope.branch,
        "commit": envelope.commit or None,
        "tipCommit": envelope.tip or None,
        "behind": envelope.behind,
        "builtAt": moment(envelope.built_at),
        "syncedAt": moment(envelope.synced_at),
        "state": envelope.state,
    }


def neighbour_json(neighbour: Neighbour) -> Json:
    """One end of a link."""
    return {"node": view_json(neighbour.node), "linkKind": neighbour.kind.value}


def crumb_json(crumb: Crumb) -> Json:
    """One step of a breadcrumb."""
    return {"id": crumb.id, "title": crumb.title}


def moment(at: datetime | None) -> str | None:
    """A moment in UTC, as RFC 3339 writes it."""
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z") if at else None


def way_json(way: tuple[Crumb, ...]) -> list[Json]:
    """A breadcrumb, root first."""
    return [crumb_json(crumb) for crumb in way]
