"""The news that travels up from here, sent after the fact; who listens, this app does not know."""

from __future__ import annotations

from django.dispatch import Signal

# A sync found a branch moved, new (`old` is None) or gone (`new` is None): repository, branch, old, new.
branch_moved = Signal()

# The default branch is another now: repository, old, new, actor (None when a sync found the first one).
default_branch_changed = Signal()
