"""The JSON of status, tree, read and look-up."""

from __future__ import annotations

from brain.reads.answers import Citation, Level, Matches, Reading, Status
from brain.wire.nodes import Json, envelope_json, neighbour_json, view_json, way_json


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
        "breadcrumb": way_json(level.breadcrumb),
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
        "breadcrumb": way_json(reading.breadcrumb),
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
        view_json(match.node) | {"breadcrumb": way_json(match.breadcrumb), "matchedBy": match.matched_by}
        for match in matches.matches
    ]
    near = {} if matches.matches else {"near": list(matches.near)}
    return {**envelope_json(matches.envelope), "query": matches.query, "matches": found, **near}
