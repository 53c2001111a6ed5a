"""The files of mirrors: where they stand, who may write them, what they take."""

from __future__ import annotations

import contextlib
import fcntl
import shutil
import time
from typing import TYPE_CHECKING

from repositories.errors import MirrorBusy

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from repositories.models import Repository

STALE = 3_600  # seconds after which a temporary file has lost its writer


@contextlib.contextmanager
def locked(repository: Repository) -> Iterator[None]:
    """Be the only writer of the repository's mirror, in any process. Raises MirrorBusy instead of waiting."""
    repository.mirror.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    # Held by the open file: the lock of a process that dies is free at once.
    with repository.mirror.with_suffix(".lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise MirrorBusy("Another sync of this repository is running.") from error
        yield


@contextlib.contextmanager
def pins_locked(repository: Repository) -> Iterator[None]:
    """Be the only one who makes or sweeps pins of the repository; waits, for neither takes long."""
    repository.mirror.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with repository.mirror.with_suffix(".pins").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def damage_note(repository: Repository) -> Path:
    """The file that says that a reader found the mirror damaged."""
    return repository.mirror.with_suffix(".damaged")


def size_of(folder: Path) -> int:
    """Bytes of the files below the folder; a file that goes meanwhile counts nothing."""
    total = 0
    for place, _, names in folder.walk():
        for name in names:
            with contextlib.suppress(FileNotFoundError):
                total += (place / name).lstat().st_size
    return total


def largest_pack(mirror: Path) -> int:
    """Bytes of the largest pack, 0 without one."""
    return max((pack.stat().st_size for pack in (mirror / "objects/pack").glob("*.pack")), default=0)


def pack_count(mirror: Path) -> int:
    """How many packs the mirror has."""
    return sum(1 for _ in (mirror / "objects/pack").glob("*.pack"))


def free_space(folder: Path) -> int:
    """Bytes that may still be written beside the folder."""
    return shutil.disk_usage(folder.parent).free


def sweep(mirror: Path, *, older: float = STALE) -> None:
    """Remove what a killed fetch or a lost gc left behind."""
    before = time.time() - older
    for pattern in ("pack/tmp_*", "pack/.tmp-*", "??/tmp_obj_*", "tmp_objdir-*"):
        for leftover in (mirror / "objects").glob(pattern):
            with contextlib.suppress(FileNotFoundError):
                if leftover.lstat().st_mtime <= before:
                    discard(leftover)


def discard(place: Path) -> None:
    """Remove a file or a folder, if there is one."""
    if place.is_dir() and not place.is_symlink():
        shutil.rmtree(place, ignore_errors=True)
    else:
        place.unlink(missing_ok=True)
