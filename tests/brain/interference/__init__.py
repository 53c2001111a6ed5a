"""The non-interference property: a repository looks as if what is never indexed had never been there."""

from __future__ import annotations

import os

CHOSEN = "INTERFERENCE_SEEDS"  # first and last seed, which the command sets
IN_EVERY_RUN = 10


def seeds() -> range:
    """The seeds of the worlds that this run grows."""
    first, _, last = os.environ.get(CHOSEN, f"0-{IN_EVERY_RUN - 1}").partition("-")
    return range(int(first), int(last) + 1)
