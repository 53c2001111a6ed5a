"""Keeps the programs of an installation alive: the portal, and a cluster of workers for each queue."""

from __future__ import annotations

from collections.abc import Sequence

from config.schedules import set_schedules
from config.supervisor.claims import AlreadyRunning, claimed, last_user, make_way
from config.supervisor.keeping import keep, listening
from config.supervisor.programs import Program, clusters, portal

__all__ = ["AlreadyRunning", "Program", "clusters", "make_way", "portal", "supervise"]


def supervise(programs: Sequence[Program]) -> None:
    """Run these until SIGTERM, SIGINT or SIGHUP; whatever of them dies is started again.

    Raises AlreadyRunning when another supervisor of the same DATA_ROOT keeps one of them.
    """
    with listening() as told, last_user(_stop_database), claimed(programs) as claims:
        if any(program.queue for program in programs):
            set_schedules()
        keep(claims, told)


def _stop_database() -> None:
    """Stop the embedded server; one that `DATABASE_URL` names is not ours to stop."""
    from django.conf import settings
    from django.db import connections

    connections.close_all()
    if settings.DATABASES["default"]["ENGINE"] == "config.postgres":
        from config.postgres.base import our_cluster
        from config.postgres.server import stop

        stop(our_cluster())
