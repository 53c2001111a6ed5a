"""What a build tells while it runs and when it is done."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from brain import store
from brain.errors import BuildFailed
from brain.store import Source
from brain.tree.assembly import TreeSettings
from repositories.models import Repository

PHASES = ("resolve", "list", "read", "parse", "assemble", "write", "pin")
PIN = "tree"  # what a build keeps its commit for
BUILD_SECONDS = 600.0
BETWEEN_NOTES = 1.0  # seconds between two notes of progress in the database


class Progress(Protocol):
    """Called with a phase, what is done of it and how much there is (0: unknown)."""

    def __call__(self, phase: str, done: int, total: int) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is to be built, and what besides the commit decides its tree."""

    source: Source  # as it was when the build began
    repository: Repository
    commit: str
    settings: TreeSettings
    settings_hash: str

    @property
    def mirror(self) -> Path:
        """Where the commit is read."""
        return self.repository.mirror


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """A tree that is stored."""

    kind: str  # whole or incremental
    commit: str
    counts: dict[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """A finished build."""

    kind: str  # whole or incremental
    commit: str
    counts: dict[str, int]
    seconds: dict[str, float]  # by phase; `history` ran beside the others
    number: int  # of the build in its project


@dataclass(slots=True)
class Course:
    """The course of one build: the clock, the phases behind it, and whoever wants to know."""

    source: Source
    listener: Progress | None = None
    seconds: dict[str, float] = field(default_factory=dict)
    _began: float = field(default_factory=time.monotonic)
    _noted: float = 0.0
    _aside: float = 0.0  # seconds of the current phase that are counted elsewhere

    @contextmanager
    def phase(self, name: str, total: int = 0) -> Iterator[None]:
        """Time one phase; phases of the same name add up."""
        started, self._aside = time.monotonic(), 0.0
        self.tell(name, 0, total, now=True)
        try:
            yield
        finally:
            spent = time.monotonic() - started - self._aside
            self.seconds[name] = self.seconds.get(name, 0.0) + spent

    @contextmanager
    def aside(self, name: str) -> Iterator[None]:
        """Time what is done on the way through a phase; that phase does not count it."""
        started = time.monotonic()
        try:
            yield
        finally:
            spent = time.monotonic() - started
            self.seconds[name] = self.seconds.get(name, 0.0) + spent
            self._aside += spent

    def tell(self, phase: str, done: int, total: int, *, now: bool = False) -> None:
        """Tell how far the phase is; raises BuildFailed when the build takes too long."""
        if self.listener:
            self.listener(phase, done, total)
        moment = time.monotonic()
        if moment - self._began > BUILD_SECONDS:
            raise BuildFailed("budget", f"The build took more than {BUILD_SECONDS / 60:.0f} minutes.")
        # With the pin the tree is ready already: the row has said so.
        if phase != PHASES[-1] and (now or moment - self._noted >= BETWEEN_NOTES):
            self._noted = moment
            store.note_progress(self.source, phase, done, total)
