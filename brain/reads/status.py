"""The state of a Brain: the one read that answers in every state."""

from __future__ import annotations

from brain.reads.answers import Status
from brain.store import Store


def read_status(store: Store) -> Status:
    """Where the Brain stands: built or not, how far behind, how much it holds."""
    standing = store.standing
    return Status(
        envelope=store.envelope,
        enabled=standing.enabled,
        wiki=standing.wiki,
        counts=dict(standing.counts),
        error=standing.error,
        attempted_commit=standing.attempted_commit,
        branches=standing.branches,
        progress=dict(standing.progress) if standing.progress else None,
    )
