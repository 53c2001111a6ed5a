"""Which documents differ between two commits; what is no document is gone before renames are looked for."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import pygit2
from pygit2.enums import ObjectType

from repositories.git import GitFailed
from repositories.processes import Limits, OutputTooLarge, ProcessTimeout
from repositories.reader import pairing
from repositories.reader.listing import FILE_MODES
from repositories.reader.listing import WALK as LISTED
from repositories.reader.objects import tree_of
from repositories.reader.opening import open_mirror, require_commit
from repositories.reader.paths import HEAD, raw_changes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from pygit2 import Odb

    from repositories.reader.listing import Listing


@dataclass(frozen=True, slots=True, kw_only=True)
class DifferenceLimits:
    """How much of a difference is looked at."""

    paths: int = 20_000  # documents that differ
    candidates: int = 1_000  # deleted and added documents that are compared for likeness
    seconds: float = 5
    comparing: float = 2  # seconds of these
    output: int = 256 << 20  # bytes that git may print


class Difference(NamedTuple):
    """A document that is not the same in both commits."""

    status: str  # added, modified, deleted or renamed
    path: str  # of a deleted one, where it was
    old_path: str | None  # of a renamed one
    old: str | None  # the blob it was; None: it was no document
    new: str | None  # the blob it is


@dataclass(frozen=True, slots=True, kw_only=True)
class Differences:
    """What differs, in path order."""

    found: tuple[Difference, ...]
    truncated: bool  # a limit ended the search


def differences(
    mirror: Path,
    old: str,
    new: str,
    *,
    covers: Callable[[str], bool],
    largest: int,
    documents: Mapping[str, str],
    limits: DifferenceLimits | None = None,
) -> Differences:
    """The documents that differ from the commit `old` to the commit `new`.

    `documents` are those of `new`, path to blob; in `old` every regular file is one whose path is covered
    and that has at most `largest` bytes. Renames are those of `git diff -M` among these alone.
    Raises CommitMissing, and MirrorDamaged when a tree cannot be read.
    """
    limits = limits or DifferenceLimits()
    until = time.monotonic() + limits.seconds
    odb = open_mirror(mirror).odb
    require_commit(odb, old)
    require_commit(odb, new)
    sides = _Sides(odb=odb, covers=covers, largest=largest, documents=documents)
    allowed = Limits(seconds=limits.seconds, output=limits.output)
    try:
        complete = sides.gather(raw_changes(mirror, old, new, allowed), limits.paths)
    except GitFailed:  # for one entry that no tree should have, Git reads none of the commit
        complete = sides.gather_by_walk(tree_of(mirror, old), limits.paths)
    renames = pairing.of_same_text(sides.deleted, sides.added)
    if candidates := sides.candidates(renames, limits.candidates):
        seconds = min(until - time.monotonic(), limits.comparing)
        alike = pairing.of_like_text(mirror, old, new, paths=candidates, nested=sides.nested, seconds=seconds)
        complete = complete and alike is not None
        renames |= alike or {}
    return Differences(found=tuple(sides.told(renames)), truncated=not complete)


def size_in(odb: Odb, blob: str) -> int | None:
    """The bytes of a blob by its header alone; None when the mirror lacks it, or it is no blob."""
    try:
        kind, size = odb.read_header(pygit2.Oid(hex=blob))
    except (KeyError, pygit2.GitError):
        return None
    return size if kind == ObjectType.BLOB else None


@dataclass(slots=True, kw_only=True)
class _Sides:
    """The documents of each commit that the other has not, or not with this text; in Git's order."""

    odb: Odb
    covers: Callable[[str], bool]
    largest: int
    documents: Mapping[str, str]
    deleted: dict[str, str] = field(default_factory=dict)  # path → blob
    added: dict[str, str] = field(default_factory=dict)
    modified: dict[str, tuple[str, str]] = field(default_factory=dict)
    nested: list[str] = field(default_factory=list)  # all that differs in folders named like documents

    def gather(self, entries: Iterator[tuple[bytes, bytes]], most: int) -> bool:
        """Sort out what Git tells; False when a limit ended it."""
        try:
            for head, path in entries:
                if len(self.deleted) + len(self.added) + len(self.modified) >= most:
                    return False
                self._sort(head, path)
        except (ProcessTimeout, OutputTooLarge):
            return False
        return True

    def gather_by_walk(self, listing: Listing, most: int) -> bool:
        """Compare all documents of both commits, given what the older one holds."""
        documents = {
            entry.path: entry.blob
            for entry in listing.files
            if self.covers(entry.path) and entry.size <= self.largest
        }
        differing = [
            path
            for path in sorted({*documents, *self.documents})
            if documents.get(path) != self.documents.get(path)
        ]
        for kind in (self.deleted, self.added, self.modified):
            kind.clear()
        for path in differing[:most]:
            self._put(path, documents.get(path), self.documents.get(path))
        return len(differing) <= most and not listing.truncated

    def candidates(self, renames: Mapping[str, str], most: int) -> set[str]:
        """The paths to compare for likeness; none when there are too many, or none on one side."""
        moved = set(renames.values())
        deleted = {path: blob for path, blob in self.deleted.items() if path not in moved}
        added = {path: blob for path, blob in self.added.items() if path not in renames}
        if not deleted or not added or len(deleted) + len(added) > most:
            return set()
        return {path for path, blob in (deleted | added).items() if size_in(self.odb, blob) is not None}

    def told(self, renames: Mapping[str, str]) -> list[Difference]:
        """Each difference, given where the added documents were before."""
        moved = set(renames.values())
        found = [Difference("modified", path, None, *blobs) for path, blobs in self.modified.items()]
        for path, blob in self.added.items():
            before = renames.get(path)
            was = self.deleted[before] if before else None
            found.append(Difference("renamed" if before else "added", path, before, was, blob))
        for path, blob in self.deleted.items():
            if path not in moved:
                found.append(Difference("deleted", path, None, blob, None))
        return sorted(found, key=lambda one: one.path)

    def _sort(self, head: bytes, raw_path: bytes) -> None:
        if b".md/" in raw_path.lower():
            self.nested.append(os.fsdecode(raw_path))
        told = HEAD.match(head)
        try:
            path = raw_path.decode()
        except UnicodeDecodeError:
            return
        if told is None or not _is_sound(raw_path) or not self.covers(path):
            return
        old, new = told[3].decode(), told[4].decode()
        was = int(told[1], 8) in FILE_MODES and self._was_document(old)
        remains = int(told[2], 8) in FILE_MODES and self.documents.get(path) == new
        if old != new or was != remains:  # else its mode changed, not its text
            self._put(path, old if was else None, new if remains else None)

    def _put(self, path: str, old: str | None, new: str | None) -> None:
        if old and new:
            self.modified[path] = old, new
        elif old:
            self.deleted[path] = old
        elif new:
            self.added[path] = new

    def _was_document(self, blob: str) -> bool:
        try:
            kind, size = self.odb.read_header(pygit2.Oid(hex=blob))
        except (KeyError, pygit2.GitError):
            return True  # lost: it was one by all that can be known
        return bool(kind == ObjectType.BLOB and size <= self.largest)


def _is_sound(path: bytes) -> bool:
    """Whether a walk of the commit would have come to the path."""
    return len(path) <= LISTED.path and path.count(b"/") < LISTED.depth and b"//" not in b"/" + path
