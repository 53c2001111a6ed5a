"""C1 to C3 played: many builds at once, and a Brain that is changed under a build."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from django.db import connection

from brain import models, snapshots, store
from brain.builds import build
from brain.errors import BuildFailed
from brain.following import configure
from brain.store import State
from brain.store.sources import DELETED, MOVED
from members.callers import OPERATOR
from members.projects import remove_project
from tests.crash.places import Place
from tests.crash.stops import eventually, stopping
from tests.crash.stored import differing, rows_left, stored
from tests.crash.tally import Row
from tests.crash.worlds import FEW, World
from wiki.switch import switch

AT_ONCE = 8
OTHER = "other"  # a branch


def race(place: Place, world: World, row: Row) -> None:
    """Start eight builds at once: one of them stands at its write until the others have been refused."""
    commits = [world.tip, world.advance(FEW)]
    expected = [world.expect(commit) for commit in commits]
    before, built = _history(world), Counter[str]()
    source, barrier = world.source, threading.Barrier(AT_ONCE)
    row.counts["points"] += 1
    with ThreadPoolExecutor(AT_ONCE) as pool, stopping(place, "write", source.pk) as stop:
        ends = [pool.submit(_elsewhere, lambda: _build_at(barrier, world)) for _ in range(AT_ONCE)]
        stop.wait()
        eventually(lambda: sum(end.done() for end in ends) == AT_ONCE - 1, "a build was not refused")
        stop.let_go()
        built.update(end.result() for end in ends)
    if built != {"ready": 1, store.BUSY: AT_ONCE - 1}:
        row.note("mixed", f"ends {dict(built)}")
    if _history(world) != before + 1:
        row.note("left", f"{_history(world) - before} rows of builds")
    row.note("partial", differing(stored(source.pk), expected[1]))


def overtake(world: World, row: Row, phase: str, act: str, *, whole: bool) -> None:
    """Change the Brain when a build comes to this phase: then it writes nothing, or had written all."""
    old = world.tip
    new = world.advance(None if whole else FEW)
    expected = [world.expect(commit) for commit in (old, new)]
    world.git.branch(OTHER, new)
    source, name = world.source, f"{act} at {phase} of a {'whole' if whole else 'incremental'} build"
    row.counts["points"] += 1
    end = _build_until(world, phase, ACTS[act], whole=whole)
    written = phase == "pin"
    if end != ("ready" if written else DELETED if act == "delete" else MOVED):
        row.note("mixed", f"{name}: the build ended {end}")
    if act == "delete":
        _look_for_remains(world, row, name, source.pk)
        return
    found = differing(stored(source.pk), expected[1] if written else expected[0])
    row.note("partial", f"{name}: {found}" if found else "")
    _look_after_change(world, row, name, act, expected)


def _build_until(world: World, phase: str, act: Callable[[World], object], *, whole: bool) -> str:
    left = [act]

    def listen(now: str, *_: object) -> None:
        if now == phase and left:
            with ThreadPoolExecutor(1) as pool:
                pool.submit(_elsewhere, lambda: left.pop()(world)).result()

    try:
        build(world.source, whole=whole, progress=listen)
    except BuildFailed as failure:
        return failure.code
    return "ready"


def _look_for_remains(world: World, row: Row, name: str, source: int) -> None:
    found = {
        "rows": rows_left(source) + models.Build.objects.filter(source_id=source).count(),
        "pins": world.pinned(),
        "snapshots": snapshots.path_of(source, "").parent.exists(),
    }
    row.note("left", f"{name}: {found}" if any(found.values()) else "")


def _look_after_change(world: World, row: Row, name: str, act: str, expected: list) -> None:
    source = world.source
    state = State.READY if act == "off" else State.QUEUED
    if (source.state, source.error) != (state, ""):
        row.note("stuck", f"{name}: {source.state} {source.error}")
    switch(world.project, OPERATOR, enabled=False)
    configure(world.project, OPERATOR, enabled=True, branch="main")
    build(world.source)
    found = differing(stored(source.pk), expected[1])
    row.note("partial", f"{name}, next: {found}" if found else "")
    if world.pinned() != {expected[1].commit}:
        row.note("left", f"{name}: pins {world.pinned()}")


def _build_at(barrier: threading.Barrier, world: World) -> str:
    source = world.source
    barrier.wait()
    try:
        build(source)
    except BuildFailed as failure:
        return failure.code
    return "ready"


def _elsewhere[T](act: Callable[[], T]) -> T:
    """In this thread's own session, which ends with it."""
    try:
        return act()
    finally:
        connection.close()


def _history(world: World) -> int:
    return models.Build.objects.filter(source=world.source).count()


ACTS: dict[str, Callable[[World], object]] = {
    "off": lambda world: configure(world.project, OPERATOR, enabled=False),
    "move": lambda world: configure(world.project, OPERATOR, enabled=True, branch=OTHER),
    "wiki": lambda world: switch(world.project, OPERATOR, enabled=True),
    "delete": lambda world: remove_project(world.project, caller=OPERATOR),
}
