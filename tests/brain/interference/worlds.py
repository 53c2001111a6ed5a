"""Histories that hold what is never indexed, their stripped twins, and both as real Git repositories."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tests.repositories.given_git import Content, GitWorld, a_repository

LAYOUT = "layout.yml"
# The rules of what is never indexed, stated a second time: the code under test is not its own measure.
RESTRICTED = frozenset({"restricted", "Restricted", "RESTRICTED", "ＲＥＳＴＲＩＣＴＥＤ", "reſtricted"})
AT_THE_ROOT = frozenset({"plugins", "scratch", "identifiers"})
type Glob = Callable[[Sequence[str], str], bool]  # folders and file name → whether the glob means them
GLOBS: Mapping[str, Glob] = {
    "drafts/": lambda folders, name: "drafts" in folders,
    "*.private.md": lambda folders, name: name.endswith(".private.md"),
    "/archive/**": lambda folders, name: folders[:1] == ["archive"],
}


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit with its whole tree: content by path, odd bytes of a path as surrogates."""

    files: Mapping[str, Content]
    message: str
    date: int
    parents: tuple[int, ...]  # positions in the world


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """A history, by position; None where a twin lacks a commit that main does not reach."""

    commits: tuple[Commit | None, ...]
    main: int
    side: int  # where the branch beside it points
    exclude: tuple[str, ...] = ()  # of GLOBS

    def hides(self, path: str) -> bool:
        """Whether a file at this path is never indexed, whatever is in it."""
        *folders, name = path.split("/")
        return (
            not RESTRICTED.isdisjoint(folders)
            or not AT_THE_ROOT.isdisjoint(folders[:1])
            or any(folder.startswith(".") for folder in folders)
            or any(GLOBS[glob](folders, name) for glob in self.exclude)
        )

    def stripped(self) -> World:
        """The same history without hidden files and without commits that main does not reach."""
        reached = set(self.ancestors(self.main))
        side = next(position for position in self.ancestors(self.side) if position in reached)
        commits = [
            replace(commit, files=self._shown(commit)) if commit and position in reached else None
            for position, commit in enumerate(self.commits)
        ]
        return replace(self, commits=tuple(commits), side=side)

    def paths(self) -> list[str]:
        """Every path of every commit, hidden or not."""
        return sorted({path for commit in self.commits if commit for path in commit.files})

    def ancestors(self, position: int) -> Iterator[int]:
        """The commit and all before it, the newest positions first."""
        waiting = {position}
        while waiting:
            newest = max(waiting)
            waiting.remove(newest)
            yield newest
            commit = self.commits[newest]
            waiting.update(commit.parents if commit else ())

    def restricted_commits(self) -> frozenset[int]:
        """The commits that touch a restricted path: what they say of themselves is withheld."""
        return frozenset(
            position
            for position, commit in enumerate(self.commits)
            if commit and any(not RESTRICTED.isdisjoint(path.split("/")) for path in self.touched(commit))
        )

    def touched(self, commit: Commit) -> dict[str, Content]:
        """What the commit changes of its first parent, None where a file goes."""
        above = self.commits[commit.parents[0]] if commit.parents else None
        before: Mapping[str, Content] = above.files if above else {}
        gone = {path: None for path in before if path not in commit.files}
        return gone | {
            path: content
            for path, content in commit.files.items()
            if path not in before or before[path] != content
        }

    def _shown(self, commit: Commit) -> dict[str, Content]:
        files = commit.files.items()
        return {path: content for path, content in files if path == LAYOUT or not self.hides(path)}


def written(world: World, folder: Path) -> tuple[GitWorld, tuple[str, ...]]:
    """The world as a bare repository, and the id of each commit; a made-up id where there is none."""
    git = a_repository(folder)
    ids: list[str] = []
    for position, commit in enumerate(world.commits):
        if commit is None:
            ids.append(hashlib.sha1(f"no commit {position}".encode()).hexdigest())
            continue
        changes = {path.encode(errors="surrogateescape"): c for path, c in world.touched(commit).items()}
        parents = [ids[parent] for parent in commit.parents]
        ids.append(
            git.commit(
                changes, message=commit.message.encode(errors="replace"), date=commit.date, parents=parents
            )
        )
    git.branch("main", ids[world.main])
    git.branch("side", ids[world.side])
    return git, tuple(ids)
