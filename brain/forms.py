"""What a caller may ask: arguments become frozen queries, valid all the way down."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from brain.errors import InvalidArgument
from brain.reads.read import SCOPES
from brain.tree.nodes import ROOT

MAX_NODE_ID = 2_000  # characters
MAX_OFFSET = 20_000
TREE_LIMIT = 200  # children of one page in the portal
BACKLINKS_LIMIT = 100
PROBLEMS_LIMIT = 500
VIEWS = ("rendered", "written")


@dataclass(frozen=True, slots=True)
class TreeQuery:
    """A node and a window of its children."""

    node: str
    offset: int
    limit: int
    depth: int

    @classmethod
    def parse(cls, data: Mapping[str, str]) -> TreeQuery:
        """Raises InvalidArgument."""
        return cls(
            node=node_argument(data),
            offset=offset(data),
            limit=limit(data, 50, most=TREE_LIMIT),
            depth=number(data, "depth", 1, least=1, most=2),
        )


@dataclass(frozen=True, slots=True)
class ReadQuery:
    """A node, how much of it, and where an earlier answer was cut."""

    node: str
    scope: str
    from_line: int | None
    from_column: int | None
    view: str

    @classmethod
    def parse(cls, data: Mapping[str, str]) -> ReadQuery:
        """Raises InvalidArgument."""
        line = number(data, "fromLine", 0, least=1, most=2**31 - 1)
        column = number(data, "fromColumn", 0, least=1, most=2**31 - 1)
        if column and not line:
            raise InvalidArgument("fromColumn", "fromColumn goes with fromLine.")
        return cls(
            node=node_argument(data),
            scope=choice(data, "scope", "subtree", SCOPES),
            from_line=line or None,
            from_column=column or None,
            view=choice(data, "view", VIEWS[0], VIEWS),
        )


@dataclass(frozen=True, slots=True)
class BacklinksQuery:
    """A node and a window of the links to it."""

    node: str
    offset: int
    limit: int

    @classmethod
    def parse(cls, data: Mapping[str, str]) -> BacklinksQuery:
        """Raises InvalidArgument."""
        return cls(
            node=node_argument(data),
            offset=offset(data),
            limit=limit(data, 20, most=BACKLINKS_LIMIT),
        )


@dataclass(frozen=True, slots=True)
class ProblemsQuery:
    """A window of the problems."""

    offset: int
    limit: int

    @classmethod
    def parse(cls, data: Mapping[str, str]) -> ProblemsQuery:
        """Raises InvalidArgument."""
        return cls(
            offset=offset(data),
            limit=limit(data, 100, most=PROBLEMS_LIMIT),
        )


@dataclass(frozen=True, slots=True)
class LookupQuery:
    """A name to look up."""

    text: str

    @classmethod
    def parse(cls, data: Mapping[str, str], field: str = "query") -> LookupQuery:
        """Raises InvalidArgument."""
        text = data.get(field) or ""
        if not text.strip() or len(text) > MAX_NODE_ID:
            raise InvalidArgument(
                field, f"{field} is an id, a path or a name of 1 to {MAX_NODE_ID:,} characters."
            )
        return cls(text)


def node_argument(data: Mapping[str, str]) -> str:
    """The node id a caller names; the root when none is."""
    node = data.get("node") or ROOT
    if len(node) > MAX_NODE_ID or "\0" in node:
        raise InvalidArgument("node", f"A node id has at most {MAX_NODE_ID:,} characters and no NUL.")
    return node


def offset(data: Mapping[str, str]) -> int:
    """Where a window starts."""
    return number(data, "offset", 0, least=0, most=MAX_OFFSET)


def limit(data: Mapping[str, str], default: int, *, most: int) -> int:
    """How much a window holds; more than `most` is clamped to it."""
    return min(number(data, "limit", default, least=1, most=10_000), most)


def number(data: Mapping[str, str], field: str, default: int, *, least: int, most: int) -> int:
    """A whole number within bounds."""
    text = data.get(field)
    if text is None or text == "":
        return default
    try:
        value = int(text) if len(text) <= 12 and text.isascii() else least - 1
    except ValueError:
        value = least - 1
    if not least <= value <= most:
        raise InvalidArgument(field, f"{field} is a whole number from {least:,} to {most:,}.")
    return value


def choice(data: Mapping[str, str], field: str, default: str, choices: tuple[str, ...]) -> str:
    """One of a few words."""
    value = data.get(field) or default
    if value not in choices:
        raise InvalidArgument(field, f"{field} is one of: {', '.join(choices)}.")
    return value
