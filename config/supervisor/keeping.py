"""The loop that starts programs, starts again what died or is stuck, and stops all of them."""

from __future__ import annotations

import logging
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from brain.builds import wake_rested
from config.supervisor import desk
from config.supervisor.claims import Claim
from config.supervisor.families import adopt_orphans, end_child, end_strays
from config.supervisor.programs import started
from config.supervisor.repeating import Round, repeating
from config.supervisor.watchdog import Watchdog
from repositories.scheduling import sync_local

TICK = 0.1  # seconds between two looks at the children
LOOKS = 1.0  # seconds between two looks of the watchdog
LOCAL = 2.0  # seconds between two looks at repositories on this disk, and at builds that wait for a moment
STRAYS = 5.0  # seconds between two looks at what else became our child
AT_ONCE = 10.0  # seconds: whatever dies sooner is started again after a pause
LONGEST_PAUSE = 30.0  # seconds
GRACE = 10.0  # seconds that programs get to stop by themselves
ECHO = 1.0  # seconds in which a second signal is the first one again, from a wrapper that hands it on
GENERATIONS = 5  # of strays, each of which may leave some more; what can't be killed holds up no stop
STOPS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class Told:
    """Whether we were told to stop, and once more."""

    to_stop: bool = False
    to_hurry: bool = False
    since: float = 0.0

    def hear(self, now: float) -> None:
        """Take note of a signal."""
        self.to_hurry = self.to_hurry or (self.to_stop and now - self.since > ECHO)
        self.since = self.since if self.to_stop else now
        self.to_stop = True


@dataclass(slots=True)
class Kept:
    """A program, and how it is."""

    claim: Claim
    process: subprocess.Popen[bytes] | None = None
    begun: float = 0.0  # by the monotonic clock, as the next
    due: float = 0.0  # when to start it
    sudden_ends: int = 0  # how often in a row it died at once

    @property
    def name(self) -> str:
        return self.claim.program.name


@contextmanager
def listening() -> Iterator[Told]:
    """Hear the signals that tell us to stop; a hang-up that `nohup` has us ignore stays ignored."""
    told = Told()

    def note(_number: int, _frame: object) -> None:
        told.hear(time.monotonic())

    before = {one: signal.getsignal(one) for one in STOPS}
    heard = [one for one in STOPS if before[one] is not signal.SIG_IGN]
    for one in heard:
        signal.signal(one, note)
    try:
        yield told
    finally:
        for one in heard:
            signal.signal(one, before[one])


def keep(claims: Sequence[Claim], told: Told) -> None:
    """Keep these alive until we are told to stop; nothing of them is left afterwards."""
    adopt_orphans()
    queues = [claim.program.queue for claim in claims if claim.program.queue]
    watchdog = Watchdog(queues)
    looks = Round(watchdog.look, LOOKS, watchdog.forget)
    rounds = [looks, Round(sync_local, LOCAL), Round(wake_rested, LOCAL)] if queues else []
    every = [Kept(claim) for claim in claims]
    try:
        with repeating(rounds):
            _loop(every, watchdog, told)
    finally:
        _stop(every, told)


def _loop(every: Sequence[Kept], watchdog: Watchdog, told: Told) -> None:
    swept = time.monotonic()
    while not told.to_stop:
        for kept in every:
            _tend(kept, watchdog)
        _heed(watchdog, every)
        if time.monotonic() - swept > STRAYS:
            swept = time.monotonic()
            end_strays(_pids(every))
        time.sleep(TICK)


def _tend(kept: Kept, watchdog: Watchdog) -> None:
    now = time.monotonic()
    if kept.process is None:
        if now >= kept.due:
            _start(kept, watchdog)
    elif kept.process.poll() is not None:
        code = kept.process.returncode
        _end(kept, now)
        logger.warning(
            "%s ended with %d; it starts again in %.0f s.", kept.name, code, max(0, kept.due - now)
        )


def _start(kept: Kept, watchdog: Watchdog) -> None:
    program = kept.claim.program
    if program.queue:
        watchdog.hand_back(program.queue, desk.clear(program.queue))
    kept.begun = time.monotonic()
    try:
        kept.process = started(program)
    except OSError as error:  # no memory or no process number left
        _plan(kept, kept.begun)
        logger.warning("%s could not be started: %s", kept.name, error)
        return
    kept.claim.note(kept.process.pid)


def _heed(watchdog: Watchdog, every: Sequence[Kept]) -> None:
    """Start anew whom the watchdog found stuck."""
    while not watchdog.stuck.empty():
        queue = watchdog.stuck.get()
        for kept in every:
            if kept.claim.program.queue == queue and kept.process:
                logger.warning("%s has work and does not begin it; it is started anew.", kept.name)
                _end(kept, time.monotonic())


def _end(kept: Kept, now: float) -> None:
    if kept.process:
        end_child(kept.process)
    kept.process = None
    _plan(kept, now)


def _plan(kept: Kept, now: float) -> None:
    """Say when to start it again: at once, or later and later while it dies at once."""
    kept.sudden_ends = kept.sudden_ends + 1 if now - kept.begun < AT_ONCE else 0
    kept.due = now + (min(2.0 ** (kept.sudden_ends - 1), LONGEST_PAUSE) if kept.sudden_ends else 0.0)


def _stop(every: Sequence[Kept], told: Told) -> None:
    """Tell the main processes alone: a cluster hangs when its workers get the signal too. Then make sure."""
    running = [kept.process for kept in every if kept.process]
    for process in running:
        with suppress(ProcessLookupError):
            process.terminate()
    deadline = time.monotonic() + GRACE
    while any(process.poll() is None for process in running):
        if time.monotonic() > deadline or told.to_hurry:
            break
        time.sleep(0.02)
    for process in running:
        end_child(process)
    for _ in range(GENERATIONS):
        if not end_strays(()):
            break


def _pids(every: Sequence[Kept]) -> set[int]:
    return {kept.process.pid for kept in every if kept.process}
