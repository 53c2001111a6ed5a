"""The wanted builds one by one, each in a process that may crash, hang or grow without harm to its worker."""

from __future__ import annotations

import logging
import os
import signal
import sys
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.db import connections
from django.utils import timezone

from brain import store
from brain.builds.queue import wake
from brain.builds.running import INTERRUPTED, Postponed, build
from brain.errors import BuildFailed
from brain.store import Source
from repositories import confinement, processes
from repositories.processes import Limits, OutputTooLarge, ProcessFailed, ProcessTimeout

logger = logging.getLogger(__name__)

WALL = 660.0  # seconds
CPU = 660  # seconds, of each process
MEMORY = 6 << 30  # bytes of address space of each process: maps of packs and snapshots count
FILES = 1_024  # open at a time
BUSY = timedelta(seconds=5)  # until a build that found another one running is tried again
NIGHTLY = "nightly"
TIMEOUT = "timeout: The build took too long and was stopped."
# Who kills a process tells no reason: it may have been the system, short of memory for others.
KNOWN_ENDS: dict[int, str] = {signal.SIGXCPU: TIMEOUT, signal.SIGKILL: ""}


def run_next() -> bool:
    """Make the oldest wanted build in a process of its own; False when none may start now."""
    taken = store.take()
    if taken is None:
        return False
    source, job = taken
    store.note_end(source.pk, job.job, _end_of("build", source, job.job))
    if store.is_any_ready():
        wake()
    return True


def run_job(source: Source, job_id: str) -> None:
    """Within that process: make the build, if it is still the one that is noted as running.

    Raises BuildFailed, after noting it.
    """
    job = store.job_of(source)
    if job is None or job.job != job_id:
        return
    try:
        build(source, whole=job.whole, asked_by=job.by, patient=job.patient)
    except Postponed as postponed:
        store.put_back(source.pk, job_id, postponed.until)
    except BuildFailed as failure:
        if failure.code == INTERRUPTED:
            connections.close_all()
            store.note_end(source.pk, job_id, "")
        elif failure.code == store.BUSY:
            store.put_back(source.pk, job_id, timezone.now() + BUSY, busy=True)
        else:
            raise


def confine() -> None:
    """Bound what this process and those it starts may take, and let it end with the worker."""
    confinement.limit_this_process(cpu=CPU, memory=MEMORY, files=FILES)
    confinement.end_with_parent()


def check_next() -> None:
    """Prove the tree that was not proven for the longest time, in a process of its own."""
    source = store.least_proven()
    if source is not None:
        end = _end_of("check", source, NIGHTLY)
        if end:
            logger.error("The tree of %s could not be proven: %s", source, end)


def _end_of(verb: str, source: Source, job: str) -> str:
    """Run the process; what is to be noted when it ended without a word of its own, "" for a loss."""
    manage = str(Path(settings.BASE_DIR) / "manage.py")
    argv = [sys.executable, manage, "project", verb, str(source.project_id), "--job", job]
    connections.close_all()  # it may take long, and the worker's session needs not wait for it
    try:
        processes.run(argv, env=dict(os.environ), limits=Limits(seconds=WALL))
    except (ProcessTimeout, OutputTooLarge):
        return TIMEOUT
    except ProcessFailed as failed:
        code, complaint = failed.code, failed.stderr.decode(errors="replace").strip()
        logger.warning("The %s of %s ended with %s: %s", verb, source, code, complaint[-2_000:])
        if code < 0 and -code in KNOWN_ENDS:
            return KNOWN_ENDS[-code]
        how = f"signal {signal.Signals(-code).name}" if code < 0 else f"code {code}"
        return f"crashed: The process ended with {how}."
    return ""
