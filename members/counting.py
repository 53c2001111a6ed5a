"""How often what is counted and not listed was read: kept in memory for a moment, then added to the table.

A statement for each read would cost more than the read. When a process is killed, its last seconds are lost.
"""

from __future__ import annotations

import atexit
import threading
import time
import uuid
from collections import Counter
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, NamedTuple

from django.db import DatabaseError, connection

if TYPE_CHECKING:
    from members.callers import Caller
    from members.models import Project

NOBODY = uuid.UUID(int=0)  # no token: in the portal, or by an operator
KEPT = 5.0  # seconds that a count waits for others at most, while somebody reads

_ADD = """
    INSERT INTO members_readcount (day, project_id, member_id, token_id, action, count)
    SELECT * FROM unnest(%s::date[], %s::uuid[], %s::bigint[], %s::uuid[], %s::varchar[], %s::bigint[])
    ON CONFLICT (day, project_id, member_id, token_id, action)
    DO UPDATE SET count = members_readcount.count + EXCLUDED.count
"""


class _Key(NamedTuple):
    day: date
    project: uuid.UUID
    member: int
    token: uuid.UUID
    action: str


class Waiting:
    """Counts that are not in the table yet."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: Counter[_Key] = Counter()
        self._since = 0.0  # when the first of them came

    def add(self, key: _Key) -> float:
        """Count one read; how long the first one has been waiting, in seconds."""
        now = time.monotonic()
        with self._lock:
            if not self._counts:
                self._since = now
            self._counts[key] += 1
            return now - self._since

    def give_back(self, counts: Counter[_Key]) -> None:
        """Let these wait again."""
        with self._lock:
            self._counts.update(counts)

    def take(self) -> Counter[_Key]:
        """All of them; none is left."""
        with self._lock:
            taken, self._counts = self._counts, Counter()
        return taken


WAITING = Waiting()


def count_read(caller: Caller, project: Project, action: str) -> None:
    """Count a read of which no row is kept, by day, project, member, token and action."""
    member = caller.member.pk if caller.member else 0
    token = caller.token.pk if caller.token else NOBODY
    key = _Key(datetime.now(UTC).date(), project.pk, member, token, action)
    if WAITING.add(key) >= KEPT:
        add_counts()


def add_counts() -> None:
    """Add to the table what waits; what can't be added waits again. Raises DatabaseError."""
    counts = WAITING.take()
    if not counts:
        return
    # In one order in every process, so that no two wait for each other.
    columns = zip(*((*key, count) for key, count in sorted(counts.items())), strict=True)
    try:
        with connection.cursor() as cursor:
            cursor.execute(_ADD, [list(column) for column in columns])
    except DatabaseError:
        WAITING.give_back(counts)
        raise


@atexit.register
def _add_at_the_end() -> None:
    try:
        add_counts()
    except DatabaseError:
        return  # the database left first
    finally:
        connection.close()
