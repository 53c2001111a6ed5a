"""What can be kept alive, and how each is started."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings

QUEUE = "Q_CLUSTER_NAME"  # says to a cluster which queue it works on


@dataclass(frozen=True, slots=True)
class Program:
    """A process that is kept, with all that it starts, in a session of its own."""

    name: str
    argv: tuple[str, ...]
    queue: str = ""  # the one it works on; none: it is the portal
    environment: dict[str, str] = field(default_factory=dict)


def portal(host: str, port: int) -> Program:
    """The web server of portal and API."""
    bind = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    serve = ("-m", "gunicorn", "-c", "python:config.gunicorn", "-b", bind, "config.wsgi")
    return Program("portal", (sys.executable, *serve))


def clusters() -> list[Program]:
    """A cluster of workers for each queue that the settings name."""
    configured: dict[str, Any] = settings.Q_CLUSTER
    queues = [configured["name"], *configured["ALT_CLUSTERS"]]
    work = (sys.executable, "manage.py", "qcluster")
    return [Program(queue, work, queue, {QUEUE: queue}) for queue in queues]


def started(program: Program) -> subprocess.Popen[bytes]:
    """The program, now running: out of reach of the signals that a terminal or a group gets."""
    inherited = {name: value for name, value in os.environ.items() if name != QUEUE}
    return subprocess.Popen(
        program.argv,
        cwd=settings.BASE_DIR,
        env=inherited | program.environment,
        stdin=subprocess.DEVNULL,
        start_new_session=True,
    )
