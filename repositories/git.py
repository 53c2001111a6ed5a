"""The one module that runs the git command; bytes in, bytes out."""

from __future__ import annotations

import contextlib
import functools
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from repositories import processes
from repositories.errors import RepositoryError
from repositories.processes import USUAL, Completed, Limits, Listener, Watcher

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

OLDEST = (2, 37)  # the first git that pins addresses: http.curloptResolve

# Options of every call. Neither the machine's nor a person's configuration is read: see _environment.
ALWAYS = {
    "core.hooksPath": "/dev/null",
    "core.fsmonitor": "false",
    "core.askPass": "",
    "core.bigFileThreshold": "32m",  # a larger blob is streamed and never held in memory
    "credential.helper": "",
    "credential.interactive": "false",
    "gc.auto": "0",
    "maintenance.auto": "false",
    "log.showRoot": "true",
    "fetch.unpackLimit": "1",  # every fetch ends as one checked pack
    "pack.threads": "2",
    "protocol.allow": "never",
}
NETWORK = {
    "protocol.https.allow": "always",
    "http.followRedirects": "false",
    "http.proxy": "",
    "http.sslVerify": "true",
    "http.lowSpeedLimit": "1000",  # bytes a second, for as long as the connection is patient
    "http.emptyAuth": "false",
}


class GitTooOld(RepositoryError):
    """The git command of this machine lacks what a safe fetch needs."""


class GitFailed(RepositoryError):
    """git ended with another code than 0; `stderr` is unscrubbed and never shown."""

    def __init__(self, code: int, stderr: bytes) -> None:
        super().__init__(f"git ended with code {code}.")
        self.code = code
        self.stderr = stderr


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection:
    """How git may reach one remote: an https origin, or a folder of this machine when `origin` is empty."""

    origin: str = ""  # "https://host" or "https://host:8443"
    pin: str = ""  # "host:port:address[,address…]": the addresses that were checked
    header: str = ""  # the authorisation, for this origin alone; kept off the command line
    authority: Path | None = None  # a certificate authority instead of the machine's
    patience: int = 60  # seconds below the lowest speed before git gives up


def run(
    mirror: Path | None,
    *arguments: str,
    connection: Connection | None = None,
    input: bytes = b"",  # noqa: A002 (the word of the trade)
    limits: Limits = USUAL,
    heard: Listener | None = None,
    watch: Watcher | None = None,
) -> Completed:
    """Run git on a mirror, or on none. Raises GitFailed unless it ends with code 0."""
    with _named():
        return processes.run(
            _command(mirror, arguments),
            env=_environment(mirror, connection),
            cwd=None if mirror else Path("/"),  # no repository of the current folder may be found
            input=input,
            limits=limits,
            heard=heard,
            watch=watch,
        )


def stream(mirror: Path, *arguments: str, limits: Limits = USUAL) -> Iterator[bytes]:
    """What git writes to stdout, as it comes; the errors of `run` on the way and at the end."""
    with _named():
        yield from processes.stream(
            _command(mirror, arguments), env=_environment(mirror, None), limits=limits
        )


@functools.cache
def require_version() -> None:
    """Raises GitTooOld when the git command is older than 2.37, or missing."""
    try:
        said = run(None, "--version").stdout
    except FileNotFoundError as error:
        raise GitTooOld("The git command was not found; Git 2.37 or newer is needed.") from error
    found = re.search(rb"(\d+)\.(\d+)", said)
    if found is None or (int(found[1]), int(found[2])) < OLDEST:
        raise GitTooOld(f"Git 2.37 or newer is needed; this is {said.decode(errors='replace').strip()!r}.")


@contextlib.contextmanager
def _named() -> Iterator[None]:
    try:
        yield
    except processes.ProcessFailed as error:
        raise GitFailed(error.code, error.stderr) from None


def _command(mirror: Path | None, arguments: tuple[str, ...]) -> list[str]:
    place = [] if mirror is None else [f"--git-dir={mirror}"]
    return ["git", "--no-pager", *place, *arguments]


def _environment(mirror: Path | None, connection: Connection | None) -> dict[str, str]:
    # Options go by the environment: every user of a machine can read a command line.
    options = dict(ALWAYS)
    if mirror is not None:
        options["safe.directory"] = str(mirror)
    if connection is not None:
        options |= _connecting(connection)
    allowed = "" if connection is None else "https" if connection.origin else "file"
    return {
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_ALLOW_PROTOCOL": allowed,
        "GIT_PROTOCOL_FROM_USER": "0",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_FLUSH": "0",  # whole buffers: a log is read in a tenth of the pieces
        **_numbered(options),
    }


def _connecting(connection: Connection) -> dict[str, str]:
    if not connection.origin:
        return {"protocol.file.allow": "always"}
    options = NETWORK | {"http.lowSpeedTime": str(connection.patience)}
    if connection.pin:
        options["http.curloptResolve"] = connection.pin
    if connection.header:
        options[f"http.{connection.origin}/.extraHeader"] = connection.header
    if connection.authority is not None:
        options["http.sslCAInfo"] = str(connection.authority)
    return options


def _numbered(options: Mapping[str, str]) -> dict[str, str]:
    pairs: dict[str, str] = {"GIT_CONFIG_COUNT": str(len(options))}
    for number, (key, value) in enumerate(options.items()):
        pairs |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    return pairs
