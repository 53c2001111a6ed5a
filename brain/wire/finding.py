"""The JSON of grep and search."""

from __future__ import annotations

from brain.reads.answers import Lines, Results
from brain.wire.nodes import Json, envelope_json, view_json, way_json


def lines_json(lines: Lines) -> Json:
    """The answer of `grep`."""
    used = {"total": lines.total, "space": lines.space, "label": lines.label}
    return {
        **envelope_json(lines.envelope),
        "text": lines.text,
        "matches": [
            {
                "node": view_json(hit.node),
                "path": hit.node.path,
                "line": hit.line,
                "text": hit.text,
                "breadcrumb": way_json(hit.breadcrumb),
            }
            for hit in lines.matches
        ],
        "truncated": lines.truncated,
        **{name: value for name, value in used.items() if value is not None},
    }


def results_json(results: Results) -> Json:
    """The answer of `search`."""
    return {
        **envelope_json(results.envelope),
        "query": results.query,
        "results": [
            view_json(result.node)
            | {
                "breadcrumb": way_json(result.breadcrumb),
                "score": round(result.score, 4),
                "line": result.line,
                "highlight": result.highlight,
            }
            for result in results.results
        ],
        "total": results.total,
        "limit": results.limit,
        "offset": results.offset,
        "nextOffset": results.next_offset,
        "mode": results.mode,
    }
