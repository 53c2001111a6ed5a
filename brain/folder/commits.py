"""What HEAD of a Git repository holds, without any database."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pygit2

from brain.contents import changes_of, contents_of, history_problems, texts_of
from brain.errors import BuildFailed, InvalidArgument
from brain.folder.held import Held
from brain.folder.listing import is_installed
from brain.folder.trees import Trees, name_of
from brain.tree.scope import Scope
from repositories import reader
from repositories.errors import MirrorDamaged, RepositoryError


def git_of(folder: Path) -> Path | None:
    """Where the objects of the repository are that the folder itself is; None for any other folder."""
    inner = folder / ".git"
    return inner if inner.is_dir() else bare_git_of(folder)


def bare_git_of(folder: Path) -> Path | None:
    """The folder itself when it is a repository without files on disk; None for any other folder."""
    bare = not (folder / ".git").exists() and (folder / "objects").is_dir() and (folder / "HEAD").is_file()
    return folder if bare else None


class Commits:
    """The HEAD commit of one repository, read again only when it moved."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._trees = Trees(folder)
        self._held: Held | None = None

    def held(self, git: Path) -> Held:
        """What HEAD holds now; the very same object for as long as HEAD stays.

        Raises InvalidArgument when HEAD points nowhere, BuildFailed when the texts are over the budget, and
        RepositoryError.
        """
        branch, commit = head_of(git)
        if self._held is None or (self._held.branch, self._held.commit) != (branch, commit):
            self._held = self._read(git, branch, commit)
        return self._held

    def _read(self, git: Path, branch: str, commit: str) -> Held:
        contents = contents_of(git, commit, Scope())
        texts = dict(texts_of(git, contents.documents))
        history = reader.last_changes(git, commit)
        tree = self._trees.grow(
            texts,
            {entry.path: entry.blob for entry in contents.documents},
            contents,
            changes=changes_of(git, commit, history, texts),
            problems=history_problems(history),
        )
        return Held(
            name=name_of(self._folder),
            branch=branch,
            commit=commit,
            tree=tree,
            texts=texts,
            left_out=contents.left_out,
            git=git,
        )


class Holding:
    """Whether the HEAD commit of a work tree holds its files as they are on disk."""

    def __init__(self) -> None:
        self._of: tuple[Path, str] | None = None
        self._blobs: Mapping[str, str] = {}

    def head(self, folder: Path, blobs: Mapping[str, str]) -> tuple[str, str]:
        """Branch and commit of HEAD when it holds exactly these documents, by path; else two empty texts.

        So they are for a folder inside a work tree: its paths are not those of the commit, and a citation
        would name a file that is not there. Installed packages count on neither side.
        """
        try:
            tree = reader.work_tree_of(folder.resolve())
            head = None if tree is None or tree.below else _head(reader.open_mirror(tree.git))
            if tree is None or head is None:
                return "", ""
            if self._of != (tree.git, head[1]):
                documents = contents_of(tree.git, head[1], Scope()).documents
                self._blobs = {one.path: one.blob for one in documents if not is_installed(one.path)}
                self._of = tree.git, head[1]
        except (BuildFailed, RepositoryError):
            return "", ""
        return head if blobs == self._blobs else ("", "")


def head_of(git: Path) -> tuple[str, str]:
    """The branch and commit of HEAD; the only branch where HEAD points nowhere."""
    head = _head(reader.open_mirror(git))
    if head is not None:
        return head
    branches = reader.branches(git)
    chosen = [branch for branch in branches if branch.name in ("main", "master")] or branches
    if len(chosen) != 1 and len(branches) != 1:
        raise InvalidArgument("path", "The repository's HEAD points to no commit; check out a branch first.")
    return chosen[0].name, chosen[0].commit


def _head(repository: pygit2.Repository) -> tuple[str, str] | None:
    """The branch, if one is checked out, and the commit of HEAD; None when it points to no commit."""
    try:
        if repository.head_is_unborn:
            return None
        branch = "" if repository.head_is_detached else repository.head.shorthand
        return branch, str(repository.head.peel(pygit2.Commit).id)
    except (KeyError, ValueError, pygit2.GitError) as error:
        raise MirrorDamaged("The HEAD of the repository can't be read.") from error
