"""`manage.py serve`: the portal and its workers in the foreground, until it is told to stop."""

from __future__ import annotations

import socket
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError, ProgrammingError, connections

from config.supervisor import AlreadyRunning, Program, clusters, make_way, portal, supervise

if TYPE_CHECKING:
    from django.core.management.base import CommandParser


class Command(BaseCommand):
    """What it starts is kept alive, and stops with it."""

    help = "Serve the portal and work; Ctrl-C or SIGTERM stops all of it, with the embedded database."

    def add_arguments(self, parser: CommandParser) -> None:
        add_address(parser)
        parser.add_argument(
            "--no-workers", action="store_true", help="serve alone, where `work` runs by itself"
        )

    def handle(self, *, host: str, port: int, no_workers: bool = False, **_options: Any) -> None:
        programs = [portal(host, port), *([] if no_workers else clusters())]
        prepare(programs, host, port)
        settings.STATIC_ROOT.mkdir(parents=True, exist_ok=True)  # whitenoise warns of a missing one
        run(programs)


def add_address(parser: CommandParser) -> None:
    """The two options that say where to listen."""
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen on (%(default)s)")
    parser.add_argument("--port", default=8000, type=int, help="the port to listen on (%(default)s)")


def prepare(programs: Sequence[Program], host: str, port: int) -> None:
    """Stop with a sentence when these run already, or when somebody else listens there."""
    try:
        make_way(programs)
    except AlreadyRunning as refusal:
        raise CommandError(str(refusal)) from None
    refuse_taken(host, port)


def run(programs: Sequence[Program]) -> None:
    """Keep these alive until we are told to stop; what prevents that from the start is told in a sentence."""
    connections.close_all()
    try:
        supervise(programs)
    except (AlreadyRunning, OperationalError) as refusal:
        raise CommandError(str(refusal)) from None
    except ProgrammingError as error:
        raise CommandError(f"The database lacks tables; run `manage.py migrate` first ({error}).") from None


def refuse_taken(host: str, port: int) -> None:
    """Stop with a sentence when somebody listens there already."""
    try:
        family, kind, protocol, _name, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except (OSError, OverflowError) as error:
        raise CommandError(f"Can't listen on {host}, port {port} ({error}): choose another port.") from None
