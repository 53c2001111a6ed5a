"""The product as an operator sets it up: a sample repository, a project, a member, a token, a server."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from config.place import socket_folder
from tests.environment import CHECKOUT

PROJECT, MEMBER = "sample", "ada"
PATIENCE = 120.0  # seconds; only a failure takes as long
KEPT = ("PATH", "HOME", "LANG", "VIRTUAL_ENV", "KINTSUGI_PG_BIN")  # of the environment
FIRST = {
    "README.md": "# Sample\n\nA shop. See its [limits](guides/limits.md).\n",
    "guides/limits.md": "# Limits\n\nEvery refund has a limit.\n\n## Refunds\n\nThe team lead approves refunds.\n",
    "decisions/0001.md": "# ADR-0001 Refunds are small\n\nSmall ones need no committee.\n",
}
SECOND = {"guides/limits.md": f"{FIRST['guides/limits.md']}\nADR-0001 says why.\n"}


@dataclass(frozen=True, slots=True)
class Product:
    """What others have to know of it."""

    port: int
    token: str
    folder: Path  # the sample repository, with its files
    first: str  # the commit before the one that is read
    environment: Mapping[str, str]

    @property
    def address(self) -> str:
        """Where agents ask."""
        return f"http://127.0.0.1:{self.port}/mcp"


@contextmanager
def a_product() -> Iterator[Product]:
    """A new installation, served until the end, of which nothing is left then."""
    root = Path(tempfile.mkdtemp(prefix="kintsugi-conformance-", dir="/var/tmp"))
    root.chmod(0o711)  # the database server of a root user runs as somebody else
    folder, data = root / "sample", root / "data"
    environment = {name: os.environ[name] for name in KEPT if name in os.environ} | {
        "DATA_ROOT": str(data),
        "MIRROR_LOCAL_ROOTS": str(root),
        "PLAIN_HTTP": "true",
        "RATE_LIMITS": "off",
    }
    try:
        first = _sample(folder)
        token = _set_up(folder, environment)
        with _served(environment, root / "said") as port:
            yield Product(port, token, folder, first, environment)
    finally:
        shutil.rmtree(root)
        shutil.rmtree(socket_folder(data), ignore_errors=True)


def _sample(folder: Path) -> str:
    """A repository of two commits; the first one."""
    _git(folder, "init", "--quiet", "--initial-branch=main", str(folder), cwd=folder.parent)
    first = _committed(folder, FIRST)
    _committed(folder, SECOND)
    return first


def _committed(folder: Path, files: Mapping[str, str]) -> str:
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    _git(folder, "add", "--all")
    somebody = ("-c", "user.name=Sam", "-c", "user.email=sam@example.org")
    _git(folder, *somebody, "commit", "--quiet", "--message", "Write of refunds")
    return _git(folder, "rev-parse", "HEAD")


def _git(folder: Path, *arguments: str, cwd: Path | None = None) -> str:
    done = subprocess.run(["git", *arguments], cwd=cwd or folder, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def _set_up(folder: Path, environment: Mapping[str, str]) -> str:
    """Everything before the server starts; the token."""
    _managed(environment, "migrate", "--verbosity", "0")
    _managed(environment, "project", "add", PROJECT, "--repository", str(folder))
    _managed(environment, "project", "build", PROJECT)
    _managed(environment, "member", "add", MEMBER, "--project", PROJECT, "--role", "member")
    made = _managed(environment, "token", "create", "--member", MEMBER, "--project", PROJECT, "--json")
    token: dict[str, Any] = json.loads(made)
    return str(token["token"])


def _managed(environment: Mapping[str, str], *arguments: str) -> str:
    argv = [sys.executable, "manage.py", *arguments]
    with tempfile.TemporaryFile("w+") as said:  # no pipe: the database that is started would hold it
        done = subprocess.run(
            argv, cwd=CHECKOUT, env=environment, stdout=said, stderr=said, timeout=PATIENCE, check=False
        )
        said.seek(0)
        answer = said.read()
    if done.returncode:
        sys.exit(f"manage.py {' '.join(arguments)} ended with {done.returncode}:\n{answer}")
    return answer


@contextmanager
def _served(environment: Mapping[str, str], said: Path) -> Iterator[int]:
    """The port of a server that answers, and stops in the end with its database."""
    port = free_port()
    argv = [sys.executable, "manage.py", "serve", "--no-workers", "--port", str(port)]
    with said.open("w") as file:
        process = subprocess.Popen(
            argv, cwd=CHECKOUT, env=environment, stdout=file, stderr=file, start_new_session=True
        )
    try:
        _wait_for(f"http://127.0.0.1:{port}/signin", process, said)
        yield port
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=PATIENCE)


def free_port() -> int:
    """A port of this machine that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_for(address: str, process: subprocess.Popen[bytes], said: Path) -> None:
    end = time.monotonic() + PATIENCE
    while process.poll() is None and time.monotonic() < end:
        try:
            with urllib.request.urlopen(address, timeout=5):
                return
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.2)
    sys.exit(f"The server never answered:\n{said.read_text()}")
