"""A folder on disk as Git sees it: the work tree that it stands in, and what is ignored there."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import pygit2
from pygit2.enums import RepositoryOpenFlag

from repositories import git
from repositories.errors import RepositoryError
from repositories.git import GitFailed
from repositories.processes import Limits, ProcessError

ASKING = Limits(seconds=20, output=64 << 20)


@dataclass(frozen=True, slots=True)
class WorkTree:
    """The place of a folder in the work tree of a repository."""

    git: Path  # the repository's own folder, which has HEAD and the way to the objects
    top: Path  # the root of the work tree
    below: str  # the way from there to the folder, with its slash; "" for the root itself


def work_tree_of(folder: Path) -> WorkTree | None:
    """The work tree that this folder, whose path is resolved, is or stands in; None for any other folder.

    A folder that is ignored as a whole is no part of the work tree around it. Raises RepositoryError when
    there is a repository that can't be read.
    """
    try:
        found = pygit2.discover_repository(str(folder))
        repository = pygit2.Repository(found, RepositoryOpenFlag.NO_SEARCH) if found else None
    except (KeyError, ValueError, pygit2.GitError) as error:
        raise RepositoryError("The Git repository of the folder can't be read.") from error
    if repository is None or repository.workdir is None:
        return None
    top = Path(repository.workdir).resolve()
    if not folder.is_relative_to(top):
        return None
    below = f"{folder.relative_to(top).as_posix()}/" if folder != top else ""
    return None if below and _is_ignored(repository, below) else WorkTree(Path(repository.path), top, below)


def ignored_in(tree: WorkTree) -> frozenset[str]:
    """What is ignored below the folder, by path from it: files, and folders with a slash at their end.

    An empty path stands for all there is. A tracked file is never ignored, whatever the patterns say; those
    of a person or a machine don't count, only those that stand in the work tree and in its repository.
    Raises RepositoryError when Git can't tell.
    """
    place = (f"--work-tree={tree.top}", "-C", str(tree.top), "--literal-pathspecs")
    question = ("ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory")
    try:
        said = git.run(tree.git, *place, *question, "--", tree.below or ".", limits=ASKING).stdout
    except (GitFailed, ProcessError, OSError) as error:
        raise RepositoryError("Git can't tell which files of the folder it ignores.") from error
    return frozenset(path.removeprefix(tree.below) for path in os.fsdecode(said).split("\0")[:-1])


def _is_ignored(repository: pygit2.Repository, folder: str) -> bool:
    try:
        return bool(repository.path_is_ignored(folder))
    except ValueError:  # libgit2's binding takes no path that is no UTF-8
        return False
