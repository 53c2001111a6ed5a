"""What a killed server leaves behind: a pid file that lies, orphans, a dead socket."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import psutil

if TYPE_CHECKING:
    from pathlib import Path

ORPHANS = 1.0  # seconds that the children of a killed server get to notice it


def postmaster_runs(data: Path) -> bool:
    """Whether the pid file names a living server of this data folder.

    The number alone says little: after a kill it belongs to a zombie, after a restart to anybody.
    """
    try:
        pid = int((data / "postmaster.pid").read_text().split()[0])
        return _serves(psutil.Process(pid), data)
    except (FileNotFoundError, IndexError, ValueError, psutil.Error):
        return False


def clear_remains(data: Path, sockets: Path) -> None:
    """Make way for a new server; call it only when no postmaster runs."""
    pid_file = data / "postmaster.pid"
    if pid_file.exists():
        _end_orphans(data)
        pid_file.unlink()
    for left in sockets.glob(".s.PGSQL*"):
        left.unlink()


def _end_orphans(data: Path) -> None:
    """Wait for the children of a killed postmaster; a new one refuses to share memory with them."""
    deadline = time.monotonic() + ORPHANS
    while orphans := [process for process in psutil.process_iter() if _serves(process, data)]:
        if time.monotonic() > deadline:
            for process in orphans:
                process.kill()
        time.sleep(0.02)


def _serves(process: psutil.Process, data: Path) -> bool:
    """Whether this is a living server process; each has its data folder as working folder."""
    try:
        named, dead = process.name() == "postgres", process.status() == psutil.STATUS_ZOMBIE
        return named and not dead and process.cwd() == str(data.resolve())
    except psutil.Error:
        return False
