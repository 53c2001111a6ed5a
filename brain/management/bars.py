"""Progress bars for commands: one line a phase, drawn only where a person looks."""

from __future__ import annotations

from types import TracebackType
from typing import Any, Self

from tqdm import tqdm

_COUNTED = "{desc:<26} {bar} {n_fmt} of {total_fmt}, {elapsed}"
_TIMED = "{desc:<26} {elapsed}"


class Bars:
    """The bars of one command; `quiet` draws none."""

    def __init__(self, stream: Any, *, quiet: bool = False) -> None:
        self._stream = getattr(stream, "_out", stream)
        self._quiet = quiet
        self._bar: tqdm[Any] | None = None
        self._phase = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()

    def fetch(self, phase: str, done: int, total: int) -> None:
        """Show the progress of a fetch."""
        self._show(f"fetch: {phase}", done, total)

    def build(self, phase: str, done: int, total: int) -> None:
        """Show the progress of a build."""
        self._show(phase, done, total)

    def say(self, sentence: str) -> None:
        """Say something between two bars."""
        self._close()
        self._stream.write(f"{sentence}\n")

    def _show(self, phase: str, done: int, total: int) -> None:
        if self._quiet:
            return
        if phase != self._phase:
            self._close()
            self._phase = phase
            shape = _COUNTED if total else _TIMED
            self._bar = tqdm(total=total or None, desc=phase, file=self._stream, ncols=88, bar_format=shape)
        if self._bar is not None:
            self._bar.update(done - self._bar.n)

    def _close(self) -> None:
        if self._bar is not None:
            self._bar.close()
        self._bar, self._phase = None, ""
