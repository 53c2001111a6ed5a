"""Processes with all that they started: to find them, and to end them."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass

import psutil

SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER of Linux's prctl
CLOCK_STEP = 2.0  # seconds that the time of a process's creation may seem to move by, when a clock is set
PATIENCE = 5.0  # seconds that the kernel may take to end what was killed


@dataclass(frozen=True, slots=True)
class Identity:
    """A process that was started: more than its number, which another may have got since."""

    pid: int  # of its session, too
    created: float  # seconds since 1970
    argv: tuple[str, ...]


def adopt_orphans() -> None:
    """Become the parent of whatever our children leave behind; elsewhere than on Linux init does."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(SUBREAPER, 1, 0, 0, 0)


def end_family(identity: Identity) -> None:
    """Kill a process that an earlier supervisor started, its session, and what that started elsewhere."""
    _end(family for member in _session(identity) for family in _with_descendants(member))


def end_child(process: subprocess.Popen[bytes]) -> None:
    """Kill a child of ours with its group; it may be dead, and its group not."""
    below = [] if process.poll() is not None else _with_descendants(psutil.Process(process.pid))
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    _end(below)


def end_strays(kept: Iterable[int]) -> bool:
    """Kill what became our child by losing its parent, and collect the dead; whether there was any.

    Strays come from the sessions of our children; what this very process runs is in its own. The first
    process of a container gets strangers, too, and only collects: all ends with the container anyway.
    """
    own, first, found = os.getsid(0), os.getpid() == 1, False
    for child in psutil.Process().children():
        with contextlib.suppress(psutil.Error, ProcessLookupError):
            if child.pid in kept or os.getsid(child.pid) == own:
                continue
            if child.status() == psutil.STATUS_ZOMBIE:
                os.waitpid(child.pid, os.WNOHANG)
            elif not (first or _is_database(child)):
                found = True
                _end(_with_descendants(child))
    return found


def _session(identity: Identity) -> list[psutil.Process]:
    with contextlib.suppress(psutil.NoSuchProcess):
        if abs(psutil.Process(identity.pid).create_time() - identity.created) > CLOCK_STEP:
            return []  # a stranger has the number, which it can't while the session lives
    return [one for one in psutil.process_iter() if _belongs(one, identity)]


def _belongs(process: psutil.Process, identity: Identity) -> bool:
    with contextlib.suppress(psutil.Error, ProcessLookupError, PermissionError):
        return (
            os.getsid(process.pid) == identity.pid
            and process.create_time() > identity.created - CLOCK_STEP
            and tuple(process.cmdline()) == identity.argv  # forks keep it
        )
    return False


def _with_descendants(process: psutil.Process) -> list[psutil.Process]:
    with contextlib.suppress(psutil.NoSuchProcess):
        return [one for one in (process, *process.children(recursive=True)) if not _is_database(one)]
    return []


def _is_database(process: psutil.Process) -> bool:
    """Whether it is the embedded server, which whoever came first has started for everybody."""
    with contextlib.suppress(psutil.Error):
        return process.name() == "postgres"
    return False


def _end(processes: Iterable[psutil.Process]) -> None:
    killed = list(processes)
    for process in killed:
        with contextlib.suppress(psutil.Error):
            process.kill()
    deadline = time.monotonic() + PATIENCE
    while any(map(_lives, killed)) and time.monotonic() < deadline:
        time.sleep(0.01)


def _lives(process: psutil.Process) -> bool:
    with contextlib.suppress(psutil.Error):
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    return False
