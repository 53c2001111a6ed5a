"""`manage.py work`: the workers alone, for a machine that serves nobody or beside `serve --no-workers`."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from config.management.commands.serve import run
from config.supervisor import clusters


class Command(BaseCommand):
    """A cluster for each queue, kept alive."""

    help = "Build, sync and do what the clock asks for; Ctrl-C or SIGTERM stops all of it."

    def handle(self, **_options: Any) -> None:
        run(clusters())
