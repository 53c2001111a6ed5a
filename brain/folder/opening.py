"""From a folder on disk, or the HEAD commit of a Git repository, to a tree in memory."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha1
from pathlib import Path

import pygit2
from django.conf import settings

from brain.contents import Contents, changes_of, contents_of, history_problems, texts_of
from brain.errors import InvalidArgument
from brain.folder.held import FolderStore, Held
from brain.markdown.problems import Problem
from brain.parsing import Text, parse_all
from brain.tree.assembly import File, Tree, TreeSettings, assemble
from brain.tree.layout import FILE, Words, read_layout
from brain.tree.nodes import Changed
from brain.tree.scope import Scope, choose, is_markdown
from repositories import reader

MAX_FILES = 200_000  # that a walk of a folder looks at


@dataclass(frozen=True, slots=True)
class _DiskFile:
    path: str
    size: int


def open_folder(folder: Path, *, worktree: bool = False) -> FolderStore:
    """The tree of the folder's HEAD commit when it is a Git repository itself, else of its files on disk.

    `worktree` reads the files on disk in any case. Raises InvalidArgument for what is no folder.
    """
    if not folder.is_dir():
        raise InvalidArgument("path", "There is no such folder.")
    git = None if worktree else _git_folder(folder)
    return FolderStore(_of_files(folder) if git is None else _of_commit(folder, git))


def _git_folder(folder: Path) -> Path | None:
    """Where the objects of the repository are that the folder itself is; None for any other folder."""
    inner = folder / ".git"
    if inner.is_dir():
        return inner
    return folder if (folder / "objects").is_dir() and (folder / "HEAD").is_file() else None


def _of_commit(folder: Path, git: Path) -> Held:
    branch, commit = _head(git)
    contents = contents_of(git, commit, Scope())
    texts = dict(texts_of(git, contents.documents))
    history = reader.last_changes(git, commit)
    changes = changes_of(git, commit, history, texts)
    blobs = {entry.path: entry.blob for entry in contents.documents}
    tree = _tree(folder, texts, contents, blobs, changes, history_problems(history))
    return Held(
        name=_name(folder),
        branch=branch,
        commit=commit,
        tree=tree,
        texts=texts,
        left_out=contents.left_out,
        git=git,
    )


def _of_files(folder: Path) -> Held:
    files = sorted(_files(folder), key=lambda file: file.path)
    documents, left_out = choose(files, Scope())
    texts = {file.path: (folder / file.path).read_bytes() for file in documents}
    layout = folder / FILE
    words, problems = read_layout(
        layout.read_bytes() if layout.is_file() and not layout.is_symlink() else None
    )
    existing = frozenset(file.path for file in files if is_markdown(file.path))
    blobs = {path: _blob_id(blob) for path, blob in texts.items()}
    tree = _tree(folder, texts, _Around(existing, words, problems), blobs, {}, [])
    return Held(name=_name(folder), branch="", commit="", tree=tree, texts=texts, left_out=tuple(left_out))


@dataclass(frozen=True, slots=True)
class _Around:
    """What of `Contents` a tree needs beside the documents."""

    existing: frozenset[str]
    words: Words
    problems: tuple[Problem, ...]


def _tree(
    folder: Path,
    texts: dict[str, bytes],
    around: Contents | _Around,
    blobs: dict[str, str],
    changes: dict[str, Changed],
    problems: Iterable[Problem],
) -> Tree:
    prefixes = tuple(settings.BRAIN_NOT_ID_PREFIXES)
    pairs: list[Text] = list(texts.items())
    parsed = parse_all(pairs, processes=settings.BRAIN_PARSE_PROCESSES, not_prefixes=prefixes)
    files = {path: File(blob=blobs[path], changed=changes.get(path)) for path in texts}
    return assemble(
        [document for document, _ in parsed],
        files,
        TreeSettings(name=_name(folder), not_prefixes=prefixes, max_links=settings.BRAIN_MAX_LINKS_PER_NODE),
        existing=around.existing,
        words=around.words,
        problems=[*around.problems, *problems],
    )


def _head(git: Path) -> tuple[str, str]:
    """The branch and commit of HEAD; the only branch where HEAD points nowhere."""
    repository = reader.open_mirror(git)
    if not repository.head_is_unborn:
        branch = "" if repository.head_is_detached else repository.head.shorthand
        return branch, str(repository.head.peel(pygit2.Commit).id)
    branches = reader.branches(git)
    chosen = [branch for branch in branches if branch.name in ("main", "master")] or branches
    if len(chosen) != 1 and len(branches) != 1:
        raise InvalidArgument("path", "The repository's HEAD points to no commit; check out a branch first.")
    return chosen[0].name, chosen[0].commit


def _files(folder: Path) -> Iterator[_DiskFile]:
    """The regular files below the folder, links and hidden folders left aside."""
    left = MAX_FILES
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            path = Path(place) / name
            left -= 1
            if left < 0:
                return
            if path.is_file() and not path.is_symlink():
                yield _DiskFile(path.relative_to(folder).as_posix(), path.stat().st_size)


def _blob_id(blob: bytes) -> str:
    """The object id Git would give these bytes."""
    return sha1(b"blob %d\0" % len(blob) + blob, usedforsecurity=False).hexdigest()


def _name(folder: Path) -> str:
    return folder.resolve().name.removesuffix(".git") or "/"
