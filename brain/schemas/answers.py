"""The answer of each read, and of every refusal."""

from __future__ import annotations

from brain.schemas.parts import COMMIT, COUNT, FLAG, LINE, MOMENT, TEXT, Schema, maybe, ref, some, thing, word

WINDOW: dict[str, Schema] = {"total": COUNT, "limit": LINE, "offset": COUNT, "nextOffset": maybe(COUNT)}
COUNTED = (
    "documents",
    "folders",
    "sections",
    "cards",
    "links",
    "broken",
    "brokenAnchors",
    "leftOut",
    "problems",
)


def answer(about: str, optional: Schema | None = None, /, **required: Schema) -> Schema:
    """An answer: the facts of freshness, and these members."""
    envelope: dict[str, Schema] = {
        "projectId": TEXT,
        "branch": TEXT,
        "commit": maybe(COMMIT) | {"description": "The indexed commit: what is read."},
        "tipCommit": maybe(COMMIT) | {"description": "Where the branch is now, in the mirror."},
        "behind": maybe(COUNT) | {"description": "Commits from the indexed one to the tip, at most 1,000."},
        "builtAt": maybe(MOMENT),
        "syncedAt": maybe(MOMENT) | {"description": "The last successful fetch."},
        "state": word("not-built", "queued", "indexing", "ready", "failed", "off"),
    }
    note = {"note": TEXT | {"description": "Said when nothing was found while newer commits wait."}}
    return thing(about, note | (optional or {}), **envelope, **required)


ANSWERS: dict[str, Schema] = {
    "status": answer(
        "Where the Brain stands.",
        {"progress": thing("A running build.", phase=TEXT, done=COUNT, total=COUNT)},
        enabled=FLAG,
        wiki=FLAG,
        counts={"type": "object", "properties": dict.fromkeys(COUNTED, COUNT), "additionalProperties": False},
        error=maybe(TEXT),
        attemptedCommit=maybe(COMMIT),
        branches=some(TEXT),
    ),
    "tree": answer(
        "A node and one level of its children.",
        node=ref("NodeView"),
        breadcrumb=some(ref("Crumb")),
        children=some(ref("Child")),
        **WINDOW,
    ),
    "read": answer(
        "A node's text, with its citation.",
        {"nextColumn": LINE},
        node=ref("NodeView"),
        breadcrumb=some(ref("Crumb")),
        text=TEXT,
        citation=maybe(ref("Citation")),
        truncated=FLAG,
        nextLine=maybe(LINE),
        totalLines=COUNT,
        children=some(ref("NodeView")),
        links=thing(
            "The first 20 links each way.",
            outgoing=some(ref("Neighbour")),
            incoming=some(ref("Neighbour")),
            outgoingTotal=COUNT,
            incomingTotal=COUNT,
        ),
        lineNumbers=FLAG,
    ),
    "lookup": answer("The nodes of a name.", {"near": some(TEXT)}, query=TEXT, matches=some(ref("Match"))),
    "grep": answer(
        "Lines that hold every word.",
        {"total": COUNT, "space": TEXT, "label": TEXT},
        text=TEXT,
        matches=some(ref("LineHit")),
        truncated=FLAG,
    ),
    "search": answer(
        "Nodes that meet the words, best first.",
        query=TEXT,
        results=some(ref("Result")),
        mode=word("text", "substring"),
        **WINDOW,
    ),
    "backlinks": answer("Links from other pages.", items=some(ref("Backlink")), **WINDOW),
    "broken": answer(
        "Everything that leads nowhere.",
        links=some(ref("BrokenLink")),
        truncated=FLAG,
        anchors=some(ref("BrokenAnchor")),
        anchorsTruncated=FLAG,
    ),
    "changes": answer(
        "What changed since a commit.",
        since=COMMIT,
        changes=some(ref("ChangedDocument")),
        truncated=FLAG,
    ),
    "resolve": answer("What became of each citation.", results=some(ref("Resolution"))),
    "problems": answer(
        "What a writer can mend.",
        problems=some(ref("FrontMatterProblem")),
        leftOut=some(ref("LeftOut")),
        **WINDOW,
    ),
}

PROBLEM: Schema = thing(
    "Why there is no answer (RFC 9457).",
    {
        "errors": some(thing("A wrong argument.", field=TEXT, message=TEXT)),
        "near": some(TEXT),
        "state": TEXT,
        "commit": maybe(COMMIT),
    },
    type=TEXT,
    title=TEXT,
    status={"type": "integer", "minimum": 400, "maximum": 599},
    detail=TEXT,
    instance=TEXT,
    code=TEXT,
)
