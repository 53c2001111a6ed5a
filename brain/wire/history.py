"""The JSON of changes and resolve."""

from __future__ import annotations

from brain.reads.answers import ChangedDocument, Changes, Resolution, Resolutions
from brain.wire.nodes import Json, envelope_json


def changes_json(changes: Changes) -> Json:
    """The answer of `changes`."""
    return {
        **envelope_json(changes.envelope),
        "since": changes.since,
        "changes": [document_json(document) for document in changes.documents],
        "truncated": changes.truncated,
    }


def document_json(document: ChangedDocument) -> Json:
    """One changed document."""
    old = {"oldPath": document.old_path} if document.old_path else {}
    return {
        "status": document.status,
        "path": document.path,
        **old,
        "linesAdded": document.lines_added,
        "linesRemoved": document.lines_removed,
        "linesKnown": document.lines_known,
        "nodes": [
            {"id": node.id, "title": node.title, "kind": node.kind.value, "status": node.status}
            for node in document.nodes
        ],
    }


def resolutions_json(resolutions: Resolutions) -> Json:
    """The answer of `resolve`."""
    commit = resolutions.envelope.commit
    return {
        **envelope_json(resolutions.envelope),
        "results": [resolution_json(resolution, commit) for resolution in resolutions.results],
    }


def resolution_json(resolution: Resolution, commit: str) -> Json:
    """What became of one citation."""
    diff = {"diff": resolution.diff} if resolution.diff is not None else {}
    return {
        "status": resolution.status,
        "path": resolution.path,
        "lineStart": resolution.line_start,
        "lineEnd": resolution.line_end,
        "nodeId": resolution.node_id,
        "commit": commit or None,
        **diff,
    }
