"""The files of a folder on disk, read again only where they changed."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha1
from pathlib import Path
from typing import NamedTuple

from brain.folder.held import Held
from brain.folder.listing import DiskFile, OnDisk, on_disk, text_of
from brain.folder.trees import Trees, name_of
from brain.markdown.problems import Problem
from brain.tree.layout import Words, read_layout
from brain.tree.scope import MAX_DOCUMENT_BYTES, LeftOut

# A file that changed this shortly before it was listed is read once more: its clock may tick too slowly to
# tell the next change from that one. FAT's ticks are the longest.
TICK = 2_000_000_000  # nanoseconds


class Files:
    """The documents of one folder; what did not change is neither read nor parsed again."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._trees = Trees(folder)
        self._read: dict[str, _Read] = {}
        self._last: tuple[_State, Held] | None = None

    @property
    def blobs(self) -> Mapping[str, str]:
        """The object id that Git would give each document, by path in path order."""
        return {path: read.blob for path, read in self._read.items()}

    def held(self) -> Held:
        """The folder as it is now; the very same object for as long as nothing changes.

        Raises Refusal and RepositoryError as `on_disk` does.
        """
        listed = on_disk(self._folder)
        self._read = dict(self._readings(listed))
        state = _State(self.blobs, listed.left_out, listed.existing, listed.layout)
        if self._last is None or self._last[0] != state:
            self._last = state, self._made(state)
        return self._last[1]

    def _readings(self, listed: OnDisk) -> Iterator[tuple[str, _Read]]:
        now = time.time_ns()
        for file in listed.documents:
            read = self._read.get(file.path)
            if read is None or read.file != file or not read.settled:
                text = text_of(self._folder, file)
                if text is None:
                    continue
                read = _Read(file, text, _blob_id(text), settled=abs(now - file.changed) > TICK)
            yield file.path, read

    def _made(self, state: _State) -> Held:
        texts = {path: read.text for path, read in self._read.items()}
        layout = None if state.layout is None else state.layout[:MAX_DOCUMENT_BYTES]
        around = _Around(state.existing, *read_layout(layout))
        return Held(
            name=name_of(self._folder),
            branch="",
            commit="",
            tree=self._trees.grow(texts, state.blobs, around),
            texts=texts,
            left_out=state.left_out,
        )


class _State(NamedTuple):
    """All that a tree of files is made of."""

    blobs: Mapping[str, str]
    left_out: tuple[LeftOut, ...]
    existing: frozenset[str]
    layout: bytes | None


class _Around(NamedTuple):
    existing: frozenset[str]
    words: Words
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class _Read:
    """A file as it was read."""

    file: DiskFile
    text: bytes
    blob: str
    settled: bool  # whether any later change shows in its size or time


def _blob_id(blob: bytes) -> str:
    """The object id Git would give these bytes."""
    return sha1(b"blob %d\0" % len(blob) + blob, usedforsecurity=False).hexdigest()
