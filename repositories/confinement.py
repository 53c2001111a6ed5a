"""What a process may take, and that it ends with the one that started it: asked of itself, at its start."""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import threading
import time

LOOK = 0.5  # seconds between two looks at the parent


def limit_this_process(*, cpu: int, memory: int, files: int) -> None:
    """Bound this process and, each for itself, those it starts: seconds of CPU, bytes of memory, open files.

    Where a system has no such bound, or already a lower one, that one stays.
    """
    bounds = (
        (resource.RLIMIT_CPU, cpu),
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_NOFILE, files),
        (resource.RLIMIT_CORE, 0),
    )
    for kind, most in bounds:
        _, hard = resource.getrlimit(kind)
        lowest = most if hard == resource.RLIM_INFINITY else min(most, hard)
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(kind, (lowest, hard))


def end_with_parent() -> None:
    """End this process, with its group when it leads one, as soon as its parent is gone.

    A parent that is killed tells nobody, and what runs on for nobody would still write.
    """
    parent = os.getppid()
    threading.Thread(target=_watch, args=(parent,), name="parent", daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(LOOK)
    if os.getpgrp() == os.getpid():
        os.killpg(os.getpid(), signal.SIGKILL)
    os.kill(os.getpid(), signal.SIGKILL)
