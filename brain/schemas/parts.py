"""The parts that answers are made of."""

from __future__ import annotations

from typing import Any

type Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
FLAG: Schema = {"type": "boolean"}
COUNT: Schema = {"type": "integer", "minimum": 0}
LINE: Schema = {"type": "integer", "minimum": 1}
COMMIT: Schema = {"type": "string", "pattern": "^[0-9a-f]{40}$"}
MOMENT: Schema = {"type": "string", "format": "date-time"}


def thing(about: str, optional: Schema | None = None, /, **required: Schema) -> Schema:
    """An object with exactly these members."""
    return {
        "type": "object",
        "description": about,
        "properties": required | (optional or {}),
        "required": list(required),
        "additionalProperties": False,
    }


def some(schema: Schema) -> Schema:
    """A list of these."""
    return {"type": "array", "items": schema}


def maybe(schema: Schema) -> Schema:
    """One of these or null."""
    return {"anyOf": [schema, {"type": "null"}]}


def word(*words: str) -> Schema:
    """One of a few words."""
    return {"type": "string", "enum": list(words)}


def ref(name: str) -> Schema:
    """A component by its name."""
    return {"$ref": f"#/components/schemas/{name}"}


NODE_VIEW = thing(
    "A place in the tree.",
    {
        "referenceId": TEXT,
        "labels": some(TEXT),
        "space": TEXT,
        "order": {"type": "integer"},
        "status": TEXT,
        "changed": ref("Changed"),
    },
    id=TEXT,
    kind=word("root", "folder", "document", "section", "card"),
    title=TEXT,
    summary=TEXT | {"maxLength": 240},
    summarySource=TEXT,
    lineStart=maybe(LINE),
    lineEnd=maybe(COUNT),
    subtreeEnd=maybe(COUNT),
    size=COUNT | {"description": "Estimated tokens of everything under it."},
    hasChildren=FLAG,
    childCount=COUNT,
    outgoing=COUNT | {"description": "Links it makes, kept or not."},
)


def node_with(about: str, optional: Schema | None = None, /, **more: Schema) -> Schema:
    """A node view with more members."""
    required = {name: NODE_VIEW["properties"][name] for name in NODE_VIEW["required"]} | more
    given = {name: schema for name, schema in NODE_VIEW["properties"].items() if name not in required}
    return thing(about, given | (optional or {}), **required)


COMPONENTS: dict[str, Schema] = {
    "NodeView": NODE_VIEW,
    "Changed": thing(
        "The last commit that changed a document; a subject may be withheld.",
        commit=COMMIT,
        date=MOMENT,
        subject=maybe(TEXT),
    ),
    "Crumb": thing("One step of a breadcrumb, root first.", id=TEXT, title=TEXT),
    "Child": node_with("A child, at depth 2 with its first children.", {"children": some(ref("NodeView"))}),
    "Citation": thing(
        "Lines of a file at a commit, so that they can be checked later.",
        nodeId=TEXT,
        path=TEXT,
        lineStart=LINE,
        lineEnd=COUNT,
        commit=maybe(COMMIT),
        blob=TEXT,
        quoteHash=TEXT | {"description": "SHA-256 of the lines' bytes."},
    ),
    "Neighbour": thing("One end of a link.", node=ref("NodeView"), linkKind=word("link", "mention")),
    "Match": node_with(
        "A node that a look-up found, and by what.",
        breadcrumb=some(ref("Crumb")),
        matchedBy=word("nodeId", "path", "anchor", "referenceId", "fileName", "title"),
    ),
    "LineHit": thing(
        "A line that holds every word.",
        node=ref("NodeView"),
        path=TEXT,
        line=LINE,
        text=TEXT,
        breadcrumb=some(ref("Crumb")),
    ),
    "Result": node_with(
        "A node that meets the words.",
        breadcrumb=some(ref("Crumb")),
        score={"type": "number"},
        line=maybe(LINE),
        highlight=TEXT,
    ),
    "Backlink": thing(
        "A link from another page.",
        node=ref("NodeView"),
        target=ref("NodeView"),
        linkKind=word("link", "mention"),
    ),
    "BrokenLink": thing("A link to a Markdown file that is not there.", {"from": TEXT}, target=TEXT),
    "BrokenAnchor": thing(
        "A link to a heading that is not there.",
        {"from": TEXT},
        line=LINE,
        target=TEXT,
        suggestion=maybe(TEXT),
    ),
    "ChangedNode": thing(
        "A section or card whose own lines changed.",
        id=TEXT,
        title=TEXT,
        kind=word("section", "card"),
        status=word("added", "modified", "deleted"),
    ),
    "ChangedDocument": thing(
        "A document that changed.",
        {"oldPath": TEXT},
        status=word("added", "modified", "deleted", "renamed"),
        path=TEXT,
        linesAdded=maybe(COUNT),
        linesRemoved=maybe(COUNT),
        linesKnown=FLAG,
        nodes=some(ref("ChangedNode")),
    ),
    "Resolution": thing(
        "What became of a citation.",
        {"diff": TEXT},
        status=word("unchanged", "moved", "edited", "split", "deleted", "ambiguous", "unknownCommit"),
        path=maybe(TEXT),
        lineStart=maybe(LINE),
        lineEnd=maybe(COUNT),
        nodeId=maybe(TEXT),
        commit=maybe(COMMIT),
    ),
    "FrontMatterProblem": thing(
        "What a writer can mend.",
        path=TEXT,
        line=maybe(LINE),
        code=TEXT,
        severity=word("error", "warning"),
        message=TEXT,
    ),
    "LeftOut": thing(
        "A file that a limit left out.", path=TEXT, reason=word("too-large", "too-many", "bad-path")
    ),
}
for _name in ("BrokenLink", "BrokenAnchor"):
    COMPONENTS[_name]["required"].append("from")
