"""How a test states a world with tokens: members in a role, callers, and what the log and the tables hold."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from time import sleep
from typing import Any

from django.db import DatabaseError, connection, connections
from django.db.models.functions import Now

from members import tokens
from members.activity import NO_PROJECT
from members.callers import OPERATOR, Caller, Door
from members.errors import Refusal
from members.models import Activity, Member, Project, Role, Token
from members.projects import join
from members.tokens.text import ALPHABET, digest_of

HERE = Caller(door=Door.API, ip="192.0.2.7", agent="curl/8")


def a_member(project: Project | None = None, role: Role = Role.MEMBER, name: str = "ada") -> Member:
    member = Member.objects.create(username=name)
    if project:
        join(member, project, role)
    return member


def a_token(member: Member, project: Project | None = None, **wish: Any) -> tuple[Token, str]:
    """A token, by default for all projects of its member, and its text."""
    return tokens.issue(OPERATOR, member, **{"name": "laptop", "project": project, **wish})


def a_reader_of(project: Project) -> tuple[Token, str]:
    """A token of a member of this project, that names it."""
    return a_token(a_member(project), project)


def aged(token: Token, **at: Any) -> None:
    """Move a token's times: a time relative to the database's now, by column."""
    Token.objects.filter(pk=token.pk).update(**{column: Now() + shift for column, shift in at.items()})


def told(action: str = "") -> list[Activity]:
    """What the log holds, or what of one action, the oldest first."""
    rows = Activity.objects.order_by("id")
    return list(rows.filter(action=action) if action else rows)


def chain_of(project: Project | None) -> Any:
    return project.pk if project else NO_PROJECT


def everything_stored() -> str:
    """All rows of all tables, as text."""
    with connection.cursor() as cursor:
        tables = connection.introspection.table_names(cursor)
        rows = []
        for table in tables:
            cursor.execute(f'SELECT row_::text FROM "{table}" AS row_')
            rows += [row for (row,) in cursor.fetchall()]
    return "\n".join(rows)


def misspelt(raw: str) -> str:
    """The same with another last letter."""
    return raw[:-1] + ALPHABET[(ALPHABET.index(raw[-1]) + 1) % len(ALPHABET)]


def is_kept(raw: str) -> bool:
    return Token.objects.filter(digest=digest_of(raw)).exists()


def at_once(times: int, work: Callable[[int], Any], *, threads: int = 8) -> list[Any]:
    """What each piece of work gave or raised, done by threads that begin together, each with a session."""
    barrier = Barrier(threads)

    def share(number: int) -> list[Any]:
        try:
            connection.ensure_connection()
            barrier.wait(timeout=30)
            return [outcome(work, each) for each in range(number, times, threads)]
        finally:
            connections.close_all()

    with ThreadPoolExecutor(threads) as pool:
        return [each for shares in pool.map(share, range(threads)) for each in shares]


def outcome(work: Callable[[int], Any], number: int) -> Any:
    try:
        return work(number)
    except (Refusal, DatabaseError) as error:
        return error


def wait_for_a_waiter() -> None:
    """Until another session waits for a lock of this one's transaction."""
    for _ in range(3_000):
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT count(*) FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))"
            )
            if cursor.fetchone() != (0,):
                return
        sleep(0.01)
    raise AssertionError("nobody waits")
