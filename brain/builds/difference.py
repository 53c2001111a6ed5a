"""What lies between the stored tree and a commit: documents, other paths, and when each changed last."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from brain.builds.conditions import NeedsWhole
from brain.builds.reports import Plan
from brain.contents import Contents, changes_of
from brain.store import known
from brain.tree.layout import FILE
from brain.tree.nodes import Changed
from repositories import reader
from repositories.errors import RepositoryError
from repositories.reader import LastChange

LOOKED_UP = 20  # new paths; the last changes of more are quicker to walk than to look up


@dataclass(frozen=True, kw_only=True)
class Difference:
    """Documents by path: as they are stored, and as the commit has them."""

    old: Mapping[str, str]  # blobs
    new: Mapping[str, str]
    touched: frozenset[str]  # paths of any kind that are not the same in both commits
    changes: Mapping[str, LastChange]  # of what the commits in between touch

    @cached_property
    def added(self) -> set[str]:
        """Documents that are new."""
        return self.new.keys() - self.old.keys()

    @cached_property
    def deleted(self) -> set[str]:
        """Documents that are gone."""
        return self.old.keys() - self.new.keys()

    @cached_property
    def modified(self) -> set[str]:
        """Documents of another text."""
        return {path for path, blob in self.new.items() if self.old.get(path, blob) != blob}

    @property
    def read(self) -> set[str]:
        """Documents whose text has to be read."""
        return self.added | self.modified

    @property
    def changed(self) -> set[str]:
        """All documents that differ."""
        return self.read | self.deleted

    @cached_property
    def undone(self) -> set[str]:
        """Documents whose text is the stored one, though a commit in between touched them."""
        return {path for path in self.changes if path in self.new} - self.read


def difference_of(plan: Plan, contents: Contents) -> Difference:
    """What has to be looked at to bring the stored tree to the planned commit. Raises NeedsWhole."""
    source, mirror = plan.source, plan.mirror
    if known.tree_hash(source) != source.tree_hash:
        raise NeedsWhole("the stored tree is not what its hash says")
    history = reader.changes_since(mirror, source.commit, plan.commit)
    if history.problem or not history.complete:
        raise NeedsWhole("the commits in between are too many to read")
    try:
        between = reader.paths_between(mirror, source.commit, plan.commit)
    except RepositoryError as error:
        raise NeedsWhole(str(error)) from error
    touched = frozenset(change.path for change in between if change.path is not None)
    if FILE in touched:
        raise NeedsWhole("the layout has changed")
    return Difference(
        old=known.blobs(source),
        new={entry.path: entry.blob for entry in contents.documents},
        touched=touched,
        changes=history.changes,
    )


def last_changes(
    plan: Plan, difference: Difference, stored: Mapping[str, Changed | None]
) -> dict[str, Changed | None]:
    """The last change of every document that is new, has another text or was touched.

    `stored` are those that the tree tells of the ones it has.
    """
    read = difference.changes
    changes = {path: _newer(stored[path], read.get(path)) for path in difference.modified | difference.undone}
    added = sorted(difference.added)
    if len(added) > LOOKED_UP:
        history = reader.last_changes(plan.mirror, plan.commit)
        if history.problem:
            raise NeedsWhole(history.problem)
        return changes | dict(changes_of(plan.mirror, plan.commit, history, added))
    return changes | {path: _looked_up(plan, difference, path) for path in added}


def _looked_up(plan: Plan, difference: Difference, path: str) -> Changed | None:
    found = reader.last_change_of(plan.mirror, plan.commit, path)
    if found is None and path in difference.changes:
        raise NeedsWhole("the last changes of new documents take too long to look up")
    return _told(found)


def _newer(stored: Changed | None, read: LastChange | None) -> Changed | None:
    told = _told(read)
    if stored is None or told is None:
        return stored or told
    return max(stored, told, key=lambda change: (change.at, change.commit))


def _told(change: LastChange | None) -> Changed | None:
    return Changed(change.commit, change.at, change.subject) if change else None
