"""The jobs of the Brain: one call each; all they know stands in the rows of the sources."""

from __future__ import annotations

from brain import upkeep
from brain.builds import jobs


def build_next() -> None:
    """Make the oldest wanted build."""
    jobs.run_next()


def minute() -> None:
    """Look for what should be built and is not."""
    upkeep.every_minute()


def nightly() -> None:
    """Prove one tree, and mend it when it is not what a whole build gives."""
    upkeep.every_night()
