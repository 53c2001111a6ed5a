"""What a program keeps of an answer: freshness, ids, citation and counts, never a text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

ENVELOPE = ("projectId", "branch", "commit", "tipCommit", "behind", "builtAt", "syncedAt", "state")
COUNTS = (
    "total",
    "limit",
    "offset",
    "nextOffset",
    "truncated",
    "nextLine",
    "nextColumn",
    "totalLines",
    "mode",
)
type Json = Mapping[str, Any]


def kept(read: str, json_: Json) -> dict[str, Any]:
    """Of an answer's JSON what its text can't be trusted to hand on: `read` names the read."""
    always = {name: json_[name] for name in (*ENVELOPE, *COUNTS) if name in json_}
    return always | OWN[read](json_)


def _tree(json_: Json) -> dict[str, Any]:
    return {"node": json_["node"]["id"], "children": [child["id"] for child in json_["children"]]}


def _read(json_: Json) -> dict[str, Any]:
    links = {name: json_["links"][name] for name in ("outgoingTotal", "incomingTotal")}
    return {"node": json_["node"]["id"], "citation": json_["citation"], **links}


def _lookup(json_: Json) -> dict[str, Any]:
    found = [{"id": match["id"], "matchedBy": match["matchedBy"]} for match in json_["matches"]]
    return {"matches": found} | ({"near": json_["near"]} if "near" in json_ else {})


def _grep(json_: Json) -> dict[str, Any]:
    return {
        "matches": [
            {"nodeId": match["node"]["id"], "path": match["path"], "line": match["line"]}
            for match in json_["matches"]
        ]
    }


def _search(json_: Json) -> dict[str, Any]:
    return {
        "results": [{name: one.get(name) for name in ("id", "score", "line")} for one in json_["results"]]
    }


def _backlinks(json_: Json) -> dict[str, Any]:
    ends = (
        {"node": one["node"]["id"], "target": one["target"]["id"], "linkKind": one["linkKind"]}
        for one in json_["items"]
    )
    return {"items": list(ends)}


def _changes(json_: Json) -> dict[str, Any]:
    documents = [{name: one[name] for name in ("status", "path")} for one in json_["changes"]]
    return {"since": json_["since"], "changes": documents}


def _resolve(json_: Json) -> dict[str, Any]:
    return {"results": [{k: v for k, v in one.items() if k != "diff"} for one in json_["results"]]}


def _status(json_: Json) -> dict[str, Any]:
    return {name: json_[name] for name in ("enabled", "wiki", "counts", "error", "attemptedCommit")}


OWN: dict[str, Callable[[Json], dict[str, Any]]] = {
    "tree": _tree,
    "read": _read,
    "lookup": _lookup,
    "grep": _grep,
    "search": _search,
    "backlinks": _backlinks,
    "changes": _changes,
    "resolve": _resolve,
    "status": _status,
}
