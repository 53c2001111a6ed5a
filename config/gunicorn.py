"""How gunicorn serves the portal: `python -m gunicorn -c python:config.gunicorn config.wsgi`."""

from __future__ import annotations

import sys
from importlib import import_module
from threading import Thread
from typing import Any

from django.conf import settings

worker_class = "gthread"
workers = 2
threads = 4
graceful_timeout = 1  # seconds an answer may still take when the server is told to stop
limit_request_line = 8190  # bytes: gunicorn's greatest, for node ids beyond ASCII are long in an address
loglevel = "warning"
control_socket_disable = True


def when_ready(arbiter: Any) -> None:
    """Say where it listens, now that it does."""
    addresses = ", ".join(f"{listener}/" for listener in arbiter.LISTENERS)
    sys.stdout.write(f"Kintsugi Brain listens on {addresses} and stops with Ctrl-C.\n")
    if not settings.PLAIN_HTTP:
        sys.stdout.write(
            "It answers behind a TLS proxy only; PLAIN_HTTP=true serves plain http on this machine.\n"
        )
    sys.stdout.flush()


def post_worker_init(_worker: Any) -> None:
    """Load what agents need while nobody waits: the first message to a worker would take a second more."""
    Thread(target=import_module, args=("config.mcp.exchange",), name="warm-up", daemon=True).start()
