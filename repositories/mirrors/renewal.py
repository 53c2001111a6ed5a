"""A damaged mirror cloned again beside the old one, and put in its place."""

from __future__ import annotations

import contextlib
import secrets
from typing import TYPE_CHECKING

import pygit2

from repositories.errors import FetchFailed, MirrorDamaged, MirrorMissing
from repositories.git import GitFailed
from repositories.mirrors import fetching, places
from repositories.mirrors.pins import PREFIX
from repositories.processes import ProcessError
from repositories.reader import open_mirror

if TYPE_CHECKING:
    from pathlib import Path

    from repositories.mirrors.fetching import SyncLimits
    from repositories.mirrors.progress import Progress
    from repositories.mirrors.remotes import Reach
    from repositories.models import Repository

OURS = (PREFIX.encode(), b"refs/heads/kintsugi/")  # what no remote can give back


def renew(repository: Repository, reach: Reach, limits: SyncLimits, progress: Progress | None) -> None:
    """Clone anew, save of the old mirror what can be saved, and swap. Until then the old one stays."""
    old, new = repository.mirror, repository.mirror.with_suffix(".new")
    places.discard(new)
    try:
        fetching.create(new)
        fetching.fetch(new, reach, limits, progress)
    except FetchFailed:
        places.discard(new)
        raise
    for name, commit in _references(old).items():
        if name.startswith(OURS):
            _save(name.decode(), commit, old, new)
    _name_packs_anew(new)
    _swap(old, new)
    places.damage_note(repository).unlink(missing_ok=True)


def _references(mirror: Path) -> dict[bytes, str]:
    found: dict[bytes, str] = {}
    with contextlib.suppress(MirrorDamaged, MirrorMissing, pygit2.GitError):
        repository = open_mirror(mirror)
        for name in repository.raw_listall_references():
            with contextlib.suppress(KeyError, UnicodeDecodeError, ValueError, pygit2.GitError):
                found[name] = str(repository.lookup_reference(name.decode()).target)
    return found


def _save(name: str, commit: str, old: Path, new: Path) -> None:
    try:
        open_mirror(new).references.create(name, commit, force=True)
    except (KeyError, ValueError, pygit2.GitError):
        # The remote has dropped the commit; where it lies in the damaged part, it is lost.
        with contextlib.suppress(GitFailed, ProcessError):
            fetching.copy_from(old, new, name)


def _name_packs_anew(mirror: Path) -> None:
    # libgit2 shares open packs by their path among all handles of a process. The new pack would have the path
    # of the broken one, and be read from the broken one for as long as any handle holds it.
    packs = mirror / "objects/pack"
    for pack in list(packs.glob("pack-*.pack")):
        name = f"pack-{secrets.token_hex(20)}"
        # The index last: it is what makes a pack be seen.
        for part in sorted(packs.glob(f"{pack.stem}.*"), key=lambda part: part.suffix == ".idx"):
            part.rename(part.with_name(name + part.suffix))


def _swap(old: Path, new: Path) -> None:
    aside = old.with_suffix(".old")
    places.discard(aside)
    with contextlib.suppress(FileNotFoundError):
        old.rename(aside)
    new.rename(old)
    places.discard(aside)
