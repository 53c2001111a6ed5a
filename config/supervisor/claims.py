"""Who keeps which program of an installation: files below DATA_ROOT, locked while their supervisor lives."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import psutil
from django.conf import settings

from config.place import private_folder
from config.supervisor.families import Identity, end_family
from config.supervisor.programs import Program


class AlreadyRunning(Exception):
    """Another supervisor of this DATA_ROOT keeps the same program; one sentence says so."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A program that nobody else keeps, and the file that tells which process it is."""

    program: Program
    descriptor: int

    def note(self, pid: int) -> None:
        """Write down the process, so that a supervisor that comes after a crash finds it."""
        try:
            text = json.dumps([pid, psutil.Process(pid).create_time(), *self.program.argv])
        except psutil.NoSuchProcess:
            text = ""
        with suppress(OSError):  # a full disk must not stop what runs
            os.ftruncate(self.descriptor, 0)
            os.pwrite(self.descriptor, text.encode(), 0)

    def noted(self) -> Identity | None:
        """The process that was written down last."""
        try:
            pid, created, *argv = json.loads(os.pread(self.descriptor, 1 << 16, 0))
            return Identity(int(pid), float(created), tuple(argv))
        except (ValueError, TypeError):  # never written, or half
            return None


@contextmanager
def claimed(programs: Sequence[Program]) -> Iterator[list[Claim]]:
    """All of these for this process alone, and nothing left of who kept them before.

    Raises AlreadyRunning when a living supervisor keeps one of them.
    """
    with ExitStack() as stack:
        claims = [Claim(program, stack.enter_context(_locked(program.name))) for program in programs]
        for claim in claims:
            if left := claim.noted():
                end_family(left)
        yield claims


def make_way(programs: Sequence[Program]) -> None:
    """End what a killed supervisor left of these, as it may hold a port; raises AlreadyRunning."""
    with claimed(programs):
        pass


@contextmanager
def last_user(leave: Callable[[], None]) -> Iterator[None]:
    """Call `leave` at the end, unless another supervisor of this DATA_ROOT still runs."""
    descriptor = _opened("users")
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH)
        yield
    finally:
        # Whoever gets no lock of its own loses the shared one, so of two that end at once one is the last.
        if _takes(descriptor):
            leave()
        os.close(descriptor)


def folder() -> Path:
    """Where supervisors and clusters of this installation keep their notes."""
    place: Path = settings.DATA_ROOT / "running"
    private_folder(settings.DATA_ROOT)
    place.mkdir(mode=0o700, exist_ok=True)
    return place


@contextmanager
def _locked(name: str) -> Iterator[int]:
    descriptor = _opened(name)
    try:
        if not _takes(descriptor):
            raise AlreadyRunning(
                f"Another process runs {name} for {settings.DATA_ROOT} already: stop that one first."
            )
        yield descriptor
    finally:
        os.close(descriptor)


def _takes(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _opened(name: str) -> int:
    return os.open(folder() / f"{name}.lock", os.O_RDWR | os.O_CREAT, 0o600)
