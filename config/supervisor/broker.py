"""The queue in the database: it notes what a cluster takes, and bears a database that restarts."""

from __future__ import annotations

import logging
import time
from typing import Any

from django.db import InterfaceError, OperationalError, connections
from django_q.brokers.orm import ORM

from config.supervisor import desk

PAUSE = 0.5  # seconds before the database is asked again

logger = logging.getLogger(__name__)


class Broker(ORM):  # type: ignore[misc]  # comes without types
    """Named in the settings, so every process that queues a task has it, too."""

    _misses_database = False

    def dequeue(self) -> list[tuple[int, str]] | None:
        """Rows that are ours until `retry` has passed; None when there are none, after a while."""
        try:
            tasks: list[tuple[int, str]] | None = super().dequeue()
        except (OperationalError, InterfaceError) as error:
            # Left alone, it would sleep for ten seconds and then take the process down.
            if not self._misses_database:
                logger.warning("The queue %s waits for the database: %s", self.list_key, error)
            self._misses_database = True
            connections.close_all()
            time.sleep(PAUSE)
            return None
        self._misses_database = False
        for task, _payload in tasks or ():
            desk.note_taken(self.list_key, task)
        return tasks

    def acknowledge(self, task_id: int) -> Any:
        """Remove a row whose task has ended."""
        desk.note_settled(self.list_key, task_id)
        return super().acknowledge(task_id)

    def fail(self, task_id: int) -> Any:
        """Remove a row that can't be read."""
        desk.note_settled(self.list_key, task_id)
        return super().fail(task_id)
