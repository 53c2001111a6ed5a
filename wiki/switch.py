"""A project's wiki on and off: while it is on, its Brain is on and follows the default branch."""

from __future__ import annotations

from brain.following import bind, release
from brain.store import Source
from members.callers import Caller
from members.models import Project

SWITCH = "wiki.switch"  # in the activity log


def switch(project: Project, caller: Caller, *, enabled: bool) -> Source:
    """Turn the wiki on, which builds the Brain of the default branch, or off, which leaves the Brain alone.

    What is so already changes, queues and notes nothing; a Brain that was left on another branch is moved.
    Raises NoRepository, and BranchNotMirrored while the mirror lacks the default branch.
    """
    return (bind if enabled else release)(project, caller, action=SWITCH)
