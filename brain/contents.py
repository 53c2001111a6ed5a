"""What of a commit is indexed: its documents, their texts, when they last changed."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from brain.errors import BuildFailed
from brain.markdown.problems import Problem
from brain.tree.layout import FILE, Words, read_layout
from brain.tree.nodes import Changed
from brain.tree.scope import MAX_DOCUMENT_BYTES, LeftOut, Scope, choose, is_markdown
from repositories import reader
from repositories.reader import Entry, History, LastChange, Listing

MAX_TEXT = 512 * 1024 * 1024  # bytes of all documents
MAX_LOOK_UPS = 500  # documents older than the walked history, looked up one by one
LOOK_UP_SECONDS = 20.0  # for all of them


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """What of a commit is indexed, what is not, and what its layout says."""

    documents: tuple[Entry, ...]  # in path order
    left_out: tuple[LeftOut, ...]
    existing: frozenset[str]  # every path that names a Markdown file, indexed or not, but for hidden ones
    words: Words
    problems: tuple[Problem, ...]
    truncated: bool  # the commit holds more files than are looked at

    @property
    def size(self) -> int:
        """Bytes of all documents."""
        return sum(entry.size for entry in self.documents)


def contents_of(mirror: Path, commit: str, scope: Scope) -> Contents:
    """What the commit holds for this project. Raises BuildFailed when its texts are over the budget."""
    listing = reader.tree_of(mirror, commit)
    documents, left_out = choose(listing.files, scope)
    left_out += [LeftOut(path, "bad-path") for path in listing.bad_paths if scope.covers(path)]
    words, problems = read_layout(_layout(mirror, listing))
    contents = Contents(
        documents=tuple(documents),
        left_out=tuple(left_out),
        existing=frozenset(_existing(listing, scope)),
        words=words,
        problems=problems,
        truncated=listing.truncated,
    )
    if contents.size > MAX_TEXT:
        raise BuildFailed("budget", f"The documents hold more than {MAX_TEXT >> 20} MiB of text.")
    return contents


def texts_of(mirror: Path, documents: Iterable[Entry]) -> Iterator[tuple[str, bytes]]:
    """Path and bytes of each document, in order, each read by its blob."""
    entries = list(documents)
    blobs = reader.blobs(mirror, (entry.blob for entry in entries))
    for entry, (_, blob) in zip(entries, blobs, strict=True):
        yield entry.path, blob


def changes_of(mirror: Path, commit: str, history: History, paths: Iterable[str]) -> dict[str, Changed]:
    """The last change of each path, where the history tells; a few older ones are looked up."""
    changes: dict[str, Changed] = {}
    left, until = MAX_LOOK_UPS, time.monotonic() + LOOK_UP_SECONDS
    for path in paths:
        found = history.changes.get(path)
        if (
            found is None
            and not history.complete
            and not history.problem
            and left > 0
            and time.monotonic() < until
        ):
            left -= 1
            found = reader.last_change_of(mirror, commit, path)
        if found is not None:
            changes[path] = _changed(found)
    return changes


def history_problems(history: History) -> list[Problem]:
    """The problem of a history that could not be read."""
    return [Problem("", None, "history", history.problem)] if history.problem else []


def _changed(change: LastChange) -> Changed:
    return Changed(change.commit, change.at, change.subject)


def _existing(listing: Listing, scope: Scope) -> Iterator[str]:
    for path in (*(entry.path for entry in listing.files), *listing.others):
        if scope.hides(path):  # nor does it make the folders exist that hold nothing else
            continue
        if is_markdown(path):
            yield path
        if ".md/" in path.lower():  # a folder may have a document's name
            steps = path.split("/")
            yield from ("/".join(steps[:end]) for end in range(1, len(steps)) if is_markdown(steps[end - 1]))


def _layout(mirror: Path, listing: Listing) -> bytes | None:
    entry = next((entry for entry in listing.files if entry.path == FILE), None)
    blob = reader.blob(mirror, entry.blob) if entry else None
    return blob[:MAX_DOCUMENT_BYTES] if blob is not None else None
