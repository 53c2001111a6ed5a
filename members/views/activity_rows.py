"""An activity in words: what each cell of its row on the page says."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any
from uuid import UUID

from members.exports import details_of, time_of
from members.models import Activity
from repositories.cleaning import clean_line

DOORS = {
    "portal": "portal",
    "api": "API",
    "mcp": "MCP",
    "admin": "admin",
    "command": "command",
    "system": "system",
}
ACTORS = {"operator": "Operator", "system": "System", "anonymous": "Not signed in"}
OF_NODES = frozenset(
    {"brain.read", "brain.grep", "brain.search", "brain.changes"}
)  # what they are about is a node
APART = frozenset(
    {"commit", "lines", "queryHash", "hits", "token"}
)  # details that are not told as name and value
LONGEST, LONGEST_ALL = 60, 300  # characters of a value, and of all
_COMMIT = re.compile(r"[0-9a-f]{40}")
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A row of the table."""

    row: Activity
    slug: str  # of its project today; empty when there is none any more
    at: str  # RFC 3339
    when: str
    who: str
    who_more: str
    is_node: bool  # the target can be opened
    more: str  # what the details say
    door: str
    tone: str  # of the outcome


@dataclass(frozen=True, slots=True)
class Choice:
    """A kind of action to choose from."""

    value: str
    words: str
    chosen: bool


def shown(row: Activity, now: datetime, slugs: Mapping[UUID, str]) -> Shown:
    """The activity as the page tells it; the year is told when it is not this one."""
    who, who_more = _who(row)
    day = f"{row.at.day} {row.at:%b}" if row.at.year == now.year else f"{row.at.day} {row.at:%b %Y}"
    return Shown(
        row=row,
        slug=slugs.get(row.chain, ""),
        at=time_of(row),
        when=f"{day}, {row.at:%H:%M:%S}",
        who=who,
        who_more=who_more,
        is_node=row.action in OF_NODES and bool(row.target) and row.status < 400,
        more=words_of(details_of(row)),
        door=DOORS.get(row.door, row.door),
        tone="ok" if row.status < 400 else "bad",
    )


def words_of(details: Any) -> str:
    """The details in words: lines and commit, query and hits, and whatever else they say."""
    if not isinstance(details, dict):
        return _value(details) if details else ""
    said = [f"lines {_value(details['lines']).replace('-', '–')}"] if "lines" in details else []
    if "queryHash" in details:
        said.append(f"query {_value(details['queryHash'])[:4]}…, {_counted(details.get('hits', 0), 'hit')}")
    said += [f"{_name(name)} {_value(value)}" for name, value in details.items() if name not in APART]
    text = ", ".join(said) + (f" at {_value(details['commit'])}" if details.get("commit") else "")
    return clean_line(text, LONGEST_ALL)


def choices(actions: list[str], chosen: str) -> list[Choice]:
    """Every action, and before those of one kind all of them together; what is chosen is always there."""
    values: list[tuple[str, str]] = []
    for kind, group in groupby(sorted({*actions, *([chosen] if chosen else [])}), key=_kind):
        names = [name for name in group if name != kind]
        if len(names) > 1 or chosen == kind:
            values.append((kind, f"{kind}…"))
        values += [(name, name) for name in names]
    return [Choice(value, words, value == chosen) for value, words in values]


def _kind(action: str) -> str:
    return f"{action.partition('.')[0]}."


def _who(row: Activity) -> tuple[str, str]:
    if row.token_id:
        return row.token_name, f"of {row.actor_name}"
    if row.actor_type == Activity.Actor.MEMBER:
        return row.actor_name, ""
    return ACTORS.get(row.actor_type, row.actor_type), row.ip or ""


def _name(key: str) -> str:
    return _HUMP.sub(" ", key).replace("_", " ").lower()


def _value(value: Any) -> str:
    """One visible line; a change is told as what was and what is."""
    match value:
        case {"from": old, "to": new}:
            return f"{_value(old)} to {_value(new)}"
        case dict():
            text = ", ".join(f"{name} {_value(each)}" for name, each in value.items())
        case list():
            text = ", ".join(map(_value, value))
        case bool():
            text = "yes" if value else "no"
        case _:
            text = "" if value is None else str(value)
    return text[:7] if _COMMIT.fullmatch(text) else clean_line(text, LONGEST) or "none"


def _counted(count: Any, word: str) -> str:
    return f"{_value(count)} {word}{'' if count == 1 else 's'}"
