"""The news that travels up from here; who listens, this app does not know."""

from __future__ import annotations

from django.dispatch import Signal

# After the fact: a sync found a branch moved, new (`old` is None) or gone (`new` is None): repository,
# branch, old, new.
branch_moved = Signal()

# After the fact: the default branch is another now: repository, old, new, actor (None when a sync found the
# first one).
default_branch_changed = Signal()

# Within the transaction of an administrator, so that a listener that fails undoes it: repository, request,
# change ("add", "change" or "remove"), fields (the changed ones), old (the default branch before).
administered = Signal()
