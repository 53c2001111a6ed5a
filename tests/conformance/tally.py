"""What was tried, and how it went."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple


class Check(NamedTuple):
    """One thing that was tried."""

    group: str
    name: str
    wrong: str  # why it failed; "" when it did not
    seconds: float


def check(group: str, name: str, work: Callable[[], object]) -> Check:
    """Try it; what it raises for an answer that is wrong, or none, is why it failed."""
    began, wrong = time.monotonic(), ""
    try:
        work()
    except (AssertionError, LookupError, ValueError, subprocess.TimeoutExpired) as error:
        wrong = str(error) or type(error).__name__
    return Check(group, name, wrong, time.monotonic() - began)


def table(checks: Iterable[Check]) -> Iterator[str]:
    """A line for each group, then what went wrong."""
    groups: dict[str, list[Check]] = {}
    for one in checks:
        groups.setdefault(one.group, []).append(one)
    yield f"{'':34} {'passed':>6} {'failed':>6} {'seconds':>7}"
    for group, those in groups.items():
        failed = sum(1 for one in those if one.wrong)
        seconds = sum(one.seconds for one in those)
        yield f"{group:34} {len(those) - failed:6} {failed:6} {seconds:7.0f}"
    for those in groups.values():
        yield from (f"\nFAILED {one.group}: {one.name}\n{one.wrong}" for one in those if one.wrong)
