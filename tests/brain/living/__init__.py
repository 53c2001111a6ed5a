"""A Brain that lives through a history: after every incremental build its rows are those of a whole build."""

from __future__ import annotations

import os

CHOSEN = "LIVING_SEEDS"  # first and last seed, which the command sets
IN_EVERY_RUN = 200


def seeds() -> range:
    """The seeds of the histories that this run lives through."""
    first, _, last = os.environ.get(CHOSEN, f"0-{IN_EVERY_RUN - 1}").partition("-")
    return range(int(first), int(last) + 1)
