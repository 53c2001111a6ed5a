"""A citation in the forms people and programs paste."""

from __future__ import annotations

import json
from dataclasses import dataclass

from brain.reads.answers import Citation


@dataclass(frozen=True, slots=True)
class Cited:
    """One citation, three ways to write it."""

    text: str
    markdown: str
    json: str


def cited(citation: Citation | None, address: str) -> Cited | None:
    """The citation with `address`, the whole address of its page; None for what is no text of a file."""
    if citation is None:
        return None
    fields = {
        "nodeId": citation.node_id,
        "path": citation.path,
        "lineStart": citation.line_start,
        "lineEnd": citation.line_end,
        "commit": citation.commit,
        "blob": citation.blob,
        "quoteHash": citation.quote_hash,
    }
    label = str(citation).replace("[", r"\[").replace("]", r"\]")
    return Cited(str(citation), f"[{label}](<{address}>)", json.dumps(fields, ensure_ascii=False))
