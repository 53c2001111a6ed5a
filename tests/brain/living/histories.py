"""Histories as plain values: steps that can be printed, left out one by one, and played again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tests.repositories.given_git import Content

TOO_LARGE = 2 * 1024 * 1024 + 1  # bytes of a file that is not indexed

type Path = str  # odd bytes of a name as `os.fsdecode` gives them
type Changes = Mapping[Path, Content]  # None removes the file, if it is there
type Files = dict[Path, Content]


@dataclass(frozen=True, kw_only=True)
class Step:
    """Something that happens to the branch; `date` None: a minute after the step before."""

    date: int | None = None
    build: bool = True  # whether both projects are built after it


@dataclass(frozen=True, kw_only=True)
class Commit(Step):
    """Changes on top of the branch; none at all is an empty commit."""

    changes: Changes


@dataclass(frozen=True, kw_only=True)
class Merge(Step):
    """A commit on the branch, one beside it, and their merge, which may change more than either did.

    The one beside stands on the commit so many before the tip, and is so many minutes older.
    """

    ours: Changes
    theirs: Changes
    fork: int = 0
    evil: Changes = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Revert(Step):
    """A commit that takes the files back to what they were so many commits before."""

    back: int


@dataclass(frozen=True, kw_only=True)
class Amend(Step):
    """A force-push to a sibling of the tip: its changes undone, others made."""

    changes: Changes


@dataclass(frozen=True, kw_only=True)
class Rewind(Step):
    """A force-push to the commit so many before the tip."""

    back: int


@dataclass(frozen=True, kw_only=True)
class History:
    """A first commit, what happens to it, and what besides commits decides the tree."""

    seed: int
    first: Changes
    steps: tuple[Step, ...]
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    limits: Mapping[str, int] = field(default_factory=dict)  # see `standing.LIMITS`


def put(files: Files, path: Path, content: Content) -> None:
    """Set one file as a checkout would: a file takes the place of a folder, and a folder that of a file."""
    if content is None:
        files.pop(path, None)
        return
    steps = path.split("/")
    for end in range(1, len(steps)):
        files.pop("/".join(steps[:end]), None)
    for other in [one for one in files if one.startswith(f"{path}/")]:
        del files[other]
    files[path] = content


def changed(files: Files, changes: Changes) -> Files:
    """These files with the changes made."""
    after = dict(files)
    for path, content in changes.items():
        put(after, path, content)
    return after
