"""R-01 played: a build stands at a point, somebody is ended there, and all comes right again."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

import psutil
from django.db import Error, connection

from brain import upkeep
from brain.builds import request
from brain.store import State
from tests.crash.places import PATIENCE, Place, ask, command_of, is_builder, is_gone
from tests.crash.probing import probed
from tests.crash.stops import eventually, stopping
from tests.crash.stored import differing, stored
from tests.crash.tally import Row
from tests.crash.worlds import FEW, World

STALE = (
    "UPDATE brain_source SET heartbeat = now() - interval '2 minutes' WHERE id = %s AND running->>'job' = %s"
)
AWAY = frozenset({"postmaster", "backend", "immediate"})  # they take the database with them
WITH_BUILD = frozenset({"builder", "worker", "sentinel", "cluster", "supervisor"})  # the build ends with them
AFTER_COMMIT, ANYWHERE = "builder after commit", "any point"
SETTLED = (State.READY, State.FAILED)


@dataclass(frozen=True, slots=True)
class Blow:
    """Who is ended, where, in which kind of build."""

    victim: str
    point: str
    whole: bool = False
    after: float = 0.0  # seconds that the build has had, where the point is any

    def __str__(self) -> str:
        return f"{self.victim} at {self.point} of {'a whole' if self.whole else 'an incremental'} build"


def strike(place: Place, world: World, row: Row, blow: Blow) -> None:
    """Bring a build to the point, end the victim, and look until all is settled."""
    old = world.source.commit  # which is not the tip when the last build failed
    new = world.advance(None if blow.whole else FEW)
    expected = [world.expect(commit) for commit in (old, new)]
    row.counts["points"] += 1
    with probed(world, row, may_be_away=blow.victim in AWAY):
        began, job = _struck(place, world, blow, new)
        _settle(world, row, blow, job)
        row.recoveries.append(time.monotonic() - began)
    found = differing(stored(world.source.pk), *expected)
    row.note("partial", f"{blow}: {found}" if found else "")
    look_at_end(place, world, row, str(blow))


def recover(world: World, row: Row) -> None:
    """After all of them: the next build is a good one, and then nothing of the others is left."""
    new = world.advance(FEW)
    request(world.source, asked_by="crash")
    eventually(lambda: world.source.commit == new and world.source.state == State.READY, "no build is made")
    eventually(lambda: world.pinned() == {new}, f"pins {world.pinned()}")
    found = differing(stored(world.source.pk), world.expect(new))
    row.note("partial", f"at last: {found}" if found else "")


def _struck(place: Place, world: World, blow: Blow, new: str) -> tuple[float, str]:
    """When the victim was ended, and the job of the build that stood there."""
    with stopping(place, blow.point, world.source.pk) as stop:
        request(world.source, asked_by="crash", whole=blow.whole)
        backend = stop.wait() if blow.point != ANYWHERE else 0
        builder = eventually(lambda: _builder(place), "no build is made")
        job = (world.source.running or {}).get("job", "")
        began = time.monotonic()
        if blow.victim == AFTER_COMMIT:
            _end_after_commit(builder, stop.let_go, new, world.source.pk)
        else:
            time.sleep(blow.after)
            with suppress(psutil.Error, ProcessLookupError):  # it was quicker
                VICTIMS[blow.victim](place, builder, backend)
        if blow.victim in WITH_BUILD:  # it stands at the point until it is gone
            eventually(
                lambda: not builder.is_running() or builder.status() == psutil.STATUS_ZOMBIE, "it lives"
            )
    return began, job


def look_at_end(place: Place, world: World, row: Row, name: str) -> None:
    """What is left once all has settled: the new tree, the pin of its tree, no process."""
    source = world.source
    if source.state == State.READY and source.commit != world.tip:
        row.note("stuck", f"{name}: ready at {source.commit[:8]}")
    if source.state == State.FAILED:
        row.counts["failed"] += 1
        row.reasons[source.error] += 1
        # Who was killed once is tried again; only a build that was lost three times may be given up.
        row.note("stuck", "" if source.error.startswith("worker-lost") else f"{name}: failed: {source.error}")
    if source.commit not in world.pinned():
        row.note("left", f"{name}: no pin of {source.commit[:8]}")
    try:
        eventually(lambda: not place.builders(), "")
    except AssertionError:
        row.note("left", f"{name}: processes {[command_of(one) for one in place.builders()]}")


def _settle(world: World, row: Row, blow: Blow, job: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        with suppress(Error):
            source = world.source
            if source.state in SETTLED and not source.wanted:
                return
            # The minute after which the build counts as lost has passed, for this job alone.
            ask(STALE, source.pk, job)
            upkeep.every_minute()
        if connection.connection is not None and connection.connection.closed:
            connection.close()
        time.sleep(0.2)
    row.note("stuck", f"{blow}: {world.source.state}, wanted {world.source.wanted!r}")


def _builder(place: Place) -> psutil.Process | None:
    return next((one for one in place.processes() if "--job" in command_of(one)), None)


def _end_builder(_: Place, builder: psutil.Process, __: int) -> None:
    builder.kill()


def _end_parser(place: Place, builder: psutil.Process, _: int) -> None:
    def parsers() -> list[psutil.Process]:
        # The children of the fork server that the build has started.
        below = builder.children(recursive=True)
        return [
            one for one in below if is_builder(one) and is_builder(one.parent()) and one.parent() != builder
        ]

    eventually(parsers, "nothing is parsed")[0].kill()


def _end_above(generations: int) -> Callable[[Place, psutil.Process, int], None]:
    """Who stands so many above the build: its worker, the sentinel of the cluster, the cluster itself."""

    def end(_: Place, builder: psutil.Process, __: int) -> None:
        builder.parents()[generations - 1].kill()

    return end


def _end_supervisor(place: Place, _: psutil.Process, __: int) -> None:
    for one in place.processes():
        if "work" in command_of(one):
            one.kill()
            one.wait()
    left = place.processes()
    place.start()
    eventually(lambda: all(map(is_gone, left)), "the next supervisor did not end what the last one left")


def _end_backend(_: Place, __: psutil.Process, backend: int) -> None:
    os.kill(backend, signal.SIGKILL)


def _end_database(how: signal.Signals) -> Callable[[Place, psutil.Process, int], None]:
    """End the server; SIGQUIT is what `pg_ctl stop -m immediate` sends."""

    def end(place: Place, _: psutil.Process, __: int) -> None:
        os.kill(int((place.cluster.data / "postmaster.pid").read_text().split()[0]), how)

    return end


def _end_after_commit(builder: psutil.Process, let_go: Callable[[], None], new: str, source: int) -> None:
    """The server commits while the build is held; it never hears of it."""
    builder.suspend()
    let_go()
    eventually(lambda: getattr(stored(source), "commit", "") == new, "the server never committed")
    builder.kill()


VICTIMS: dict[str, Callable[[Place, psutil.Process, int], None]] = {
    "builder": _end_builder,
    "parser": _end_parser,
    "worker": _end_above(1),
    "sentinel": _end_above(2),
    "cluster": _end_above(3),
    "supervisor": _end_supervisor,
    "backend": _end_backend,
    "postmaster": _end_database(signal.SIGKILL),
    "immediate": _end_database(signal.SIGQUIT),
}
