"""How much one caller may ask in a minute, and how much at once, exact however many processes answer."""

from __future__ import annotations

import ipaddress
import math
import secrets
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from django.conf import settings
from django.db import Error, connection

from members.errors import RateLimited

AUTH = "auth"  # attempts to prove who one is that failed, by address
CONCURRENT = "concurrent"  # answers in work at once; all others count a minute
WINDOW = 60  # seconds
KEPT = 3_600  # seconds that a window stays in its table at least
SWEEP_ONE_IN = 1_000  # takings

# By the database's clock; a window of the future is over too, because clocks are put back.
_TAKE = """
    INSERT INTO members_ratewindow AS kept (key, policy, opened_at, count)
    VALUES (%(key)s, %(policy)s, clock_timestamp(), %(cost)s)
    ON CONFLICT (key, policy) DO UPDATE SET
        opened_at = CASE
            WHEN EXCLUDED.opened_at BETWEEN
                kept.opened_at - %(window)s::interval AND kept.opened_at + %(window)s::interval
            THEN kept.opened_at ELSE EXCLUDED.opened_at END,
        count = EXCLUDED.count + CASE
            WHEN EXCLUDED.opened_at BETWEEN
                kept.opened_at - %(window)s::interval AND kept.opened_at + %(window)s::interval
            THEN kept.count ELSE 0 END
    RETURNING count, opened_at + %(window)s::interval - clock_timestamp()
"""
_SWEEP = """
    DELETE FROM members_ratewindow WHERE (key, policy) IN (
        SELECT key, policy FROM members_ratewindow
        WHERE opened_at < clock_timestamp() - %s::interval FOR UPDATE SKIP LOCKED
    )
"""
_HOLD = "SELECT slot FROM generate_series(1, %s) AS slot WHERE pg_try_advisory_lock(%s, slot) LIMIT 1"
_RELEASE = "SELECT pg_advisory_unlock(%s, %s)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """A limit after something was taken from it."""

    policy: str
    limit: int
    remaining: int
    reset: int  # seconds until all of it is there again, at least 1


def take(key: str, policy: str, cost: int = 1) -> Taken | None:
    """Take from the caller's limit; None where there is no such limit. Raises RateLimited."""
    limit = settings.RATE_LIMITS.get(policy)
    if limit is None:
        return None
    with connection.cursor() as cursor:
        cursor.execute(_TAKE, {"key": key, "policy": policy, "cost": cost, "window": f"{WINDOW} s"})
        count, left = cursor.fetchone()
    if secrets.randbelow(SWEEP_ONE_IN) == 0:
        sweep()
    reset = max(1, math.ceil(left.total_seconds()))
    taken = Taken(policy=policy, limit=limit, remaining=max(0, limit - count), reset=reset)
    if count > limit:
        told = f"More than {limit:,} in a minute is too much. Ask again in {reset} seconds."
        raise RateLimited(told, wait=reset, headers=headers_of(taken))
    return taken


def headers_of(taken: Taken) -> dict[str, str]:
    """What an answer says of a limit: as draft-ietf-httpapi-ratelimit-headers has it, and as of old."""
    return {
        "RateLimit-Policy": f'"{taken.policy}";q={taken.limit};w={WINDOW}',
        "RateLimit": f'"{taken.policy}";r={taken.remaining};t={taken.reset}',
        "X-RateLimit-Limit": str(taken.limit),
        "X-RateLimit-Remaining": str(taken.remaining),
        "X-RateLimit-Reset": str(taken.reset),
    }


@contextmanager
def slot(key: str) -> Iterator[None]:
    """One of the answers that a caller may have in work at once. Raises RateLimited when all are taken.

    The lock belongs to the session of the database, so that no process can die and keep it.
    """
    most = settings.RATE_LIMITS.get(CONCURRENT)
    if most is None:
        yield
        return
    number = _number_of(key)
    with connection.cursor() as cursor:
        cursor.execute(_HOLD, [most, number])
        held = cursor.fetchone()
    if held is None:
        raise RateLimited(f"{most} answers at once are in work for you; wait for one of them.", wait=1)
    try:
        yield
    finally:
        _release(number, held[0])


def take_attempt(ip: str | None) -> None:
    """Count a failed attempt to prove who one is. Raises RateLimited.

    A network of IPv6 is one address here, since whoever has one address of it has them all.
    """
    if ip and ":" in ip:
        ip = str(ipaddress.ip_network(f"{ip}/64", strict=False))
    take(f"ip:{ip}", AUTH)


def sweep() -> None:
    """Forget windows that ended long ago."""
    with connection.cursor() as cursor:
        cursor.execute(_SWEEP, [f"{KEPT} s"])


def _number_of(key: str) -> int:
    """The caller as PostgreSQL numbers locks: signed, of 32 bits."""
    return zlib.crc32(key.encode()) - (1 << 31)


def _release(number: int, held: int) -> None:
    try:
        with connection.cursor() as cursor:
            cursor.execute(_RELEASE, [number, held])
    except Error:  # what was asked meanwhile broke the session, and its locks go with it
        connection.close()
