"""Snapshots made: by a build, by a read that finds none, or in memory for a folder."""

from __future__ import annotations

import os
import tempfile
import zlib
from array import array
from collections import deque
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import IO

from django.conf import settings

from brain.markdown.lines import decode
from brain.snapshots.layout import head_of, index_of, new_starts
from brain.snapshots.places import UNFINISHED
from brain.snapshots.texts import Run, Texts

_BLOCK = 1 << 20  # bytes that are copied at a time


class Writer:
    """Takes the documents of one commit in path order."""

    def __init__(self, texts: IO[bytes], folded: IO[bytes]) -> None:
        self._paths: list[str] = []
        self._texts, self._starts = texts, new_starts()
        self._folded, self._folded_starts = folded, new_starts()

    def add(self, path: str, blob: bytes) -> None:
        """Add one document."""
        text = decode(blob).text
        self._paths.append(path)
        _append(self._texts, self._starts, text)
        _append(self._folded, self._folded_starts, text.casefold())

    def add_run(self, texts: Texts, first: int, last: int) -> None:
        """Add the documents of another snapshot from number `first` up to and without `last`."""
        self._paths += texts.paths[first:last]
        for run, part, starts in (
            (texts.written, self._texts, self._starts),
            (texts.folded, self._folded, self._folded_starts),
        ):
            shift = starts[-1] - run.starts[first]
            part.write(run.between(first, last))
            starts.extend(run.starts[number] + shift for number in range(first + 1, last + 1))

    def keep(self, path: Path) -> None:
        """Make the file at `path`, whole or not at all."""
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        index = index_of(self._paths, self._starts, self._folded_starts)
        descriptor, name = tempfile.mkstemp(dir=path.parent, suffix=UNFINISHED)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(head_of(index, self._starts, self._folded_starts, 0))
                checksum = 0
                for block in self._blocks(index):
                    checksum = zlib.crc32(block, checksum)
                    file.write(block)
                file.seek(0)
                file.write(head_of(index, self._starts, self._folded_starts, checksum))
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise

    def texts(self) -> Texts:
        """What was added, read into memory."""
        written, folded = (b"".join(_blocks_of(part)) for part in (self._texts, self._folded))
        return Texts(self._paths, Run(written, 0, self._starts), Run(folded, 0, self._folded_starts))

    def _blocks(self, index: bytes) -> Iterator[bytes]:
        yield index
        for part in (self._texts, self._folded):
            yield from _blocks_of(part)


@contextmanager
def writing() -> Iterator[Writer]:
    """A writer whose texts lie on disk, where no other process finds them, until they are kept."""
    root = Path(settings.SNAPSHOT_ROOT)
    root.mkdir(mode=0o700, parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=root) as texts, tempfile.TemporaryFile(dir=root) as folded:
        yield Writer(texts, folded)


def renewed(texts: Texts, path: Path, *, gone: Collection[str], added: Iterable[tuple[str, bytes]]) -> None:
    """Make the file at `path` of another one's texts, without those `gone`, with those `added` in order."""
    with writing() as writer:
        first = 0
        news = deque(added)
        for number, known in enumerate([*texts.paths, None]):
            while news and (known is None or news[0][0] < known):
                writer.add_run(texts, first, number)
                first = number
                writer.add(*news.popleft())
            if known is None or known in gone:
                writer.add_run(texts, first, number)
                first = number + 1
        writer.keep(path)


def in_memory(documents: Iterable[tuple[str, bytes]]) -> Texts:
    """The texts of these documents, path and bytes of each in path order, without any file."""
    writer = Writer(BytesIO(), BytesIO())
    for path, blob in documents:
        writer.add(path, blob)
    return writer.texts()


def _append(part: IO[bytes], starts: array[int], text: str) -> None:
    length = part.write(text.encode()) + part.write(b"\n")
    starts.append(starts[-1] + length)


def _blocks_of(part: IO[bytes]) -> Iterator[bytes]:
    part.seek(0)
    while block := part.read(_BLOCK):
        yield block
