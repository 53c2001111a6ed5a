"""C5 and R-05 played: builds that take their worker with them, and a queue whose workers die at random."""

from __future__ import annotations

import random
import time
from collections import defaultdict
from contextlib import suppress

import psutil

from brain import upkeep
from brain.builds import request
from brain.store import State
from tests.crash.killing import STALE, look_at_end
from tests.crash.places import PATIENCE, Place, ask, command_of
from tests.crash.stops import eventually, stopping
from tests.crash.stored import differing, stored
from tests.crash.tally import Row
from tests.crash.worlds import FEW, World

MAX_RUNS = 3  # of builds of one commit
BETWEEN_KILLS = (1.5, 6.0)  # seconds


def poison(place: Place, world: World, other: World, row: Row) -> None:
    """Kill the worker of every build of one project, which is then given up; the other one is built."""
    old, source, jobs = world.expect(world.tip), world.source.pk, list[str]()
    world.advance(FEW)
    asked = other.advance(FEW)
    expected = other.expect(asked)
    with stopping(place, "assemble", source) as stop:
        request(world.source, asked_by="crash")
        request(other.source, asked_by="crash")
        while world.source.state != State.FAILED and len(jobs) <= MAX_RUNS:
            row.counts["points"] += 1
            backend = eventually(
                lambda: stop.stopped() or world.source.state == State.FAILED, "no build came"
            )
            if backend is True:
                break
            jobs.append((world.source.running or {})["job"])
            _kill_worker(place)
            ask("SELECT pg_terminate_backend(%s)", backend)  # it would wait at the point, and hold the lock
            _until_lost(place, world, jobs[-1])
    if len(set(jobs)) != MAX_RUNS:
        row.note("stuck", f"it ran {len(set(jobs))} times")
    if not world.source.error.startswith("worker-lost"):
        row.note("stuck", f"{world.source.state}: {world.source.error}")
    row.note("partial", differing(stored(source), old))
    eventually(lambda: other.source.state == State.READY and other.source.commit == asked, "the other waits")
    row.note("partial", differing(stored(other.source.pk), expected))


def drain(place: Place, worlds: list[World], row: Row, *, requests: int, kills: int, seed: int) -> None:
    """Ask for so many builds while workers die; in the end every project stands at its tip."""
    rng, first = random.Random(seed), _last_line()
    kill_times = sorted(rng.sample(range(1, requests), kills))
    for number in range(requests):
        world = rng.choice(worlds)
        world.advance(None if rng.random() < 0.2 else FEW)
        request(world.source, asked_by="crash")
        row.counts["points"] += 1
        time.sleep(rng.uniform(0, 0.4))
        if number in kill_times:
            eventually(
                lambda: any("--job" in command_of(one) for one in place.processes()), "nothing is built"
            )
            time.sleep(rng.uniform(0, 2))
            _strike_any(place, rng)
    began = time.monotonic()
    _drained(worlds, row)
    row.recoveries.append(time.monotonic() - began)
    for world in worlds:
        look_at_end(place, world, row, world.project.slug)
        if world.source.state == State.READY:
            found = differing(stored(world.source.pk), world.expect(world.tip))
            row.note("partial", f"{world.project.slug}: {found}" if found else "")
    _read_log(row, first)


def _strike_any(place: Place, rng: random.Random) -> None:
    """The build's process or its worker, whichever is there; the loss is found as a minute later."""
    with suppress(psutil.Error, IndexError):
        builder = rng.choice([one for one in place.processes() if "--job" in command_of(one)])
        rng.choice([builder, builder.parent()]).kill()
    for source, job in ask("SELECT id, running->>'job' FROM brain_source WHERE running IS NOT NULL"):
        _after_a_minute(place, int(str(source)), str(job))


def _after_a_minute(place: Place, source: int, job: str) -> None:
    """A minute passes for a job whose process has ended."""

    def is_over() -> bool:
        return not any(job in command_of(one) for one in place.processes())

    eventually(is_over, "the build lives on without its worker")
    ask(STALE, source, job)
    upkeep.every_minute()


def _drained(worlds: list[World], row: Row) -> None:
    deadline = time.monotonic() + PATIENCE + 5 * len(worlds)
    while time.monotonic() < deadline:
        states = [world.source for world in worlds]
        if all(one.state in (State.READY, State.FAILED) and not one.wanted for one in states):
            return
        time.sleep(0.2)
    for world in worlds:
        source = world.source
        if source.state not in (State.READY, State.FAILED) or source.wanted:
            row.note(
                "stuck", f"{world.project.slug}: {source.state}, wanted {source.wanted!r}, {source.running}"
            )


def _read_log(row: Row, first: int) -> None:
    """Of each project one build at a time, and of each commit not more than three."""
    running, runs = dict[object, object](), defaultdict[tuple[object, object], set[object]](set)
    lines = ask("SELECT source, job, commit, attempted FROM crash_log WHERE id > %s ORDER BY id", first)
    for source, job, commit, attempted in lines:
        before = running.get(source)
        if before and job and before != job:
            row.note("mixed", f"source {source}: {job} began before {before} had ended")
        running[source] = job
        if job and attempted != commit:
            runs[source, attempted].add(job)
    for (source, commit), jobs in runs.items():
        if len(jobs) > MAX_RUNS:
            row.note("stuck", f"source {source}: {len(jobs)} runs of {str(commit)[:8]}")


def _kill_worker(place: Place) -> None:
    next(one for one in place.processes() if "--job" in command_of(one)).parent().kill()


def _until_lost(place: Place, world: World, job: str) -> None:
    _after_a_minute(place, world.source.pk, job)
    eventually(lambda: (world.source.running or {}).get("job") != job, "the loss was not seen")


def _last_line() -> int:
    return int(str(ask("SELECT coalesce(max(id), 0) FROM crash_log")[0][0]))
