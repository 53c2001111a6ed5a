"""Where snapshots lie, and their end."""

from __future__ import annotations

import shutil
import time
from contextlib import suppress
from pathlib import Path

from django.conf import settings

SUFFIX = ".text"
UNFINISHED = ".new"
_FORSAKEN = 3_600  # seconds after which nobody writes an unfinished file any more


def path_of(source_id: int, commit: str) -> Path:
    """Where the snapshot of a project's indexed commit lies."""
    return Path(settings.SNAPSHOT_ROOT) / str(source_id) / f"{commit}{SUFFIX}"


def drop_others(source_id: int, commit: str) -> None:
    """Drop every snapshot of the project but this commit's, and what a killed process left unfinished."""
    kept = path_of(source_id, commit)
    for path in kept.parent.glob(f"*{SUFFIX}"):
        if path != kept:
            path.unlink(missing_ok=True)
    for path in kept.parent.glob(f"*{UNFINISHED}"):
        with suppress(FileNotFoundError):  # a reader finished it meanwhile
            if path.stat().st_mtime < time.time() - _FORSAKEN:
                path.unlink()


def drop_all(source_id: int) -> None:
    """Drop every snapshot of the project."""
    shutil.rmtree(path_of(source_id, "").parent, ignore_errors=True)
