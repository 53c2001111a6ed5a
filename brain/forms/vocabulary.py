"""Every parameter that a read takes."""

from __future__ import annotations

from brain.forms.parameters import Parameter
from brain.tree.nodes import ROOT

MAX_NODE_ID = 2_000  # characters
MAX_OFFSET = 20_000
MAX_NUMBER = 2**31 - 1
SCOPES = ("auto", "subtree", "node")
VIEWS = ("rendered", "written")

PROJECT_ID = Parameter(
    name="projectId",
    about="The project's id or slug; may be left out when the token names one project.",
    default="",
    most=63,
    example="handbook",
)
NODE = Parameter(
    name="node", about="A node id, such as / or guides/ or guides/a.md#limits.", default=ROOT, example="/"
)
PAGE = Parameter(
    name="node", about="The id of a document, a section or a card.", required=True, example="README.md"
)
UNDER = Parameter(name="under", about="A node id: only what stands at or under it.", default="")
COMMIT = Parameter(
    name="commit",
    about="Answer only while this full commit id is the indexed one.",
    default="",
    least=40,
    most=40,
    pattern="[0-9a-f]{40}",
)
OFFSET = Parameter(
    name="offset", about="How many to leave out first.", kind="number", default=0, most=MAX_OFFSET
)


def limited(default: int, most: int) -> Parameter:
    """How many to answer at most; more than `most` is clamped to it and echoed."""
    about = f"How many to answer, at most {most}; a larger number counts as {most}."
    return Parameter(
        name="limit", about=about, kind="number", default=default, least=1, most=MAX_NUMBER, clamp=most
    )


def words(
    name: str, about: str, most: int, *, also: tuple[str, ...] = (), into: str = "", example: str = ""
) -> Parameter:
    """A text to look for."""
    told = example or None
    return Parameter(
        name=name, about=about, least=1, most=most, required=True, also=also, into=into, example=told
    )


def scoped(default: str) -> Parameter:
    """How much of a node."""
    about = "subtree: with everything under it; node: its own text; auto: whole while it is small."
    return Parameter(name="scope", about=about, default=default, choices=SCOPES)


DEPTH = Parameter(
    name="depth",
    about="2: the first 20 children of each child too.",
    kind="number",
    default=1,
    least=1,
    most=2,
)
MATCH = Parameter(
    name="match", about="Words: the children that meet them best come first.", default="", most=1_000
)
FROM_LINE = Parameter(
    name="fromLine",
    about="Go on at this line of the file: the nextLine of an answer that was cut.",
    kind="number",
    least=1,
    most=MAX_NUMBER,
)
FROM_COLUMN = Parameter(
    name="fromColumn",
    about="Go on at this character of that line: its nextColumn.",
    kind="number",
    least=1,
    most=MAX_NUMBER,
)
VIEW = Parameter(name="view", about="How a page shows its text.", default="rendered", choices=VIEWS)
TEXT = words(
    "text", 'Words that stand on one line in any order; "quoted": exactly this.', 256, example="refund"
)
IGNORE_CASE = Parameter(name="ignoreCase", about="false: in exactly this case.", kind="flag", default=True)
SPACE = Parameter(
    name="space",
    about="A space's key, in any case: letters and digits, a letter first, at most 32.",
    default="",
    pattern="[A-Za-z][A-Za-z0-9]{0,31}",
)
LABEL = Parameter(name="label", about="One label.", default="", most=256)
SINCE = Parameter(
    name="since",
    about="An earlier commit, as 4 to 40 hexadecimal digits, such as the commit of a citation.",
    required=True,
    most=200,
)
CITATION = (
    Parameter(name="path", about="The document's path; or nodeId.", default=""),
    Parameter(name="nodeId", about="A node id of the document; or path.", default=""),
    Parameter(
        name="lineStart",
        about="The first cited line.",
        kind="number",
        least=1,
        most=MAX_NUMBER,
        required=True,
    ),
    Parameter(
        name="lineEnd", about="The last cited line.", kind="number", least=1, most=MAX_NUMBER, required=True
    ),
    Parameter(
        name="commit",
        about="The commit that was cited, as 4 to 40 hexadecimal digits.",
        required=True,
        most=200,
    ),
    Parameter(name="quote", about="The cited text, to be sure of it.", default="", most=20_000),
)
