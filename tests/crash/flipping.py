"""R-03 played: builds that follow one another, whole and incremental in turn, under many readers."""

from __future__ import annotations

from brain.builds import build
from tests.crash.probing import probed
from tests.crash.tally import Row
from tests.crash.worlds import FEW, World

READERS = 16


def flip(world: World, row: Row, *, builds: int) -> None:
    """Make so many builds, every other one whole, while sixteen readers read all the while."""
    with probed(world, row, readers=READERS):
        for number in range(builds):
            whole = number % 2 == 0
            commit = world.advance(None if whole else FEW)
            report = build(world.source, whole=whole)
            row.counts["points"] += 1
            if (report.commit, report.kind) != (commit, "whole" if whole else "incremental"):
                row.note("mixed", f"build {number} was {report.kind} of {report.commit[:8]}")
