"""Whether the branches of a local remote have moved, by the times of its files alone."""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import os
from typing import TYPE_CHECKING

from repositories.errors import RemoteRefused
from repositories.mirrors.remotes import git_folder, local_folder

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LOOKED_AT = 20_000  # files and folders
_FILES = ("HEAD", "packed-refs")
_FOLDERS = ("refs/heads", "reftable")


def refs_seen(remote: str) -> str:
    """A digest that is another one once a branch of the folder has moved.

    It may change without that, after `git pack-refs` for one. Empty for a remote that is no folder, or whose
    folder cannot be read.
    """
    if not remote.startswith("/"):
        return ""
    try:
        looks = itertools.islice(_looks(git_folder(local_folder(remote))), LOOKED_AT)
        return hashlib.sha256(os.fsencode("\0".join(sorted(looks)))).hexdigest()
    except (RemoteRefused, OSError):
        return ""


def _looks(place: Path) -> Iterator[str]:
    """How everything that branches are written to looks from outside."""
    for name in _FILES:
        with contextlib.suppress(FileNotFoundError):
            yield _look(name, os.lstat(place / name))
    for name in _FOLDERS:
        if (place / name).is_dir():
            yield from _below(str(place / name))


def _below(folder: str) -> Iterator[str]:
    with os.scandir(folder) as entries:
        for entry in entries:
            # Locks come and go; one that goes in this very moment was one, or tells of a change next time.
            with contextlib.suppress(FileNotFoundError):
                yield _look(entry.path, entry.stat(follow_symlinks=False))
                if entry.is_dir(follow_symlinks=False):
                    yield from _below(entry.path)


def _look(name: str, known: os.stat_result) -> str:
    # Git writes a reference beside the old one and renames it: that makes another inode, even within one tick
    # of the clock that files are dated by.
    return f"{name}\0{known.st_mtime_ns} {known.st_size} {known.st_ino}"
