"""Links to missing Markdown files, and links to headings that a document does not have."""

from __future__ import annotations

from brain.reads.answers import Broken
from brain.store import Store


def read_broken(store: Store) -> Broken:
    """Everything that leads nowhere, by path and first use. Raises BrainOff and NotBuilt."""
    store.require_tree()
    lists = store.broken()
    return Broken(
        envelope=store.envelope,
        links=lists.links,
        truncated=lists.truncated,
        anchors=lists.anchors,
        anchors_truncated=lists.anchors_truncated,
    )
