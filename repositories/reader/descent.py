"""The way from an old commit up to a tip: over the first parent wherever that one descends from it."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from repositories import git
from repositories.errors import CommitMissing
from repositories.git import GitFailed
from repositories.processes import Limits, ProcessError
from repositories.reader.naming import ancestor_named

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

LISTED = 16 << 20  # bytes: about 180,000 commits

type Parents = dict[str, list[str]]


@dataclass(frozen=True)
class Descent:
    """A tip's history; a history too long to list is `listed` as nothing, and has no ways."""

    mirror: Path
    tip: str
    onward: dict[str, str]  # from each commit before the tip to the next one on its way
    listed: bool

    def named(self, name: str) -> str | None:
        """The one commit, the tip or before it, whose id begins so; the rules of `ancestor_named`."""
        if not self.listed:
            return self._asked(name)
        name, ids = name.lower(), self._ids
        at = bisect_left(ids, name)
        found = [one for one in ids[at : at + 2] if one.startswith(name)]
        return found[0] if len(found) == 1 else None

    def nearest(self, commits: Iterable[str], most: int) -> list[str]:
        """The commits on the ways of these, at most so many, those first from where the tip is near."""
        steps = {self.tip: 0}
        for commit in commits:
            way, at = [], commit
            while at not in steps and at in self.onward:
                way.append(at)
                at = self.onward[at]
            first = steps.get(at, 0) + 1
            steps |= {one: number for number, one in enumerate(reversed(way), start=first)}
        del steps[self.tip]
        return sorted(steps, key=steps.__getitem__)[:most]

    @cached_property
    def _ids(self) -> list[str]:
        return sorted((self.tip, *self.onward))

    def _asked(self, name: str) -> str | None:
        try:
            return ancestor_named(self.mirror, name, self.tip)
        except CommitMissing:
            return None


def descent_of(mirror: Path, tip: str, *, seconds: float) -> Descent:
    """The history of a tip that the mirror holds."""
    allowed = Limits(seconds=seconds, output=LISTED)
    try:
        said = git.run(mirror, "rev-list", "--parents", tip, "--", limits=allowed).stdout
    except (GitFailed, ProcessError):
        return Descent(mirror, tip, {}, listed=False)
    lines = (line.split() for line in said.decode().splitlines())
    return Descent(mirror, tip, _onward(tip, {first: parents for first, *parents in lines}), listed=True)


def _onward(tip: str, parents: Parents) -> dict[str, str]:
    """Depth first and first parents first: what reaches a commit first is what its way comes from.

    For a graph without circles that is the path whose choice of parents is the earliest at each merge, so
    two ways that meet stay together.
    """
    onward: dict[str, str] = {}
    ahead = [(tip, parent) for parent in reversed(parents.get(tip, []))]
    while ahead:
        child, commit = ahead.pop()
        if commit in onward:
            continue
        onward[commit] = child
        ahead += [(commit, parent) for parent in reversed(parents.get(commit, []))]
    return onward
