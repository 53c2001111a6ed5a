"""The question of each read, with the parameters it is made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from brain.errors import InvalidArgument
from brain.forms.parameters import Door, Parameter, parsed, refuse_unknown
from brain.forms.vocabulary import (
    COMMIT,
    DEPTH,
    FROM_COLUMN,
    FROM_LINE,
    IGNORE_CASE,
    LABEL,
    MATCH,
    MAX_NODE_ID,
    NODE,
    OFFSET,
    PAGE,
    SINCE,
    SPACE,
    TEXT,
    UNDER,
    limited,
    scoped,
    words,
)
from brain.tree.nodes import ROOT


class Query:
    """What every query shares: how it is parsed."""

    PARAMETERS: ClassVar[Mapping[Door, tuple[Parameter, ...]]]

    @classmethod
    def parse(cls, data: Mapping[str, Any], door: Door = Door.MEMBER, *, strict: bool = True) -> Self:
        """The query of these arguments by the door's rules; `strict` refuses names that it does not know.

        Raises InvalidArgument.
        """
        parameters = cls.PARAMETERS[door]
        if strict:
            refuse_unknown(parameters, data)
        return parsed(cls, parameters, data)


def same(*parameters: Parameter) -> Mapping[Door, tuple[Parameter, ...]]:
    """The same parameters at both doors."""
    return {Door.PORTAL: parameters, Door.MEMBER: parameters}


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusQuery(Query):
    """How the Brain stands."""

    PARAMETERS: ClassVar = same()


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeQuery(Query):
    """A node and a window of its children."""

    node: str = ROOT
    depth: int = 1
    offset: int = 0
    limit: int = 50
    match: str = ""  # words that order the level
    commit: str = ""

    PARAMETERS: ClassVar = {
        Door.PORTAL: (NODE, DEPTH, OFFSET, limited(50, 200), MATCH, COMMIT),
        Door.MEMBER: (NODE, DEPTH, OFFSET, limited(50, 100), MATCH, COMMIT),
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadQuery(Query):
    """A node, how much of it, and where an earlier answer was cut."""

    node: str = ROOT
    scope: str = "auto"
    from_line: int | None = None
    from_column: int | None = None
    commit: str = ""
    numbered: bool = True  # members read numbered lines, the portal the text as written

    PARAMETERS: ClassVar = {
        Door.PORTAL: (NODE, scoped("subtree"), FROM_LINE, FROM_COLUMN, COMMIT),
        Door.MEMBER: (NODE, scoped("auto"), FROM_LINE, FROM_COLUMN, COMMIT),
    }

    @classmethod
    def parse(cls, data: Mapping[str, Any], door: Door = Door.MEMBER, *, strict: bool = True) -> Self:
        """As every query's. Raises InvalidArgument."""
        query = super(ReadQuery, cls).parse(data, door, strict=strict)
        return replace(query, numbered=door is Door.MEMBER)

    def __post_init__(self) -> None:
        if self.from_column and not self.from_line:
            raise InvalidArgument("fromColumn", "fromColumn goes with fromLine.")


@dataclass(frozen=True, slots=True, kw_only=True)
class LookupQuery(Query):
    """A name to look up."""

    query: str

    _ABOUT = "A reference id, a node id, a path, a file name, its number, or a title."
    PARAMETERS: ClassVar = {
        Door.PORTAL: (words("q", _ABOUT, MAX_NODE_ID, also=("query",), into="query", example="RULE-01"),),
        Door.MEMBER: (words("query", _ABOUT, MAX_NODE_ID, also=("q",), example="RULE-01"),),
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class GrepQuery(Query):
    """Words that stand on one line."""

    text: str
    under: str = ""
    ignore_case: bool = True
    space: str = ""
    label: str = ""

    PARAMETERS: ClassVar = {
        Door.PORTAL: (TEXT, UNDER, IGNORE_CASE, SPACE, LABEL),
        Door.MEMBER: (TEXT, UNDER, IGNORE_CASE),
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchQuery(Query):
    """Words that a node should hold, best nodes first."""

    query: str
    under: str = ""
    limit: int = 5
    offset: int = 0

    _ABOUT = "Words, as you would put them to a search engine; a reference id puts its card first."
    PARAMETERS: ClassVar = {
        Door.PORTAL: (
            words("q", _ABOUT, 1_000, also=("query",), into="query", example="refund"),
            *(UNDER, limited(5, 50), OFFSET),
        ),
        Door.MEMBER: (
            words("query", _ABOUT, 1_000, also=("q",), example="refund"),
            *(UNDER, limited(5, 50), OFFSET),
        ),
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class BacklinksQuery(Query):
    """A node and a window of the links to it."""

    node: str
    offset: int = 0
    limit: int = 20
    commit: str = ""

    PARAMETERS: ClassVar = same(PAGE, OFFSET, limited(20, 100), COMMIT)


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokenQuery(Query):
    """Everything that leads nowhere."""

    PARAMETERS: ClassVar = same()


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangesQuery(Query):
    """What changed since a commit."""

    since: str
    under: str = ""

    PARAMETERS: ClassVar = same(SINCE, UNDER)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemsQuery(Query):
    """A window of the problems."""

    offset: int = 0
    limit: int = 100
    commit: str = ""

    PARAMETERS: ClassVar = same(OFFSET, limited(100, 500), COMMIT)
