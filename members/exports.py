"""Activities found again: by time, actor, action, token and node, as rows, JSON, JSON lines and CSV."""

from __future__ import annotations

import csv
import json
import uuid
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from django.db import connection
from django.db.models import Q

from members.models import Activity

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from members.models import Project

PAGE = 1_000  # rows that a streaming export holds in memory
FORMULA = tuple("=+-@\t\r\n＝＋－＠")  # what lets a spreadsheet run a cell instead of showing it
COLUMNS = (
    *("id", "number", "at", "actorType", "actorId", "actorName", "door"),
    *("authKind", "tokenId", "tokenName", "tokenHash", "ip", "agent"),
    *("action", "projectId", "project", "target", "details", "status", "reason"),
    *("requestId", "prevHash", "hash"),
)

# One step of the index for each action there is, where DISTINCT would walk through all rows.
_ACTIONS = """
    WITH RECURSIVE seen AS (
        (SELECT action FROM members_activity ORDER BY action LIMIT 1)
        UNION ALL
        SELECT (SELECT action FROM members_activity WHERE action > seen.action ORDER BY action LIMIT 1)
        FROM seen WHERE action IS NOT NULL
    )
    SELECT action FROM seen WHERE action IS NOT NULL
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ActivityFilter:
    """Which activities are wanted, the newest first; an empty word restricts nothing."""

    since: datetime | None = None  # in UTC, included
    until: datetime | None = None  # in UTC, included
    actor: str = ""  # a member's name, or what kind of actor it is that has none
    action: str = ""  # the whole of it, or what it begins with when this ends in "."
    token: str = ""  # its id, or the first 8 letters of its SHA-256
    node: str = ""  # or whatever else the activity was about
    offset: int = 0
    limit: int | None = 100  # None: all, for an export

    @property
    def names(self) -> tuple[str, ...]:
        """What is filtered by, without the values."""
        return tuple(
            name
            for name in ("since", "until", "actor", "action", "token", "node")
            if getattr(self, name) not in (None, "")
        )


def activities(wanted: ActivityFilter, project: Project | None) -> tuple[list[Activity], int]:
    """A window of the project's activities, or of everybody's, and how many there are in all."""
    found = _found(wanted, project)
    end = None if wanted.limit is None else wanted.offset + wanted.limit
    return list(found[wanted.offset : end]), found.count()


def every_activity(
    wanted: ActivityFilter, project: Project | None, *, still_open: Callable[[], bool]
) -> Iterator[Activity]:
    """All of them, in pages; the export ends at the first page whose reader has lost access meanwhile."""
    found, left = _found(wanted, project), wanted.limit
    page = list(found[wanted.offset :][: _size(left)])
    while page:
        yield from page
        left = None if left is None else left - len(page)
        if left == 0 or not still_open():
            return
        page = list(found.filter(pk__lt=page[-1].pk)[: _size(left)])


def activity_json(row: Activity) -> dict[str, Any]:
    """An activity on the wire."""
    kind = "token" if row.token_id else "session" if row.actor_type == Activity.Actor.MEMBER else "none"
    return {
        "id": row.pk,
        "number": row.number,
        "at": time_of(row),
        "actor": {"type": row.actor_type, "id": row.actor_id, "name": row.actor_name},
        "door": row.door,
        "auth": {
            "kind": kind,
            "tokenId": str(row.token_id) if row.token_id else None,
            "tokenName": row.token_name,
            "tokenHash": row.token_hash,
        },
        "ip": row.ip,
        "agent": row.agent,
        "action": row.action,
        "projectId": str(row.chain) if row.chain.int else None,
        "project": row.project,
        "target": row.target,
        "details": details_of(row),
        "status": row.status,
        "reason": row.reason,
        "requestId": str(row.request_id) if row.request_id else None,
        "prevHash": row.prev_hash,
        "hash": row.hash,
    }


def ndjson_lines(rows: Iterable[Activity]) -> Iterator[str]:
    """Each activity as one line of JSON, in ASCII, so that nothing in it can end the line."""
    for row in rows:
        yield json.dumps(activity_json(row)) + "\n"


def csv_rows(rows: Iterable[Activity]) -> Iterator[str]:
    """The activities as CSV (RFC 4180) with a header; every cell is quoted, and none is a formula.

    Take one leading apostrophe off a cell to have the value again.
    """
    writer = csv.writer(_Echo(), quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    yield writer.writerow(COLUMNS)
    for row in rows:
        yield writer.writerow(map(_cell, _columns(activity_json(row), row.details)))


def actions_known() -> list[str]:
    """Every action that was ever recorded, in order of the alphabet."""
    with connection.cursor() as cursor:
        cursor.execute(_ACTIONS)
        return [action for (action,) in cursor.fetchall()]


def time_of(row: Activity) -> str:
    """When it happened, in UTC, to the millisecond (RFC 3339)."""
    return row.at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def details_of(row: Activity) -> Any:
    """Its details; a row that somebody changed by force may hold no JSON, and is still shown."""
    try:
        return json.loads(row.details)
    except ValueError:
        return row.details


class _Echo:
    """A file that gives back what is written to it."""

    def write(self, text: str) -> str:
        return text


def _found(wanted: ActivityFilter, project: Project | None) -> QuerySet[Activity]:
    found = Activity.objects.order_by("-pk")
    if project is not None:
        found = found.filter(chain=project.pk)
    if wanted.since is not None:
        found = found.filter(at__gte=wanted.since)
    if wanted.until is not None:
        found = found.filter(at__lte=wanted.until)
    return found.filter(
        _by_actor(wanted.actor), _by_action(wanted.action), _by_token(wanted.token), _on(wanted)
    )


def _by_actor(name: str) -> Q:
    named = Q(actor_name=name) if name else Q()
    return named | Q(actor_name="", actor_type=name) if name in Activity.Actor else named


def _by_action(action: str) -> Q:
    begins = action.endswith(".")
    return Q(action__startswith=action) if begins else Q(action=action) if action else Q()


def _by_token(token: str) -> Q:
    try:
        return Q(token_id=uuid.UUID(token)) if token else Q()
    except ValueError:
        return Q(token_hash=token.lower())


def _on(wanted: ActivityFilter) -> Q:
    return Q(target=wanted.node) if wanted.node else Q()


def _size(left: int | None) -> int:
    return PAGE if left is None else min(PAGE, left)


def _columns(told: dict[str, Any], details: str) -> list[Any]:
    actor = {f"actor{name.capitalize()}": value for name, value in told["actor"].items()}
    flat = {**told, **actor, **told["auth"], "authKind": told["auth"]["kind"], "details": details}
    return [flat[name] for name in COLUMNS]


def _cell(value: Any) -> str:
    text = "" if value is None else str(value)
    return f"'{text}" if text.startswith((*FORMULA, "'")) else text
