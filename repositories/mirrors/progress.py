"""What git tells of a fetch while it runs; no Git, no clock."""

from __future__ import annotations

import re
from collections.abc import Callable

type Progress = Callable[[str, int, int], None]  # phase, done, total

_STEP = re.compile(
    rb"(?:remote: )?(Counting objects|Compressing objects|Receiving objects|Resolving deltas):"
    rb" +\d+% \((\d+)/(\d+)\)"
)
_LINE_LIMIT = 1_000  # bytes; the rest of a longer line is no progress


class ProgressLines:
    """Turns pieces of git's stderr into calls of `progress`, the newest step of each phase."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._rest = b""

    def __call__(self, chunk: bytes) -> None:
        *lines, rest = re.split(rb"[\r\n]", self._rest + chunk)
        self._rest = rest[-_LINE_LIMIT:]
        steps = (step.groups() for line in lines if (step := _STEP.match(line)))
        # Of many steps that came at once, the last one of each phase.
        for phase, (done, total) in {phase: counts for phase, *counts in steps}.items():
            self._progress(phase.decode().lower(), int(done), int(total))
