"""Snapshots opened: mapped into memory, remembered by each process, made anew where they are away."""

from __future__ import annotations

import logging
import mmap
import os
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from brain.snapshots.layout import texts_in
from brain.snapshots.making import in_memory, renewed, writing
from brain.snapshots.texts import Texts

logger = logging.getLogger(__name__)

_REMEMBERED = 8  # snapshots that a process keeps open


class _Opened(NamedTuple):
    """A snapshot that is open: which file it is, of which tree, and what it holds."""

    file: tuple[int, ...]
    tree: str
    texts: Texts


_opened: OrderedDict[Path, _Opened] = OrderedDict()
_remembering, _making = Lock(), Lock()


def texts_at(
    path: Path,
    tree: str,
    paths: Callable[[], Iterable[str]],
    documents: Callable[[], Iterable[tuple[str, bytes]]],
) -> Texts:
    """The snapshot at `path`; made anew from the documents when it is missing or damaged.

    `tree` names the tree it is read for. A commit has several when a project's globs change, so a snapshot
    counts only while it holds exactly the `paths` of that tree, which are asked when it is opened.
    """
    found = _remembered(path, tree) or _open(path, tree, paths)
    if found is None:
        with _making:  # the threads of one process make it once; two processes replace each other's
            found = _open(path, tree, paths) or _make(path, tree, paths, documents)
    return found


def renew(was: Path, now: Path, *, gone: Collection[str], texts: Iterable[tuple[str, bytes]]) -> None:
    """Make the snapshot at `now` of the one at `was`: without the texts `gone`, with these in path order.

    Nothing is made where that one is missing or damaged, or the disk is full: the first read makes it.
    """
    try:
        with was.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as held:
            if known := texts_in(held):
                renewed(known, now, gone=gone, added=texts)
    except (OSError, ValueError) as error:
        logger.info("A snapshot is made by its first reader: %s", type(error).__name__)


def _remembered(path: Path, tree: str) -> Texts | None:
    with _remembering:
        opened = _opened.get(path)
        if opened is None or opened.tree != tree or opened.file != _file_at(path):
            return None
        _opened.move_to_end(path)
        return opened.texts


def _open(path: Path, tree: str, paths: Callable[[], Iterable[str]]) -> Texts | None:
    try:
        with path.open("rb") as file:
            identity = _identity(os.fstat(file.fileno()))
            texts = texts_in(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    except (OSError, ValueError):  # missing, closed to us, or empty
        return None
    if texts is None or list(texts.paths) != list(paths()):
        return None
    with _remembering:
        for other in [one for one, opened in _opened.items() if opened.file != _file_at(one)]:
            del _opened[other]  # a mapping ends with its last reader, and only then its disk is free
        _opened[path] = _Opened(identity, tree, texts)
        _opened.move_to_end(path)
        while len(_opened) > _REMEMBERED:
            _opened.popitem(last=False)
    return texts


def _make(
    path: Path,
    tree: str,
    paths: Callable[[], Iterable[str]],
    documents: Callable[[], Iterable[tuple[str, bytes]]],
) -> Texts:
    try:
        with writing() as writer:
            for document in documents():
                writer.add(*document)
            writer.keep(path)
    except OSError as error:  # a full or closed disk: the answer does without the cache
        logger.warning("A snapshot could not be kept: %s", type(error).__name__)
        return in_memory(documents())
    return _open(path, tree, paths) or in_memory(documents())


def _file_at(path: Path) -> tuple[int, ...] | None:
    try:
        return _identity(path.stat())
    except OSError:
        return None


def _identity(file: os.stat_result) -> tuple[int, ...]:
    return file.st_dev, file.st_ino, file.st_size, file.st_mtime_ns
