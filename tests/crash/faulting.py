"""R-02 played: a build with a fault, a look at what it left, and the next build."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress

from django.db import connection

from brain import upkeep
from brain.builds import build
from brain.store import State
from tests.crash.faults import Fault
from tests.crash.places import ask
from tests.crash.stored import differing, stored
from tests.crash.tally import Row
from tests.crash.worlds import FEW, World

type Faulty = Callable[[int, str], AbstractContextManager[Fault]]

STALE = "UPDATE brain_source SET heartbeat = now() - interval '2 minutes' WHERE id = %s"
UNFORESEEN = "error:"  # how a reason begins that nobody expected; a database that is away is none
CALM = (State.READY, State.QUEUED, State.FAILED)


def fault_builds(
    world: World, row: Row, faulty: Faulty, how: str, *, whole: bool, points: int, seed: int
) -> None:
    """Fault builds from one commit to the next at up to so many turns, spread over all of them."""
    old = world.tip
    new = world.advance(None if whole else FEW)
    for commit in (old, new):
        world.expect(commit)
    _rewind(world, old)
    world.at(new)
    with faulty(0, how) as counting:
        report = build(world.source, whole=whole)
    if report.kind != ("whole" if whole else "incremental"):
        row.note("left", f"the build was {report.kind}")
    turns = range(1, counting.turns + 1)
    chosen = turns if points >= len(turns) else sorted(random.Random(seed).sample(turns, points))
    for turn in chosen:
        _rewind(world, old)
        _hurt(world, row, faulty, (turn, how), (old, new), whole=whole)


def _hurt(
    world: World, row: Row, faulty: Faulty, where: tuple[int, str], commits: tuple[str, str], *, whole: bool
) -> None:
    row.counts["points"] += 1
    world.at(commits[1])
    with faulty(*where) as fault, suppress(Exception):
        build(world.source, whole=whole)
    if fault.turns < fault.at:
        row.note("left", f"turn {where[0]} never came")
    began = time.monotonic()
    connection.close()
    name = f"turn {where[0]} {where[1]}"
    said = world.source.error
    row.note("stuck", f"{name}: {said}" if where[1] and said.startswith(UNFORESEEN) else "")
    found = differing(stored(world.source.pk), *(world.expected[commit] for commit in commits))
    row.note("partial", f"{name}: {found}" if found else "")
    _play_minute(world)
    state = world.source.state
    row.note("stuck", "" if state in CALM else f"{name}: the state is {state}")
    try:
        build(world.source)
    except Exception as error:  # noqa: BLE001 (whatever it is, it is told)
        row.note("stuck", f"{name}: the next build failed: {error!r}")
    row.recoveries.append(time.monotonic() - began)
    _look(world, row, name, commits[1])


def _look(world: World, row: Row, name: str, new: str) -> None:
    """After the next good build."""
    found = differing(stored(world.source.pk), world.expected[new])
    row.note("partial", f"{name}, next: {found}" if found else "")
    source = world.source
    if (source.state, source.error) != (State.READY, ""):
        row.note("stuck", f"{name}: in the end it is {source.state}: {source.error}")
    if world.pinned() != {new}:
        row.note("left", f"{name}: pins {world.pinned()}")


def _play_minute(world: World) -> None:
    """What the minute job does once a minute has passed."""
    ask(STALE, world.source.pk)
    upkeep.every_minute()


def _rewind(world: World, commit: str) -> None:
    world.at(commit)
    world.repository.mirror.with_suffix(".damaged").unlink(missing_ok=True)  # what the next sync would mend
    build(world.source, whole=True)
