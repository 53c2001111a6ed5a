"""The text of an indexed commit in one file, for exact search: a cache on local disk, never the truth.

Layout: a line with the length of the index in bytes, the index (JSON: for each document its path and the
offset and length of its text and of its case-folded text), all texts, all case-folded texts. Folding keeps
line feeds, so a hit in a folded text is found again by its line.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from django.conf import settings

from brain.markdown.lines import decode

_SUFFIX = ".text"


class Writer:
    """Takes the documents of one build in path order and keeps them when the build succeeds."""

    def __init__(self, texts: IO[bytes], folded: IO[bytes]) -> None:
        self._texts = texts
        self._folded = folded
        self._index: list[tuple[str, int, int, int, int]] = []

    def add(self, path: str, blob: bytes) -> None:
        """Add one document."""
        text = decode(blob).text
        start, folded_start = self._texts.tell(), self._folded.tell()
        length, folded_length = self._texts.write(text.encode()), self._folded.write(text.casefold().encode())
        self._index.append((path, start, length, folded_start, folded_length))

    def keep(self, path: Path) -> None:
        """Make the file at `path`, whole or not at all."""
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        index = json.dumps(self._index, separators=(",", ":")).encode()
        descriptor, name = tempfile.mkstemp(dir=path.parent, suffix=".new")
        with os.fdopen(descriptor, "wb") as file:
            file.write(b"%d\n" % len(index) + index)
            for part in (self._texts, self._folded):
                part.seek(0)
                shutil.copyfileobj(part, file)
        Path(name).replace(path)


@contextmanager
def writing() -> Iterator[Writer]:
    """A writer for one build."""
    root = Path(settings.SNAPSHOT_ROOT)
    root.mkdir(mode=0o700, parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=root) as texts, tempfile.TemporaryFile(dir=root) as folded:
        yield Writer(texts, folded)


def path_of(source_id: int, commit: str) -> Path:
    """Where the snapshot of a project's indexed commit lies."""
    return Path(settings.SNAPSHOT_ROOT) / str(source_id) / f"{commit}{_SUFFIX}"


def drop_others(source_id: int, commit: str) -> None:
    """Drop every snapshot of the project but this commit's."""
    kept = path_of(source_id, commit)
    for path in kept.parent.glob(f"*{_SUFFIX}"):
        if path != kept:
            path.unlink(missing_ok=True)


def drop_all(source_id: int) -> None:
    """Drop every snapshot of the project."""
    shutil.rmtree(path_of(source_id, "").parent, ignore_errors=True)
