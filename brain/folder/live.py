"""A folder that is served while people write in it."""

from __future__ import annotations

import math
import time
from dataclasses import replace
from pathlib import Path

from brain.folder.commits import Commits, Holding, bare_git_of, head_of
from brain.folder.files import Files
from brain.folder.held import FolderStore, Held
from brain.folder.opening import require_folder
from brain.tree.nodes import ROOT

FRESH_FOR = 2.0  # seconds after a listing before the folder is looked at again


class LiveFolder:
    """The tree of a folder as it is now: of the files on disk, or of HEAD in a bare repository.

    It remembers what it has read, for one caller at a time. Nothing is written, and no database is opened.
    """

    def __init__(self, folder: Path) -> None:
        """Raises InvalidArgument for what is no folder, and for a bare repository without a HEAD to read."""
        require_folder(folder)
        self._folder = folder.absolute()
        if git := bare_git_of(self._folder):
            head_of(git)
        self._files, self._commits = Files(self._folder), Commits(self._folder)
        self._holding = Holding()
        self._store: FolderStore | None = None
        self._listed = -math.inf

    def store(self) -> FolderStore:
        """The tree, listed anew when the last listing is old; the very same object while nothing changes.

        It names HEAD's branch and commit when HEAD holds every document just as it is on disk, and no other,
        so that a citation never names a commit that lacks its text; below the root of a work tree it never
        does. Raises Refusal while the folder is gone, and what `Files` and `Commits` raise.
        """
        now = time.monotonic()
        if self._store is None or now - self._listed >= FRESH_FOR:
            self._store = self._renewed(self._store)
            self._listed = now
        return self._store

    def inside(self, reference: str) -> str:
        """The node id that an absolute path inside the folder stands for; all else comes back as it is.

        Links on the way are resolved, so that any spelling of the folder is good, and what leads out of it
        is not inside. What follows a `#` stays. Raises what `store` raises.
        """
        if not reference.startswith("/"):
            return reference
        root = self._folder.resolve()
        for marks in sorted({str(self._folder).count("#"), str(root).count("#")}):  # of the folder's own path
            parts = reference.split("#")
            place, anchor = "#".join(parts[: marks + 1]), parts[marks + 1 :]
            below = _below(root, place)
            if below is not None:
                return "#".join([self._id_of(below, place), *anchor])
        return reference

    def _renewed(self, store: FolderStore | None) -> FolderStore:
        held = self._held()
        return store if store is not None and _is_same(store.held, held) else FolderStore(held)

    def _held(self) -> Held:
        if git := bare_git_of(self._folder):
            return self._commits.held(git)
        held = self._files.held()
        branch, commit = self._holding.head(self._folder, self._files.blobs)
        return replace(held, branch=branch, commit=commit)

    def _id_of(self, below: str, place: str) -> str:
        is_folder = place.endswith("/") or self.store().node(f"{below}/") is not None
        return ROOT if below == "." else f"{below}/" if is_folder else below


def _is_same(one: Held, other: Held) -> bool:
    return one.tree is other.tree and (one.branch, one.commit) == (other.branch, other.commit)


def _below(root: Path, place: str) -> str | None:
    """The way from the root to a place inside, "." for itself; None for any place that is not inside."""
    try:
        return Path(place).resolve().relative_to(root).as_posix()
    except (ValueError, OSError, RuntimeError):  # outside; a NUL, or a loop of links
        return None
