"""Changes and resolve in words."""

from __future__ import annotations

from brain.reads.answers import ChangedDocument, Changes, Resolution, Resolutions
from brain.text.nodes import freshness


def changes_text(changes: Changes) -> str:
    """The answer of `changes`."""
    said = [line for document in changes.documents for line in _document(document)]
    if changes.truncated:
        said.append("… this is not all that changed: ask for less, under a folder")
    since = f"since {changes.since[:12]} ({freshness(changes.envelope)})"
    return "\n".join(said or [f"Nothing changed {since}."])


def resolutions_text(resolutions: Resolutions) -> str:
    """The answer of `resolve`."""
    return "\n".join(map(_resolution, resolutions.results))


def _document(document: ChangedDocument) -> list[str]:
    lines = f"  +{document.lines_added} -{document.lines_removed}" if document.lines_known else ""
    path = f"{document.old_path} → {document.path}" if document.old_path else document.path
    nodes = [f"  {node.status:<8}  {node.id}  {node.title}" for node in document.nodes]
    return [f"{document.status:<8}  {path}{lines}", *nodes]


def _resolution(resolution: Resolution) -> str:
    if resolution.line_start is None:
        return f"{resolution.status}  {resolution.path or ''}".rstrip()
    where = f"{resolution.path}:{resolution.line_start}-{resolution.line_end}"
    diff = f"\n{resolution.diff}" if resolution.diff else ""
    return f"{resolution.status}  {where}{diff}"
