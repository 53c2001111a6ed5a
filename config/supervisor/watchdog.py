"""Finds the cluster that begins no task any more, as one does when an idle worker of it was killed."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from queue import SimpleQueue

from django.db import DatabaseError
from django.utils import timezone
from django_q.models import OrmQ

from config.schedules import ask_again
from config.supervisor import desk
from config.supervisor.desk import Sight

STUCK_AFTER = 10.0  # seconds in which something waits, nobody is at work, and nothing begins or ends
STARTS_WITHIN = 60.0  # seconds until the first worker has to be there


class Judgement:
    """Whether one cluster is stuck, from what was seen of it so far.

    Time is counted between looks and not read from files, as clocks are set and machines sleep.
    """

    def __init__(self) -> None:
        self._beat = -1
        self._since = 0.0

    def is_stuck(self, sight: Sight, now: float) -> bool:
        """Judge the next look; after a True, judging begins anew."""
        if not sight.waiting or sight.at_work or sight.beat != self._beat:
            self._beat, self._since = sight.beat, now
            return False
        if now - self._since < (STUCK_AFTER if sight.beat else STARTS_WITHIN):
            return False
        self.forget()
        return True

    def forget(self) -> None:
        """Begin anew: what was seen so far says nothing any more."""
        self._beat = -1


class Watchdog:
    """Looks at the clusters, and brings the tasks that a dead one had taken back to the queue."""

    def __init__(self, queues: Sequence[str]) -> None:
        self.stuck: SimpleQueue[str] = SimpleQueue()  # whom to start anew
        self._left: SimpleQueue[tuple[str, list[int]]] = SimpleQueue()
        self._judgements = {queue: Judgement() for queue in queues}

    def hand_back(self, queue: str, tasks: list[int]) -> None:
        """Have tasks that were taken and never begun given to the cluster that starts now."""
        self._left.put((queue, tasks))

    def look(self) -> None:
        """One round: say who is stuck."""
        self._return_tasks()
        for queue, judgement in self._judgements.items():
            if judgement.is_stuck(_seen(queue), time.monotonic()):
                self.stuck.put(queue)

    def forget(self) -> None:
        """Judge anew: a cluster that waits for the database is not stuck."""
        for judgement in self._judgements.values():
            judgement.forget()

    def _return_tasks(self) -> None:
        """After a start, a crash or a cure; what had begun and was lost is for the minute job to find."""
        begun_anew = False
        while not self._left.empty():
            queue, tasks = self._left.get()
            begun_anew = True
            try:
                OrmQ.objects.filter(key=queue, pk__in=tasks).update(lock=timezone.now())
            except DatabaseError:
                self._left.put((queue, tasks))
                raise
        if begun_anew:
            ask_again()


def _seen(queue: str) -> Sight:
    sight = desk.look(queue)
    if sight.waiting or not OrmQ.objects.filter(key=queue, lock__lt=timezone.now()).exists():
        return sight
    return replace(sight, waiting=True)
