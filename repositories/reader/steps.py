"""What changed from one commit to a later one, and where that moved a document."""

from __future__ import annotations

import os
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from repositories import git
from repositories.reader import pairing
from repositories.reader.listing import FILE_MODES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from repositories.processes import Limits

    type Covers = Callable[[str], bool]

# Where the blobs stand in what Git tells of a path: ":100644 100644 <old> <new> M".
OLD, NEW = slice(15, 55), slice(56, 96)
CANDIDATES = 1_000  # documents that went, or that came: Git compares each with each

_LIST = ("diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev", "--always", *pairing.PLAIN_DIFF)


class Undecided(Exception):
    """Where a document went cannot be told: two places fit alike, or there is too much to compare."""


class Pair(NamedTuple):
    """An older commit, and a later one."""

    old: str
    new: str


class Change(NamedTuple):
    """The blobs that a path held and holds now; None: no regular file."""

    old: str | None
    new: str | None


@dataclass
class Step:
    """What changed between the commits of a pair: what Git tells of each path, taken apart when asked for."""

    pair: Pair
    told: dict[bytes, bytes] = field(default_factory=dict)

    def change_of(self, path: str) -> Change:
        """What happened to a path that is told of."""
        told = self.told[path.encode()]
        return Change(_file(told[1:7], told[OLD]), _file(told[8:14], told[NEW]))

    def is_taken(self, path: str, covers: Covers) -> bool:
        """Whether what stands at the path now came from another document, which gave up its own place."""
        told = self.told[path.encode()]
        return told[OLD] != told[NEW] and any(
            origin != path and covers(origin)
            for origin in _paths(self._departures.get(told[NEW], ()))
            if self.change_of(origin).old
        )

    def same_text(self, path: str, covers: Covers) -> str | None:
        """The document that became what this path was, byte for byte. Raises Undecided.

        Of several, the one that has most of the path's last segments.
        """
        found = _paths(self._arrivals.get(self.told[path.encode()][OLD], ()))
        ranked = sorted(
            (_in_common(path, one), one)
            for one in found
            if one != path and covers(one) and self.change_of(one).new
        )
        if len(ranked) > 1 and ranked[-1][0] == ranked[-2][0]:
            raise Undecided
        return ranked[-1][1] if ranked else None

    def rivals(self, covers: Covers) -> tuple[list[str], list[str]]:
        """The documents that went and those that came, without any that only changed their path."""
        went: dict[str, str] = {}
        came: dict[str, str] = {}
        for path in _paths(self.told):
            change = self.change_of(path)
            if change.old and not change.new and covers(path):
                went[path] = change.old
            elif change.new and not change.old and covers(path):
                came[path] = change.new
        same = set(went.values()) & set(came.values())
        return (
            [path for path, blob in went.items() if blob not in same],
            [path for path, blob in came.items() if blob not in same],
        )

    def nested(self) -> list[str]:
        """What changed in folders that are named like documents."""
        return [os.fsdecode(path) for path in self.told if b".md/" in path.lower()]

    @cached_property
    def _departures(self) -> dict[bytes, list[bytes]]:
        return self._by(OLD)

    @cached_property
    def _arrivals(self) -> dict[bytes, list[bytes]]:
        return self._by(NEW)

    def _by(self, blob: slice) -> dict[bytes, list[bytes]]:
        """The paths whose text changed, by the old or the new one."""
        groups: dict[bytes, list[bytes]] = defaultdict(list)
        for path, told in self.told.items():
            if told[OLD] != told[NEW]:
                groups[told[blob]].append(path)
        return groups


def steps_between(mirror: Path, pairs: Sequence[Pair], limits: Limits) -> list[Step]:
    """The step of each pair, in order, by one command. Raises GitFailed and ProcessError."""
    if not pairs:
        return []
    asked = "".join(f"{pair.new} {pair.old}\n" for pair in pairs).encode()
    told = git.run(mirror, *pairing.PLAIN, *_LIST, "--stdin", input=asked, limits=limits).stdout
    ahead = iter(pairs)
    steps: list[Step] = []
    tokens = pairing.tokens([told])
    for token in tokens:
        if token.startswith(b":"):
            steps[-1].told[next(tokens)] = token
        else:
            steps.append(Step(next(ahead)))  # the token is the later commit of the pair
    return steps


def likenesses(mirror: Path, step: Step, covers: Covers, seconds: float) -> dict[str, str]:
    """What each document that went became, as `git diff -M` finds it. Raises Undecided.

    Git compares the documents that are covered and no others: nothing may become of a hidden path, and
    nothing may come from there.
    """
    went, came = step.rivals(covers)
    if not went or not came:
        return {}
    if max(len(went), len(came)) > CANDIDATES:
        raise Undecided
    found = pairing.of_like_text(
        mirror, *step.pair, paths={*went, *came}, nested=step.nested(), seconds=seconds
    )
    if found is None:
        raise Undecided
    return {old: new for new, old in found.items()}


def _file(mode: bytes, blob: bytes) -> str | None:
    return blob.decode() if int(mode, 8) in FILE_MODES else None


def _paths(raw: Iterable[bytes]) -> Iterator[str]:
    """Those that can be a document's path: text."""
    for path in raw:
        try:
            yield path.decode()
        except UnicodeDecodeError:
            continue


def _in_common(one: str, other: str) -> int:
    """How many segments two paths have in common, counted from their ends."""
    pairs = zip(reversed(one.split("/")), reversed(other.split("/")), strict=False)
    number = 0
    for left, right in pairs:
        if left != right:
            break
        number += 1
    return number
