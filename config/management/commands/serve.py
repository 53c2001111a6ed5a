"""`manage.py serve`: the portal in the foreground, until it is told to stop."""

from __future__ import annotations

import os
import socket
import sys
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connections

if TYPE_CHECKING:
    from django.core.management.base import CommandParser


class Command(BaseCommand):
    """Become gunicorn, so that signals reach it and nothing stands between."""

    help = "Serve the portal in the foreground; Ctrl-C or SIGTERM stops it, with the embedded database."

    def add_arguments(self, parser: CommandParser) -> None:
        add_address(parser)

    def handle(self, *, host: str, port: int, **_options: Any) -> None:
        refuse_taken(host, port)
        settings.STATIC_ROOT.mkdir(parents=True, exist_ok=True)  # whitenoise warns of a missing one
        connections.close_all()
        os.chdir(settings.BASE_DIR)
        bind = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        argv = [sys.executable, "-m", "gunicorn", "-c", "python:config.gunicorn", "-b", bind, "config.wsgi"]
        self.stdout.flush()
        os.execv(sys.executable, argv)  # noqa: S606 -- no shell is meant


def add_address(parser: CommandParser) -> None:
    """The two options that say where to listen."""
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen on (%(default)s)")
    parser.add_argument("--port", default=8000, type=int, help="the port to listen on (%(default)s)")


def refuse_taken(host: str, port: int) -> None:
    """Stop with a sentence when somebody listens there already."""
    try:
        family, kind, protocol, _name, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except (OSError, OverflowError) as error:
        raise CommandError(f"Can't listen on {host}, port {port} ({error}): choose another port.") from None
