"""Which files of a folder on disk are its documents."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from stat import S_ISREG

from brain.contents import MAX_TEXT
from brain.errors import Refusal
from brain.tree.layout import FILE
from brain.tree.scope import (
    MAX_DOCUMENT_BYTES,
    LeftOut,
    Scope,
    choose,
    is_markdown,
    never_indexed,
)
from repositories import reader

MAX_FILES = 200_000  # that a walk of a folder looks at
PATHS = reader.WalkLimits()  # how long and how deep a path of a commit may be
INSTALLED = "node_modules"  # other people's packages, with documents of their own


@dataclass(frozen=True, slots=True)
class DiskFile:
    """A regular file as it was when the folder was listed."""

    path: str
    size: int  # bytes
    changed: int  # nanoseconds since 1970


@dataclass(frozen=True, slots=True, kw_only=True)
class OnDisk:
    """What of a folder is indexed, and what is not; the twin of a commit's `Contents`."""

    documents: tuple[DiskFile, ...]  # in path order
    left_out: tuple[LeftOut, ...]
    existing: frozenset[str]  # every path that names a Markdown file, indexed or not, but for hidden ones
    layout: bytes | None


def on_disk(folder: Path) -> OnDisk:
    """What the folder holds now, by the rules for a commit.

    Left out besides are `node_modules/` and, in a work tree, what Git ignores and the repositories inside.
    Symbolic links are never followed. Raises Refusal when the folder is gone, can't be read or holds too
    much text, and RepositoryError when Git can't tell what it ignores.
    """
    files, existing, bad_paths = [], set(), []
    for path, entry in _markdown(folder):
        try:
            stat = entry.stat(follow_symlinks=False)
        except OSError:  # gone since
            continue
        if not _is_text(path):
            bad_paths += [_shown(path)] if S_ISREG(stat.st_mode) else []
            continue
        existing.add(path)
        if S_ISREG(stat.st_mode):
            files.append(DiskFile(path, stat.st_size, stat.st_mtime_ns))
    documents, left_out = choose(sorted(files, key=lambda file: file.path), Scope())
    _require_room(documents)
    return OnDisk(
        documents=tuple(documents),
        left_out=(*left_out, *(LeftOut(path, "bad-path") for path in sorted(bad_paths))),
        existing=frozenset(existing),
        layout=_start_of(folder / FILE),
    )


def text_of(folder: Path, file: DiskFile) -> bytes | None:
    """The bytes of the file; None when it went, can't be read, or grew too large since the listing."""
    text = _start_of(folder / file.path)
    return None if text is None or len(text) > MAX_DOCUMENT_BYTES else text


def is_installed(path: str) -> bool:
    """Whether the path leads through a folder of installed packages."""
    return INSTALLED in path.split("/")[:-1]


def _markdown(folder: Path) -> Iterator[tuple[str, os.DirEntry[str]]]:
    """Every Markdown file that no rule hides, with its path from the folder; links are among them."""
    tree = reader.work_tree_of(folder.resolve())
    ignored = reader.ignored_in(tree) if tree else frozenset()
    left, places = 0 if "" in ignored else MAX_FILES, [""]
    while places and left > 0:
        prefix = places.pop()
        entries = _entries(folder, prefix)[:left]
        left -= len(entries)
        if tree and prefix and any(entry.name == ".git" for entry in entries):
            continue  # a repository inside, of which a commit holds nothing
        for entry in entries:
            path = f"{prefix}{entry.name}"
            if entry.is_dir(follow_symlinks=False):
                places += [f"{path}/"] if _is_open(path, entry.name, ignored) else []
            elif is_markdown(path) and path not in ignored and len(os.fsencode(path)) <= PATHS.path:
                yield path, entry


def _entries(folder: Path, prefix: str) -> list[os.DirEntry[str]]:
    """What stands in a folder, by name. Raises Refusal for the root; one below that went holds nothing."""
    try:
        with os.scandir(folder / prefix) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError as error:
        if prefix:
            return []
        raise Refusal("The folder is gone or can't be read. Put it back and ask again.") from error


def _is_open(path: str, name: str, ignored: frozenset[str]) -> bool:
    """Whether the folder of this path and name may hold documents."""
    is_left_out = name == INSTALLED or f"{path}/" in ignored or never_indexed(path)
    return not is_left_out and path.count("/") < PATHS.depth - 1


def _require_room(documents: Iterable[DiskFile]) -> None:
    if sum(file.size for file in documents) > MAX_TEXT:
        raise Refusal(f"The Markdown files hold more than {MAX_TEXT >> 20} MiB. Name a folder inside.")


def _start_of(place: Path) -> bytes | None:
    """The bytes of a regular file, of one that is too large one more than it may have."""
    try:
        # A link or a pipe may have taken the file's place: neither is followed or waited for.
        with os.fdopen(os.open(place, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as opened:
            if S_ISREG(os.fstat(opened.fileno()).st_mode):
                return opened.read(MAX_DOCUMENT_BYTES + 1)
    except OSError:
        pass
    return None


def _is_text(path: str) -> bool:
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def _shown(path: str) -> str:
    """A path that is no UTF-8, its odd bytes as backslash escapes."""
    return os.fsencode(path).decode(errors="backslashreplace")
