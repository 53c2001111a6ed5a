"""How a test states a Git repository: real objects in a bare repository, whatever Git would think of them."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

import pygit2
from pygit2.enums import ObjectType

FILE, EXECUTABLE, SYMLINK, SUBMODULE, FOLDER = 0o100644, 0o100755, 0o120000, 0o160000, 0o40000
FIRST_DATE = (
    1_704_067_200  # 2024-01-01T00:00:00Z; each commit without a date is a minute younger than the last
)


@dataclass(frozen=True)
class Symlink:
    """A symbolic link to `target`."""

    target: str


@dataclass(frozen=True)
class Gitlink:
    """A submodule at `commit`."""

    commit: str = "1" * 40


@dataclass(frozen=True)
class Executable:
    """A regular file that may be run."""

    text: str


type Content = str | bytes | Symlink | Gitlink | Executable | None  # None: the file is removed
type PathName = str | bytes
type Date = int | str | datetime | None  # a str is written as it is; None: the clock of the world
type Files = dict[bytes, tuple[int, str]]  # path → mode, object id


@dataclass
class GitWorld:
    """A bare repository and the verbs a test needs on it."""

    path: Path
    repository: pygit2.Repository
    _files: dict[str, Files] = field(default_factory=dict)
    _clock: int = FIRST_DATE

    def commit(
        self,
        files: Mapping[PathName, Content] | None = None,
        *,
        message: str | bytes = "Change the files",
        date: Date = None,
        branch: str = "main",
        parents: Iterable[str] | None = None,
        encoding: str = "",
    ) -> str:
        """Commit the changes on top of the branch, or of `parents` (empty: a new root); the branch moves."""
        above = list(parents) if parents is not None else self._tip(branch)
        state = dict(self.files_of(above[0])) if above else {}
        for path, content in (files or {}).items():
            self._put(state, path if isinstance(path, bytes) else path.encode(), content)
        commit = self.raw_commit(self._tree(state), above, message=message, date=date, encoding=encoding)
        return self._keep(commit, state, branch)

    def merge(self, other: str, *, into: str = "main", date: Date = None) -> str:
        """Merge the branch `other`; where both changed a file, the other's text wins."""
        theirs = self.tip(other)
        ours = self.tip(into)
        state = self.files_of(ours) | self.files_of(theirs)
        commit = self.raw_commit(self._tree(state), [ours, theirs], message=f"Merge {other}", date=date)
        return self._keep(commit, state, into)

    def branch(self, name: str, commit: str) -> None:
        """Let the branch point to the commit, new or moved."""
        self.repository.references.create(f"refs/heads/{name}", commit, force=True)

    def delete_branch(self, name: str) -> None:
        self.repository.references.delete(f"refs/heads/{name}")

    def default_branch(self, name: str) -> None:
        """Point HEAD to the branch, there or not."""
        (self.path / "HEAD").write_text(f"ref: refs/heads/{name}\n")

    def raw_reference(self, name: bytes, commit: str) -> None:
        """Write a reference file under any name the file system takes, such as b"refs/heads/-x"."""
        place = Path(os.fsdecode(bytes(self.path) + b"/" + name))
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(f"{commit}\n")

    def blob(self, content: str | bytes) -> str:
        return str(self.repository.create_blob(content.encode() if isinstance(content, str) else content))

    def raw_tree(self, entries: Iterable[tuple[int | str, bytes, str]]) -> str:
        """Write a tree of (mode, name, object id) as it is: unsorted, doubled or forbidden names included."""
        rows = (
            (mode if isinstance(mode, str) else f"{mode:o}").encode()
            + b" "
            + name
            + b"\0"
            + bytes.fromhex(oid)
            for mode, name, oid in entries
        )
        return str(self.repository.odb.write(ObjectType.TREE, b"".join(rows)))

    def raw_commit(
        self,
        tree: str,
        parents: Iterable[str] = (),
        *,
        message: str | bytes = "Change the files",
        date: Date = None,
        encoding: str = "",
    ) -> str:
        """Write a commit of the tree without moving a branch; `date` is any number, sensible or not."""
        seconds = self._seconds(date)
        person = f"Ada Lovelace <ada@example.org> {seconds} +0000"
        lines = [f"tree {tree}", *(f"parent {parent}" for parent in parents)]
        lines += [f"author {person}", f"committer {person}", *([f"encoding {encoding}"] if encoding else [])]
        text = message.encode() if isinstance(message, str) else message
        raw = "\n".join(lines).encode() + b"\n\n" + text + b"\n"
        return str(self.repository.odb.write(ObjectType.COMMIT, raw))

    def tip(self, branch: str = "main") -> str:
        return str(self.repository.references[f"refs/heads/{branch}"].target)

    def files_of(self, commit: str) -> Files:
        """path → (mode, object id) of a commit that `commit` made."""
        return self._files[commit]

    def git(self, *arguments: str) -> bytes:
        """What the git command prints; for what only it can do (gc, repack, fsck)."""
        environment = {
            "PATH": os.environ["PATH"],
            "GIT_CONFIG_GLOBAL": "/dev/null",
            "GIT_CONFIG_NOSYSTEM": "1",
        }
        command = ["git", "-c", f"safe.directory={self.path}", f"--git-dir={self.path}", *arguments]
        return subprocess.run(command, env=environment, check=True, capture_output=True).stdout

    def _keep(self, commit: str, state: Files, branch: str) -> str:
        self._files[commit] = state
        self.branch(branch, commit)
        return commit

    def _tip(self, branch: str) -> list[str]:
        return [self.tip(branch)] if f"refs/heads/{branch}" in self.repository.references else []

    def _put(self, state: Files, path: bytes, content: Content) -> None:
        match content:
            case None:
                del state[path]
            case Symlink(target):
                state[path] = SYMLINK, self.blob(target)
            case Gitlink(commit):
                state[path] = SUBMODULE, commit
            case Executable(text):
                state[path] = EXECUTABLE, self.blob(text)
            case str() | bytes():
                state[path] = FILE, self.blob(content)

    def _tree(self, files: Files) -> str:
        entries: list[tuple[int, bytes, str]] = []
        folders: dict[bytes, Files] = {}
        for path, (mode, oid) in files.items():
            name, slash, rest = path.partition(b"/")
            if slash:
                folders.setdefault(name, {})[rest] = mode, oid
            else:
                entries.append((mode, name, oid))
        entries += [(FOLDER, name, self._tree(below)) for name, below in folders.items()]
        # Git sorts a folder as if its name ended in a slash.
        return self.raw_tree(sorted(entries, key=lambda entry: entry[1] + b"/" * (entry[0] == FOLDER)))

    def _seconds(self, date: Date) -> int | str:
        if isinstance(date, datetime):
            return int(date.timestamp())
        if date is None:
            self._clock += 60
            return self._clock
        return date


def a_repository(
    folder: Path, commits: Iterable[Mapping[PathName, Content]] = (), *, branch: str = "main"
) -> GitWorld:
    """A bare repository at `folder` whose HEAD is `branch`; a commit for each mapping of path to content.

    `repo = a_repository(tmp_path / "remote", [{"a.md": "# A"}])`, then
    `repo.commit({"b.md": "# B", "a.md": None}, message="Move A", date=1_700_000_000, branch="next")`.
    """
    made = pygit2.init_repository(str(folder), bare=True, initial_head=branch)
    world = GitWorld(folder, made)
    for files in commits:
        world.commit(files, branch=branch)
    return world
