"""From a folder on disk, or the HEAD commit of a Git repository, to a tree in memory."""

from __future__ import annotations

from pathlib import Path

from brain.errors import InvalidArgument
from brain.folder.commits import Commits, git_of
from brain.folder.files import Files
from brain.folder.held import FolderStore


def open_folder(folder: Path, *, worktree: bool = False) -> FolderStore:
    """The tree of the folder's HEAD commit when it is a Git repository itself, else of its files on disk.

    `worktree` reads the files on disk in any case. Raises InvalidArgument for what is no folder, and what
    `Commits` and `Files` raise.
    """
    require_folder(folder)
    git = None if worktree else git_of(folder)
    return FolderStore(Files(folder).held() if git is None else Commits(folder).held(git))


def require_folder(folder: Path) -> None:
    """Raises InvalidArgument for what is no folder."""
    if not folder.is_dir():
        raise InvalidArgument("path", "There is no such folder.")
