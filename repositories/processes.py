"""The one module that starts processes: a clean environment, limits, and an end for the whole group."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from repositories.pipes import DeadlinePassed, Pipes

if TYPE_CHECKING:
    from pathlib import Path
    from typing import IO

STDERR_KEPT = 1 << 16  # bytes: the end of what a process complains is enough


class ProcessError(Exception):
    """A process did not end as it should."""


class ProcessTimeout(ProcessError):
    """The process ran into its wall limit and was killed with all its children."""


class OutputTooLarge(ProcessError):
    """The process wrote more than it may and was killed with all its children."""


class ProcessFailed(ProcessError):
    """The process ended with another code than 0."""

    def __init__(self, code: int, stderr: bytes) -> None:
        super().__init__(f"The process ended with code {code}.")
        self.code = code
        self.stderr = stderr


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one process may take."""

    seconds: float = 60  # wall time
    output: int = 64 << 20  # bytes of standard output


USUAL = Limits()


@dataclass(frozen=True, slots=True)
class Completed:
    """A process that has ended with code 0, and what it wrote; of stderr the last 64 KiB."""

    stdout: bytes
    stderr: bytes


type Listener = Callable[[bytes], None]
type Watcher = Callable[[], None]


def run(
    argv: Sequence[str],
    *,
    env: Mapping[str, str],
    cwd: Path | None = None,
    input: bytes = b"",  # noqa: A002 (the word of the trade)
    limits: Limits = USUAL,
    heard: Listener | None = None,
    watch: Watcher | None = None,
) -> Completed:
    """Run a process to its end.

    `heard` gets what the process writes to stderr as it comes; `watch` is called some times a second, and
    whatever it raises ends the process. Raises ProcessTimeout, OutputTooLarge and ProcessFailed.
    """
    complaint = _Complaint(heard)
    output = b"".join(_output(argv, env, cwd, input, limits, watch, complaint))
    return Completed(output, bytes(complaint.end))


def stream(
    argv: Sequence[str], *, env: Mapping[str, str], cwd: Path | None = None, limits: Limits = USUAL
) -> Iterator[bytes]:
    """What a process writes to stdout, as it comes; the errors of `run` on the way and at the end.

    A caller that stops early ends the process.
    """
    return _output(argv, env, cwd, b"", limits, None, _Complaint(None))


class _Complaint:
    """The end of what a process writes to stderr, told on as it comes."""

    def __init__(self, heard: Listener | None) -> None:
        self.end = bytearray()
        self._heard = heard

    def add(self, text: bytes) -> None:
        self.end += text
        del self.end[:-STDERR_KEPT]
        if self._heard:
            self._heard(text)


def _output(
    argv: Sequence[str],
    env: Mapping[str, str],
    cwd: Path | None,
    text: bytes,
    limits: Limits,
    watch: Watcher | None,
    complaint: _Complaint,
) -> Iterator[bytes]:
    deadline, written = time.monotonic() + limits.seconds, 0
    with _started(argv, env, cwd, text) as (process, pipes), _in_time(limits):
        for piece in pipes.pieces(deadline, watch):
            if not piece.is_output:
                complaint.add(piece.text)
                continue
            written += len(piece.text)
            if written > limits.output:
                raise OutputTooLarge(f"More than {limits.output} bytes of output.")
            yield piece.text
        code = process.wait(max(0.1, deadline - time.monotonic()))
    if code:
        raise ProcessFailed(code, bytes(complaint.end))


@contextlib.contextmanager
def _started(
    argv: Sequence[str], env: Mapping[str, str], cwd: Path | None, text: bytes
) -> Iterator[tuple[subprocess.Popen[bytes], Pipes]]:
    process = subprocess.Popen(
        list(argv),
        env=_environment(env),
        cwd=cwd,
        stdin=subprocess.PIPE if text else subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    pipes = Pipes(process.stdin, cast("IO[bytes]", process.stdout), cast("IO[bytes]", process.stderr), text)
    try:
        yield process, pipes
    finally:
        # The group and not the process alone: git starts helpers that would run on.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        pipes.close()
        process.wait()


@contextlib.contextmanager
def _in_time(limits: Limits) -> Iterator[None]:
    try:
        yield
    except (DeadlinePassed, subprocess.TimeoutExpired):
        raise ProcessTimeout(f"Not done after {limits.seconds} s.") from None


def _environment(env: Mapping[str, str]) -> dict[str, str]:
    # Nothing is inherited but where programs are: no proxy, no token, no agent, no home with a .netrc in it.
    base = {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C.UTF-8", "HOME": "/nonexistent"}
    return base | dict(env)
