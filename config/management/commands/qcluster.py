"""`manage.py qcluster`: one cluster, as the supervisor starts it; by itself nobody looks after it."""

from __future__ import annotations

from typing import Any

from django_q.conf import Conf
from django_q.management.commands import qcluster
from django_q.signals import post_execute_in_worker, post_spawn, pre_execute

from config.supervisor.desk import Worker


class Command(qcluster.Command):  # type: ignore[misc]  # comes without types
    """django-q2's own, whose workers leave traces for the watchdog."""

    requires_system_checks: tuple[str, ...] = ()  # the supervisor has made them

    def handle(self, *arguments: Any, **options: Any) -> None:
        worker = Worker(options["cluster_name"] or Conf.CLUSTER_NAME)
        post_spawn.connect(worker.come, weak=False)
        pre_execute.connect(worker.begin, weak=False)
        post_execute_in_worker.connect(worker.end, weak=False)
        super().handle(*arguments, **options)
