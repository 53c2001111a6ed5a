"""What the Brain listens to: a sync brings builds, and a project that is removed takes its Brain with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db.models.signals import pre_delete

from brain import following, store
from brain.builds import request
from members.models import Project
from repositories.signals import branch_moved

if TYPE_CHECKING:
    from repositories.models import Repository

SYNC = "sync"  # who asked


def connect() -> None:
    """Listen from now on."""
    branch_moved.connect(build_followers, dispatch_uid="brain")
    pre_delete.connect(let_brain_go, sender=Project, dispatch_uid="brain")


def build_followers(*, repository: Repository, branch: str, new: str | None, **_: Any) -> None:
    """A branch that is gone is not built: its last tree stays."""
    if new is not None:
        for source in store.followers(repository, branch):
            request(source, asked_by=SYNC, patient=True)


def let_brain_go(*, instance: Project, **_: Any) -> None:
    """By whichever door the project is removed: its rows go with it, and so does what lies beside them."""
    following.let_go(instance)
