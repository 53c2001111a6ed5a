"""What the wiki listens to: another default branch, which its projects follow."""

from __future__ import annotations

from typing import Any

from brain.following import DEFAULT_BRANCH, move_all
from members.callers import SYSTEM, Caller, Door
from repositories.models import Repository
from repositories.signals import default_branch_changed


def connect() -> None:
    """Listen from now on."""
    default_branch_changed.connect(follow_default_branch, dispatch_uid="wiki")


def follow_default_branch(*, repository: Repository, actor: Any, **_: Any) -> None:
    """Move every wiki project of the repository, under the administrator who chose the branch."""
    caller = SYSTEM if actor is None else Caller(door=Door.ADMIN, member=actor)
    move_all(caller, reason=DEFAULT_BRANCH, repository=repository)
