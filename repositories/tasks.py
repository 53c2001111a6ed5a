"""What workers run of this app: one call each."""

from __future__ import annotations

from repositories import scheduling


def sync(repository_id: int) -> None:
    """Bring one mirror to its remote's state."""
    scheduling.run(repository_id)


def sync_due() -> None:
    """Each minute: queue what is due."""
    scheduling.queue_due_syncs()
