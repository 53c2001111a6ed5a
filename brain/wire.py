"""The JSON of every answer, in camelCase once, for API, MCP and command line alike."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from brain.reads.answers import (
    Backlinks,
    Broken,
    Citation,
    Crumb,
    Level,
    Matches,
    Neighbour,
    Problems,
    Reading,
    Status,
)
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


def status_json(status: Status) -> Json:
    """The answer of `status`."""
    progress = {"progress": status.progress} if status.progress else {}
    return {
        **envelope_json(status.envelope),
        "enabled": status.enabled,
        "wiki": status.wiki,
        "counts": status.counts,
        "error": status.error or None,
        "attemptedCommit": status.attempted_commit or None,
        "branches": list(status.branches),
        **progress,
    }


def level_json(level: Level) -> Json:
    """The answer of `tree`."""
    children = []
    for branch in level.children:
        below = {"children": [view_json(node) for node in branch.children]} if level.depth > 1 else {}
        children.append(view_json(branch.node) | below)
    return {
        **envelope_json(level.envelope),
        "node": view_json(level.node),
        "breadcrumb": [crumb_json(crumb) for crumb in level.breadcrumb],
        "children": children,
        "total": level.total,
        "limit": level.limit,
        "offset": level.offset,
        "nextOffset": level.next_offset,
    }


def reading_json(reading: Reading) -> Json:
    """The answer of `read`."""
    column = {"nextColumn": reading.next_column} if reading.next_column else {}
    return {
        **envelope_json(reading.envelope),
        "node": view_json(reading.node),
        "breadcrumb": [crumb_json(crumb) for crumb in reading.breadcrumb],
        "text": reading.text,
        "citation": citation_json(reading.citation) if reading.citation else None,
        "truncated": reading.truncated,
        "nextLine": reading.next_line,
        **column,
        "totalLines": reading.total_lines,
        "children": [view_json(node) for node in reading.children],
        "links": {
            "outgoing": [neighbour_json(neighbour) for neighbour in reading.outgoing],
            "incoming": [neighbour_json(neighbour) for neighbour in reading.incoming],
            "outgoingTotal": reading.outgoing_total,
            "incomingTotal": reading.incoming_total,
        },
        "lineNumbers": reading.line_numbers,
    }


def citation_json(citation: Citation) -> Json:
    """A citation that can be checked later."""
    return {
        "nodeId": citation.node_id,
        "path": citation.path,
        "lineStart": citation.line_start,
        "lineEnd": citation.line_end,
        "commit": citation.commit or None,
        "blob": citation.blob,
        "quoteHash": citation.quote_hash,
    }


def matches_json(matches: Matches) -> Json:
    """The answer of `lookup`."""
    found = [
        view_json(match.node)
        | {"breadcrumb": [crumb_json(crumb) for crumb in match.breadcrumb], "matchedBy": match.matched_by}
        for match in matches.matches
    ]
    return {**envelope_json(matches.envelope), "query": matches.query, "matches": found}


def backlinks_json(backlinks: Backlinks) -> Json:
    """The answer of `backlinks`."""
    items = [
        {"node": view_json(item.node), "target": view_json(item.target), "linkKind": item.kind.value}
        for item in backlinks.items
    ]
    return {
        **envelope_json(backlinks.envelope),
        "items": items,
        "total": backlinks.total,
        "limit": backlinks.limit,
        "offset": backlinks.offset,
        "nextOffset": backlinks.next_offset,
    }


def broken_json(broken: Broken) -> Json:
    """The answer of `broken`."""
    return {
        **envelope_json(broken.envelope),
        "links": [{"from": link.source, "target": link.target} for link in broken.links],
        "truncated": broken.truncated,
        "anchors": [
            {
                "from": anchor.source,
                "line": anchor.line,
                "target": anchor.target,
                "suggestion": anchor.suggestion,
            }
            for anchor in broken.anchors
        ],
        "anchorsTruncated": broken.anchors_truncated,
    }


def problems_json(problems: Problems) -> Json:
    """The answer of `problems`."""
    return {
        **envelope_json(problems.envelope),
        "problems": [problem._asdict() for problem in problems.problems],
        "total": problems.total,
        "limit": problems.limit,
        "offset": problems.offset,
        "nextOffset": problems.next_offset,
        "leftOut": [left._asdict() for left in problems.left_out],
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
