"""Pins: references that keep an indexed commit through a force-push and a gc."""

from __future__ import annotations

import contextlib
import os
import re
import time
from typing import TYPE_CHECKING, NamedTuple

import pygit2

from repositories.errors import CommitMissing, MirrorDamaged
from repositories.mirrors import places
from repositories.reader import commit_exists, open_mirror

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from repositories.models import Repository

PREFIX = "refs/brain/"
YOUNG = 3_600  # seconds in which the row that needs a pin is surely written, or never will be
_PIN = re.compile(r"refs/brain/([0-9a-f-]{1,36})/([a-z]+)/([0-9a-f]{40})\Z")


class Pin(NamedTuple):
    """A commit that a project needs, and what for."""

    project_id: str
    use: str  # "tree", or another word of small letters
    commit: str

    @property
    def reference(self) -> str:
        """The full name of the reference."""
        return f"{PREFIX}{self.project_id}/{self.use}/{self.commit}"


def pin(repository: Repository, project_id: str, use: str, commit: str) -> None:
    """Keep the commit for the project; a pin that is there is young again. Raises CommitMissing."""
    name = Pin(project_id, use, commit).reference
    if not _PIN.match(name) or not commit_exists(repository.mirror, commit):
        raise CommitMissing(f"The mirror does not hold the commit {commit!r}.")
    with places.pins_locked(repository):
        try:
            open_mirror(repository.mirror).references.create(name, commit, force=True)
            os.utime(_file_of(repository.mirror, name))
        except (pygit2.GitError, OSError) as error:
            raise MirrorDamaged("The pin cannot be written.") from error


def unpin(repository: Repository, project_id: str, use: str, commit: str) -> None:
    """Let the commit go; a pin that is gone, or a mirror, is no error."""
    _drop(repository, [Pin(project_id, use, commit)])


def unpin_all(repository: Repository, project_id: str) -> None:
    """Let every commit of the project go."""
    _drop(repository, [held for held in pins(repository) if held.project_id == project_id])


def sweep_pins(repository: Repository, needed: Collection[tuple[str, str, str]]) -> int:
    """Drop the pins that are not among the needed and were there an hour ago; how many.

    A build makes its pin before it writes the row that needs it, so a young one is left alone.
    """
    with places.pins_locked(repository):
        before = time.time() - YOUNG
        unneeded = set(pins(repository)) - set(needed)
        old = [held for held in unneeded if _made_at(repository.mirror, held.reference) < before]
        _drop(repository, old)
    return len(old)


def pins(repository: Repository) -> list[Pin]:
    """Every pin of the repository; none without a mirror."""
    if not repository.mirror.exists():
        return []
    names = open_mirror(repository.mirror).raw_listall_references()
    found = (_PIN.match(name.decode(errors="replace")) for name in sorted(names))
    return [Pin(pin[1], pin[2], pin[3]) for pin in found if pin]


def _drop(repository: Repository, unwanted: list[Pin]) -> None:
    if not repository.mirror.exists():
        return
    references = open_mirror(repository.mirror).references
    for held in unwanted:
        if held.reference in references:
            references.delete(held.reference)


def _file_of(mirror: Path, reference: str) -> Path:
    # A packed reference has no time of its own. It is at least as old as the file, which is written anew by a
    # gc or when a packed reference goes: then its sweep is put off by an hour, never brought forward.
    loose = mirror / reference
    return loose if loose.exists() else mirror / "packed-refs"


def _made_at(mirror: Path, reference: str) -> float:
    with contextlib.suppress(FileNotFoundError):
        return _file_of(mirror, reference).stat().st_mtime
    return time.time()  # packed or dropped this very moment
