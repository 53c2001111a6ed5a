"""Which tasks a cluster has taken and not begun, and whether it is at work: files that the watchdog looks at.

The queue between a cluster's processes can't be asked: a worker that is killed while it waits there takes
the queue's lock along, and nothing in the cluster notices. So each step of a task leaves a trace here.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from config.supervisor.claims import folder

BEAT = "beat"  # touched whenever a worker begins or ends, and locked while one is at work


@dataclass(frozen=True, slots=True)
class Sight:
    """What can be seen of a cluster."""

    waiting: bool  # a task was taken for a worker, or its result for the queue
    at_work: bool
    beat: int  # nanoseconds since 1970: when a worker last came, began or ended; 0: none has come yet


def clear(queue: str) -> list[int]:
    """Begin anew; gives the tasks that were taken and never begun."""
    with _bearing():
        place = _place(queue)
        unbegun = [int(path.name) for path in _entries(place) if path.name.isdecimal()]
        shutil.rmtree(place, ignore_errors=True)
        return unbegun
    return []


def look(queue: str) -> Sight:
    """What the cluster of this queue is doing."""
    place = _place(queue)
    waiting = any(path.name != BEAT for path in _entries(place))
    try:
        descriptor = os.open(place / BEAT, os.O_RDWR)
    except FileNotFoundError:
        return Sight(waiting, at_work=False, beat=0)
    try:
        return Sight(waiting, _is_locked(descriptor), os.fstat(descriptor).st_mtime_ns)
    finally:
        os.close(descriptor)


def note_taken(queue: str, task: int) -> None:
    """The cluster took a task from the database."""
    with _bearing():
        (_place(queue) / str(task)).touch()


def note_settled(queue: str, task: int) -> None:
    """The task's row is about to go."""
    with _bearing():
        for name in (str(task), f"{task}.done"):
            (_place(queue) / name).unlink(missing_ok=True)


class Worker:
    """The traces that one worker process leaves."""

    def __init__(self, queue: str) -> None:
        self.queue = queue
        self._at_work = -1

    def come(self, **_: Any) -> None:
        """It is ready for work."""
        with _bearing():
            (_place(self.queue) / BEAT).touch()

    def begin(self, task: dict[str, Any], **_: Any) -> None:
        """It has a task, and is at work until it ends or dies: the kernel lets go of a dead one's lock."""
        with _bearing():
            self._at_work = os.open(_place(self.queue) / BEAT, os.O_RDWR | os.O_CREAT, 0o600)
            fcntl.flock(self._at_work, fcntl.LOCK_SH)
            os.utime(self._at_work)
            (_place(self.queue) / str(task.get("ack_id"))).unlink(missing_ok=True)

    def end(self, task: dict[str, Any], **_: Any) -> None:
        """It hands the result on."""
        with _bearing():
            (_place(self.queue) / f"{task.get('ack_id')}.done").touch()
            os.utime(self._at_work)
            os.close(self._at_work)


def _place(queue: str) -> Path:
    place = folder() / f"{queue}.tasks"
    place.mkdir(mode=0o700, exist_ok=True)
    return place


def _entries(place: Path) -> list[Path]:
    with contextlib.suppress(FileNotFoundError):
        return list(place.iterdir())
    return []


def _is_locked(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    return False


@contextlib.contextmanager
def _bearing() -> Iterator[None]:
    """A trace that can't be left, on a full disk for one, must not stop the work."""
    with contextlib.suppress(OSError):
        yield
