"""An installation of a test's own, whose programs really run."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
import psycopg
from django_q.tasks import async_task

from config.place import embedded_database
from config.postgres.server import Cluster, is_alive, start
from tests.environment import CHECKOUT

PATIENCE = 90.0  # seconds; only a failure takes as long


class Installation:
    """A data folder with a database, and the supervisors that run on it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.said = root / "said"
        self.environment = os.environ | {"DATA_ROOT": str(root), "MIRROR_ROOT": str(root / "mirrors")}

    def manage(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run a command to its end."""
        argv = [sys.executable, "manage.py", *arguments]
        with (self.root / "answer").open("w+") as answer:  # no pipe: a server that is started would hold it
            code = subprocess.run(
                argv,
                check=False,
                cwd=CHECKOUT,
                env=self.environment,
                stdout=answer,
                stderr=answer,
                timeout=PATIENCE,
            ).returncode
            answer.seek(0)
            return subprocess.CompletedProcess(argv, code, answer.read())

    @contextmanager
    def running(self, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
        """A supervisor that is told to stop in the end, unless it has ended by then."""
        start(Cluster(self.root))  # so that a test can ask and queue before the first program does
        with self.said.open("a") as said:
            process = subprocess.Popen(
                [sys.executable, "manage.py", *arguments],
                cwd=CHECKOUT,
                env=self.environment,
                stdout=said,
                stderr=said,
                start_new_session=True,
            )
        try:
            yield process
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
            process.wait(timeout=PATIENCE)

    def queue(self, task: str, *arguments: Any, cluster: str = "brain") -> None:
        """Queue a task of `given_tasks`."""
        async_task(
            f"tests.config.given_tasks.{task}", *arguments, broker=_Row(self, cluster), cluster=cluster
        )

    def told(self, name: str) -> list[dict[str, Any]]:
        """What tasks told in this file."""
        path = self.root / name
        return [json.loads(line) for line in path.read_text().split("\n")[:-1]] if path.exists() else []

    def ran(self, name: str, times: int = 1) -> list[dict[str, Any]]:
        """The same, once so many of them have begun."""
        eventually(lambda: len(self.told(name)) >= times)
        return self.told(name)

    def ask(self, query: str, *values: Any) -> list[Any]:
        """Rows of the database."""
        place = embedded_database(self.root)
        with psycopg.connect(
            host=place["HOST"], port=place["PORT"], user=place["USER"], dbname=place["NAME"], autocommit=True
        ) as connection:
            cursor = connection.execute(query, values)
            return cursor.fetchall() if cursor.description else []

    @property
    def has_database(self) -> bool:
        """Whether the embedded server runs."""
        return is_alive(Cluster(self.root))

    def processes(self) -> list[psutil.Process]:
        """All that runs for this installation but the database, known by its environment."""
        return [one for one in psutil.process_iter() if self._is_ours(one)]

    def end(self) -> None:
        """Kill whatever of it runs."""
        while running := self.processes():
            for process in running:
                process.kill()

    def of(self, queue: str) -> list[psutil.Process]:
        """The processes of a cluster: first the main one, then its sentinel."""
        with_queue = [one for one in self.processes() if one.environ().get("Q_CLUSTER_NAME") == queue]
        return sorted(with_queue, key=lambda one: one.pid)

    def _is_ours(self, process: psutil.Process) -> bool:
        try:
            ours = process.environ().get("DATA_ROOT") == str(self.root)
            return ours and process.name() != "postgres" and process.status() != psutil.STATUS_ZOMBIE
        except psutil.Error:
            return False


class _Row:
    """Stands for the queue of an installation whose settings aren't this process's."""

    list_key = "brain"

    def __init__(self, installation: Installation, cluster: str) -> None:
        self.installation, self.cluster = installation, cluster

    def enqueue(self, payload: str) -> int:
        self.installation.ask(
            "INSERT INTO django_q_ormq (key, payload, lock) VALUES (%s, %s, now())", self.cluster, payload
        )
        return 0


def eventually(is_so: Callable[[], Any]) -> Any:
    """What this gives as soon as it gives something."""
    deadline = time.monotonic() + PATIENCE
    while not (answer := is_so()):
        assert time.monotonic() < deadline, "it never came to be"
        time.sleep(0.05)
    return answer


def lives(pid: int) -> bool:
    """Whether there is such a process; what nobody has collected yet is none."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
