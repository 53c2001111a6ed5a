"""The JSON of backlinks, broken links and problems."""

from __future__ import annotations

from brain.reads.answers import Backlinks, Broken, Problems
from brain.wire.nodes import Json, envelope_json, view_json


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
