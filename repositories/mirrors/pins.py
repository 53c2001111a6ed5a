"""Pins: references that keep an indexed commit through a force-push and a gc."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pygit2

from repositories.errors import CommitMissing, MirrorDamaged
from repositories.reader import commit_exists, open_mirror

if TYPE_CHECKING:
    from repositories.models import Repository

PREFIX = "refs/brain/"
_PIN = re.compile(r"refs/brain/([0-9a-f-]{1,36})/([a-z]+)/([0-9a-f]{40})\Z")


@dataclass(frozen=True, slots=True)
class Pin:
    """A commit that a project needs, and what for."""

    project_id: str
    use: str  # "tree", or another word of small letters
    commit: str

    @property
    def reference(self) -> str:
        """The full name of the reference."""
        return f"{PREFIX}{self.project_id}/{self.use}/{self.commit}"


def pin(repository: Repository, project_id: str, use: str, commit: str) -> None:
    """Keep the commit for the project; a pin that is there stays. Raises CommitMissing."""
    name = Pin(project_id, use, commit).reference
    if not _PIN.match(name) or not commit_exists(repository.mirror, commit):
        raise CommitMissing(f"The mirror does not hold the commit {commit!r}.")
    try:
        open_mirror(repository.mirror).references.create(name, commit, force=True)
    except (pygit2.GitError, OSError) as error:
        raise MirrorDamaged("The pin cannot be written.") from error


def unpin(repository: Repository, project_id: str, use: str, commit: str) -> None:
    """Let the commit go; a pin that is gone, or a mirror, is no error."""
    _drop(repository, [Pin(project_id, use, commit)])


def unpin_all(repository: Repository, project_id: str) -> None:
    """Let every commit of the project go."""
    _drop(repository, [held for held in pins(repository) if held.project_id == project_id])


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
