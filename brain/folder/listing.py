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
    for path, place in _markdown(folder):
        try:
            stat = place.lstat()
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


def _markdown(folder: Path) -> Iterator[tuple[str, Path]]:
    """The path of every Markdown file that no rule hides, from the folder and whole; links are among them."""
    tree = reader.work_tree_of(folder.resolve())
    ignored = reader.ignored_in(tree) if tree else frozenset()
    left = 0 if "" in ignored else MAX_FILES
    for place, folders, names in os.walk(folder, onerror=lambda error: _refuse(error, folder)):
        way = Path(place).relative_to(folder).as_posix()
        prefix = "" if way == "." else f"{way}/"
        if tree and prefix and not {".git"}.isdisjoint([*folders, *names]):
            folders.clear()  # a repository inside, of which a commit holds nothing
            continue
        folders[:] = _open(folders, prefix, ignored)
        for name in sorted(names):
            left -= 1
            if left < 0:
                return
            path = f"{prefix}{name}"
            if is_markdown(name) and path not in ignored and len(os.fsencode(path)) <= PATHS.path:
                yield path, Path(place, name)


def _open(names: Iterable[str], prefix: str, ignored: frozenset[str]) -> list[str]:
    """The folders of these names that may hold documents."""
    if prefix.count("/") >= PATHS.depth - 1:
        return []
    return [
        name
        for name in sorted(names)
        if name != INSTALLED and f"{prefix}{name}/" not in ignored and not never_indexed(f"{prefix}{name}")
    ]


def _refuse(error: OSError, folder: Path) -> None:
    """Raises Refusal for the folder itself; one inside that went or can't be read is left out."""
    if error.filename == str(folder):
        message = "The folder is gone or can't be read. Put it back and ask again."
        raise Refusal(message) from error


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
