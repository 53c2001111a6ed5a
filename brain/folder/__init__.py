"""A tree from a folder or a Git repository, without any database."""

from brain.folder.held import FolderStore, Held
from brain.folder.live import LiveFolder
from brain.folder.opening import open_folder

__all__ = ["FolderStore", "Held", "LiveFolder", "open_folder"]
