"""The documentation, opened with the product that it documents."""

from __future__ import annotations

import pytest

from brain.folder import FolderStore, open_folder
from tests.environment import CHECKOUT


class Docs:
    """The tree of this checkout's files, and the few questions that the tests ask."""

    def __init__(self, store: FolderStore) -> None:
        self.store = store

    def is_ours(self, path: str) -> bool:
        """Whether the path is part of the documentation."""
        return path == "README.md" or path.startswith("docs/")

    def text(self, node_id: str) -> str:
        """The text of a document or of a section with all under it."""
        node = self.store.node(node_id)
        assert node is not None, f"{node_id} is missing"
        assert node.lines is not None
        lines = self.store.blob(node).decode().split("\n")
        return "\n".join(lines[node.lines.start - 1 : node.subtree_end])

    def titles(self, node_id: str) -> list[str]:
        """The titles of the sections directly under a node."""
        return [child.title for child in self.store.children(node_id, 0, 1_000)]


@pytest.fixture(scope="session")
def docs() -> Docs:
    return Docs(open_folder(CHECKOUT, worktree=True))
