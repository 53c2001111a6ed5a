"""What became of documents of old commits: their versions on the way to a tip, through renames."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

import pygit2

from repositories.errors import CommitMissing
from repositories.git import GitFailed
from repositories.processes import Limits, ProcessError
from repositories.reader.descent import descent_of
from repositories.reader.listing import FILE_MODES
from repositories.reader.opening import commit_in, open_mirror
from repositories.reader.steps import Pair, Undecided, likenesses, steps_between

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from repositories.reader.descent import Descent
    from repositories.reader.steps import Covers, Step

STEPS = 5_000  # that are looked at for all documents together, those nearest the tip
BATCH = 250  # steps of one command
OUTPUT = 64 << 20  # bytes that it may print
GRACE = 2.0  # seconds after the end of the time, for steps that lead past many commits


class Asked(NamedTuple):
    """A document of an old commit, whose id may be abbreviated to 4 digits."""

    commit: str
    path: str


class Version(NamedTuple):
    """A document as some commits in a row hold it."""

    path: str
    blob: str


class Fate(StrEnum):
    """What became of a document."""

    HERE = "here"
    GONE = "gone"
    UNKNOWN = "unknown"  # two places fit alike, or it is too much to find out


@dataclass(frozen=True, slots=True)
class Followed:
    """A document's versions, that of the old commit first; the last is today's, or the last that is known.

    There is none at all when the time was over before the commit could be looked for.
    """

    versions: tuple[Version, ...]
    fate: Fate


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowLimits:
    """How far documents are followed step by step; where this ends, one step leads past the rest."""

    largest: int  # bytes of a document
    until: float  # a moment of `time.monotonic()`
    steps: int = STEPS


def follow(
    mirror: Path, tip: str, asked: Iterable[Asked], *, covers: Covers, limits: FollowLimits
) -> dict[Asked, Followed]:
    """What became of each document up to the tip, a commit that the mirror holds.

    Left out are those whose commit is not the tip or before it, or is not clear, or holds no regular file
    that is covered and not too large: one answer for all of these.
    """
    descent = descent_of(mirror, tip, seconds=_left(limits))
    following = _Following(open_mirror(mirror), descent, covers, limits)
    starts: dict[Asked, _Start] = {}
    late: dict[Asked, Followed] = {}
    for one in asked:
        if not descent.listed and time.monotonic() >= limits.until:  # each name takes a search of its own
            late[one] = Followed((), Fate.UNKNOWN)
        elif start := following.start(one):
            starts[one] = start
    following.walk({start.commit for start in starts.values()})
    found = {start: following.followed(start) for start in set(starts.values())}
    return late | {one: found[start] for one, start in starts.items()}


class _Start(NamedTuple):
    commit: str
    version: Version


@dataclass
class _Following:
    """The state of one walk."""

    repository: pygit2.Repository
    descent: Descent
    covers: Covers
    limits: FollowLimits
    steps: dict[str, Step] = field(default_factory=dict)  # by the commit each starts from
    renames: dict[Pair, dict[str, str]] = field(default_factory=dict)

    def start(self, asked: Asked) -> _Start | None:
        """The whole id of the commit, and the document it holds."""
        if "\0" in asked.path or not self.covers(asked.path):
            return None
        commit = self.descent.named(asked.commit)
        if commit is None:
            return None
        version = self._document(asked.path, self._blob_at(commit, asked.path))
        return _Start(commit, version) if version else None

    def walk(self, commits: set[str]) -> None:
        """Learn the steps on the ways of these commits."""
        onward = self.descent.onward
        near = self.descent.nearest(commits, self.limits.steps)
        for at in range(0, len(near), BATCH):
            if time.monotonic() >= self.limits.until:
                break
            if not self._learn([Pair(old, onward[old]) for old in near[at : at + BATCH]]):
                break
        far = [commit for commit in commits if commit not in self.steps and commit != self.descent.tip]
        self._learn([Pair(commit, self._next_known(commit)) for commit in far])

    def followed(self, start: _Start) -> Followed:
        """The versions of a document from one commit to the tip."""
        versions, here = [start.version], True
        path = start.version.path.encode()
        for step in self._way(start.commit):
            if step is None:
                return Followed(tuple(versions), Fate.UNKNOWN)
            if path not in step.told:
                continue
            last = versions[-1]
            if not here:
                here = step.change_of(last.path).new == last.blob  # a deletion was taken back
                continue
            try:
                version = self._after(step, last)
            except Undecided:
                return Followed(tuple(versions), Fate.UNKNOWN)
            here = version is not None
            if version and version != last:
                versions.append(version)
                path = version.path.encode()
        return Followed(tuple(versions), Fate.HERE if here else Fate.GONE)

    def _after(self, step: Step, last: Version) -> Version | None:
        """The document after a step that changed what stands at its path."""
        path, blob = last.path, step.change_of(last.path).new
        if blob is None or step.is_taken(path, self.covers):
            moved = step.same_text(path, self.covers)
            if moved is None and blob is None:
                moved = self._renamed(step).get(path)
            if moved is not None:
                path, blob = moved, step.change_of(moved).new
        return self._document(path, blob)

    def _renamed(self, step: Step) -> dict[str, str]:
        if step.pair not in self.renames:
            if _left(self.limits) <= 0:
                raise Undecided
            found = likenesses(self.descent.mirror, step, self.covers, _left(self.limits))
            self.renames[step.pair] = found
        return self.renames[step.pair]

    def _learn(self, pairs: list[Pair]) -> bool:
        allowed = Limits(seconds=max(0.1, _left(self.limits)), output=OUTPUT)
        try:
            steps = steps_between(self.descent.mirror, pairs, allowed)
        except (GitFailed, ProcessError):
            return False
        self.steps |= {step.pair.old: step for step in steps}
        return True

    def _next_known(self, commit: str) -> str:
        """The first commit on the way from which on all is known; the tip at the latest."""
        while commit not in self.steps and commit in self.descent.onward:
            commit = self.descent.onward[commit]
        return commit if commit in self.steps else self.descent.tip

    def _way(self, commit: str) -> Iterator[Step | None]:
        """The steps from a commit to the tip; None where no more is known."""
        while commit != self.descent.tip:
            step = self.steps.get(commit)
            yield step
            if step is None:
                return
            commit = step.pair.new

    def _blob_at(self, commit: str, path: str) -> str | None:
        repository = self.repository
        try:
            tree = repository[commit_in(repository.odb, commit).tree]
            entry = tree.peel(pygit2.Tree)[path]
        except (KeyError, TypeError, ValueError, CommitMissing, pygit2.GitError):
            return None
        return str(entry.id) if entry.filemode in FILE_MODES else None

    def _document(self, path: str, blob: str | None) -> Version | None:
        if blob is None or not self.covers(path):
            return None
        try:
            size = self.repository.odb.read_header(blob)[1]
        except (KeyError, pygit2.GitError):
            return None
        return Version(path, blob) if size <= self.limits.largest else None


def _left(limits: FollowLimits) -> float:
    """Seconds until even the grace is over."""
    return limits.until + GRACE - time.monotonic()
