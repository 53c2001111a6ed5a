"""Old citations as a caller hands them in: one by one, or a list."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from brain.errors import InvalidArgument
from brain.forms.parameters import Door, Parameter, parsed, refuse_unknown
from brain.forms.queries import Query, same
from brain.forms.vocabulary import CITATION
from brain.reads.resolve import Cited

MAX_CITATIONS = 100
FORM = "path:start-end@commit"
_WRITTEN = re.compile(
    r"(?P<path>.+):(?P<start>[0-9]+)(?:-(?P<end>[0-9]+))?@(?P<commit>[0-9a-fA-F]+)", re.DOTALL
)
CITATIONS = Parameter(
    name="citations",
    about=f"Up to {MAX_CITATIONS} citations, each as an answer gives it: {FORM}, or its members.",
    required=True,
)
# What a citation of a read holds besides, so that it can be handed in as it was given.
GIVEN = (
    Parameter(name="blob", about="The blob that was read; not looked at.", default="", most=64),
    Parameter(name="quoteHash", about="SHA-256 of the cited lines' bytes.", default="", least=64, most=64),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolveQuery(Query):
    """Old citations whose lines of today are asked for."""

    citations: tuple[Cited, ...]

    PARAMETERS: ClassVar = same(*CITATION)

    @classmethod
    def parse(cls, data: Mapping[str, Any], door: Door = Door.MEMBER, *, strict: bool = True) -> Self:
        """One citation by its own parameters, or a list of them under `citations`. Raises InvalidArgument."""
        if "citations" not in data:
            if strict:
                refuse_unknown(cls.PARAMETERS[door], data)
            return cls(citations=(_cited(data, ""),))
        refuse_unknown((CITATIONS,), data)
        listed = data["citations"]
        if not isinstance(listed, list) or not 1 <= len(listed) <= MAX_CITATIONS:
            raise InvalidArgument("citations", f"citations is a list of 1 to {MAX_CITATIONS} citations.")
        return cls(citations=tuple(_cited(one, f"citations[{at}].") for at, one in enumerate(listed)))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Fields:
    path: str
    node_id: str
    line_start: int
    line_end: int
    commit: str
    quote: str
    blob: str
    quote_hash: str


def _cited(data: Any, place: str) -> Cited:
    if isinstance(data, str):
        data = _members(data)
    if not isinstance(data, Mapping):
        raise InvalidArgument(place.rstrip("."), f"A citation is a text {FORM}, or an object.")
    try:
        refuse_unknown((*CITATION, *GIVEN), data)
        fields = parsed(_Fields, (*CITATION, *GIVEN), data)
        _judge(fields)
    except InvalidArgument as error:
        raise InvalidArgument(f"{place}{error.field}", str(error)) from error
    return Cited(
        path=fields.path or fields.node_id.partition("#")[0],
        line_start=fields.line_start,
        line_end=fields.line_end,
        commit=fields.commit,
        quote=fields.quote,
        quote_hash=fields.quote_hash,
    )


def _members(written: str) -> dict[str, str] | None:
    """The members of a citation that is written in one line; None for any other text."""
    cited = _WRITTEN.fullmatch(written)
    if cited is None:
        return None
    start, end = cited["start"], cited["end"] or cited["start"]
    return {"path": cited["path"], "lineStart": start, "lineEnd": end, "commit": cited["commit"].lower()}


def _judge(fields: _Fields) -> None:
    if not fields.path and not fields.node_id:
        raise InvalidArgument("path", "A citation names a path or a nodeId.")
    if fields.path and fields.node_id and fields.node_id.partition("#")[0] != fields.path:
        raise InvalidArgument("nodeId", "path and nodeId name two documents.")
    if fields.line_end < fields.line_start:
        raise InvalidArgument("lineEnd", "lineEnd is not before lineStart.")
