"""What a writer can mend, and which files a limit left out."""

from __future__ import annotations

from brain.reads.answers import Problems
from brain.store import Store


def read_problems(store: Store, *, offset: int = 0, limit: int = 100) -> Problems:
    """A window of the problems, and all left-out files. Raises BrainOff and NotBuilt."""
    store.require_tree()
    problems = store.problems()
    return Problems(
        envelope=store.envelope,
        problems=tuple(problems[offset : offset + limit]),
        total=len(problems),
        limit=limit,
        offset=offset,
        left_out=tuple(store.left_out()),
    )
