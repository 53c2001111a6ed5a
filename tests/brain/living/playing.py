"""A history played: its commits in a repository, and what each of them holds."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from tests.brain.living.histories import (
    Amend,
    Changes,
    Commit,
    Files,
    History,
    Merge,
    Revert,
    Rewind,
    Step,
    changed,
)
from tests.repositories.given_git import FIRST_DATE, GitWorld, a_repository

BRANCH = "main"


@dataclass(slots=True)
class Player:
    """Plays steps on the main branch of a repository."""

    git: GitWorld
    line: list[str] = field(default_factory=list)  # the branch's commits by first parents, the tip last
    files: dict[str, Files] = field(default_factory=dict)  # of each commit
    parents: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _date: int = FIRST_DATE

    def begin(self, history: History) -> None:
        """Make the first commit."""
        self._commit(changed({}, history.first))

    def play(self, step: Step) -> None:
        """Let one thing happen; what can't be undone any further stays."""
        self._date = self._date + 60 if step.date is None else step.date
        match step:
            case Commit(changes=changes):
                self._commit(changed(self.files[self.tip], changes), self.tip)
            case Merge():
                self._merge(step)
            case Revert(back=back):
                old = self.line[max(0, len(self.line) - 1 - back)]
                self._commit(self.files[old], self.tip)
            case Amend(changes=changes):
                self._amend(changes)
            case Rewind(back=back):
                del self.line[max(1, len(self.line) - back) :]
                self.git.branch(BRANCH, self.tip)

    @property
    def tip(self) -> str:
        """The commit that the branch points to."""
        return self.line[-1]

    def descends(self, commit: str, ancestor: str) -> bool:
        """Whether `ancestor` is the commit or before it."""
        waiting, seen = [commit], set()
        while waiting:
            one = waiting.pop()
            if one == ancestor:
                return True
            if one not in seen:
                seen.add(one)
                waiting.extend(self.parents[one])
        return False

    def _merge(self, step: Merge) -> None:
        tip, fork = self.tip, self.line[max(0, len(self.line) - 1 - step.fork)]
        self._commit(changed(self.files[fork], step.theirs), fork, minutes_ago=step.fork)
        side = self.line.pop()
        self._commit(changed(self.files[tip], step.ours), tip)
        merged = changed(changed(self.files[self.tip], step.theirs), step.evil)
        self._commit(merged, self.tip, side)

    def _amend(self, changes: Changes) -> None:
        """A sibling of the tip; of a first commit another first one, with its files."""
        amended = self.line.pop()
        if self.line:
            self._commit(changed(self.files[self.tip], changes), self.tip)
        else:
            self._commit(changed(self.files[amended], changes))

    def _commit(self, after: Files, *parents: str, minutes_ago: int = 0) -> None:
        before = self.files[parents[0]] if parents else {}
        differing = {
            path: after.get(path) for path in {*before, *after} if before.get(path) != after.get(path)
        }
        # What goes comes first: it may stand where a folder has to be.
        gone_first = sorted(differing.items(), key=lambda change: change[1] is not None)
        commit = self.git.commit(
            {os.fsencode(path): content for path, content in gone_first},
            message=f"Step {len(self.parents)}",
            date=self._date - 60 * minutes_ago,
            branch=BRANCH,
            parents=parents,
        )
        self.line.append(commit)
        self.files[commit], self.parents[commit] = after, parents


def a_player(mirror: Path, history: History) -> Player:
    """The history's first commit in a mirror: what is played stands where a sync would have put it."""
    player = Player(a_repository(mirror))
    player.begin(history)
    return player
