"""An installation of the suite's own, which this process and all that it starts belong to."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

import psutil
from django.core.management import call_command
from django.db import connection, connections
from django.test import override_settings

from config.place import embedded_database
from config.postgres.server import Cluster, start, stop
from tests.environment import CHECKOUT

PATIENCE = (
    240.0  # seconds; what is lost comes back after two minutes by itself, and only a failure takes as long
)
PARSERS = 2


@dataclass(frozen=True, slots=True)
class Place:
    """A data folder with a database of its own, which may be killed."""

    root: Path

    @property
    def cluster(self) -> Cluster:
        """Its database server."""
        return Cluster(self.root)

    def processes(self) -> list[psutil.Process]:
        """All that was started for it but the database, known by the environment."""
        return [one for one in psutil.process_iter() if self._is_ours(one)]

    def builders(self) -> list[psutil.Process]:
        """The processes of builds: the children of workers, and what parses for them."""
        return [one for one in self.processes() if is_builder(one)]

    @contextmanager
    def supervised(self) -> Iterator[subprocess.Popen[bytes]]:
        """Its workers, kept alive until the end."""
        supervisor = self.start()
        try:
            yield supervisor
        finally:
            self.end()

    def start(self) -> subprocess.Popen[bytes]:
        """Start the supervisor of the workers."""
        start(self.cluster)
        with (self.root / "said").open("a") as said:
            return subprocess.Popen(
                [sys.executable, "manage.py", "work"],
                cwd=CHECKOUT,
                env=os.environ,
                stdout=said,
                stderr=said,
                start_new_session=True,
            )

    def end(self) -> None:
        """Let the supervisors stop what they started, and then end whatever is left."""
        supervisors = [one for one in self.processes() if "work" in command_of(one)]
        for one in supervisors:
            one.send_signal(signal.SIGTERM)
        psutil.wait_procs(supervisors, timeout=PATIENCE)
        for one in self.processes():
            with suppress(psutil.Error):
                one.kill()
        connections.close_all()  # the last supervisor stops the database, which comes back when it is asked

    def _is_ours(self, process: psutil.Process) -> bool:
        try:
            ours = process.environ().get("DATA_ROOT") == str(self.root)
            # What parses for this very process is in its session; all that the suite starts is in others.
            ours = ours and os.getsid(process.pid) != os.getsid(0)
            return ours and process.name() != "postgres" and process.status() != psutil.STATUS_ZOMBIE
        except (psutil.Error, ProcessLookupError):
            return False


def command_of(process: psutil.Process) -> list[str]:
    """Its command line; nothing when it is gone."""
    try:
        return process.cmdline()
    except psutil.Error:
        return []


def is_builder(process: psutil.Process) -> bool:
    """Whether a build runs in it, or is parsed for."""
    words = command_of(process)
    return "--job" in words or any("forkserver" in word for word in words)


def is_gone(process: psutil.Process) -> bool:
    """Whether it has ended; what nobody has collected yet has."""
    try:
        return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE
    except psutil.Error:
        return True


@contextmanager
def an_installation() -> Iterator[Place]:
    """An empty one, migrated; settings, environment and database of this process are its own meanwhile."""
    root = Path(tempfile.mkdtemp(prefix="kintsugi-crash-", dir="/var/tmp"))
    root.chmod(0o711)  # the server of a root user runs as somebody else
    place = Place(root)
    folders = {"DATA_ROOT": root, "MIRROR_ROOT": root / "mirrors", "SNAPSHOT_ROOT": root / "snapshots"}
    told = {name: str(folder) for name, folder in folders.items()}
    told |= {"SYNC_MINUTES": "0", "BRAIN_PARSE_PROCESSES": str(PARSERS), "LOG_LEVEL": "WARNING"}
    try:
        with (
            patch.dict(os.environ, told),
            override_settings(**folders, BRAIN_PARSE_PROCESSES=PARSERS, SYNC_MINUTES=0),
            _database_of(root),
        ):
            os.environ.pop("DATABASE_URL", None)
            start(place.cluster)
            call_command("migrate", verbosity=0)
            from tests.crash.stops import set_up_stops

            set_up_stops()
            yield place
            connections.close_all()
    finally:
        place.end()
        stop(place.cluster)
        shutil.rmtree(root)
        shutil.rmtree(place.cluster.sockets, ignore_errors=True)


@contextmanager
def _database_of(root: Path) -> Iterator[None]:
    """Let every connection of this process, in whatever thread, be one to the database of this folder."""
    before, others = connections["default"], connections.settings["default"]
    connections.close_all()
    mine = {**others, **embedded_database(root), "CONN_MAX_AGE": None, "TEST": others["TEST"]}
    connections.settings["default"] = mine
    del connections["default"]
    try:
        yield
    finally:
        connections.close_all()
        connections.settings["default"] = others
        connections["default"] = before


def ask(query: str, *values: object) -> list[tuple[object, ...]]:
    """Rows of the database, past the product."""
    with connection.cursor() as cursor:
        cursor.execute(query, values)
        return cursor.fetchall() if cursor.description else []
