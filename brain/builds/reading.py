"""Documents on their way from Git: read, parsed, their words staged, their texts noted for exact search."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Protocol

from django.conf import settings

from brain import store
from brain.builds.reports import Course
from brain.contents import texts_of
from brain.markdown.documents import Document
from brain.parsing import parse_all
from brain.store import Staging
from brain.tree.assembly import TreeSettings
from repositories import reader
from repositories.reader import Entry, History

STAGED_CHARACTERS = 1_000_000  # of words that go to the database at a time


class TextWriter(Protocol):
    """Takes the text of each document on its way."""

    def add(self, path: str, blob: bytes) -> None:
        """Take one."""


def parsed_documents(
    entries: Sequence[Entry],
    mirror: Path,
    course: Course,
    staging: Staging,
    tree_settings: TreeSettings,
    *,
    snapshot: TextWriter | None = None,
) -> list[Document]:
    """The parsed documents of these files, in their order."""
    return list(_documents(entries, mirror, course, staging, tree_settings, snapshot))


def timed_history(course: Course, mirror: Path, commit: str) -> History:
    """The last changes of all documents."""
    started = time.monotonic()
    history = reader.last_changes(mirror, commit)
    course.seconds["history"] = time.monotonic() - started
    return history


def _documents(
    entries: Sequence[Entry],
    mirror: Path,
    course: Course,
    staging: Staging,
    tree_settings: TreeSettings,
    snapshot: TextWriter | None,
) -> Iterator[Document]:
    def texts() -> Iterator[tuple[str, bytes]]:
        found = texts_of(mirror, entries)
        while True:
            with course.aside("read"):
                text = next(found, None)
                if text is None:
                    return
                if snapshot:
                    snapshot.add(*text)
            yield text

    total = len(entries)
    with course.phase("parse", total):
        parsed = parse_all(
            texts(), processes=settings.BRAIN_PARSE_PROCESSES, not_prefixes=tree_settings.not_prefixes
        )
        done = 0
        for group in store.batches(parsed, STAGED_CHARACTERS):
            with course.aside("words"):
                staging.add(group)
            done += len(group)
            course.tell("parse", done, total)
            yield from (document for document, _ in group)
