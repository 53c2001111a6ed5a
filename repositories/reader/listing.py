"""Every path of one commit, walked within limits and without trust in the trees."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pygit2 import GitError, Oid
from pygit2.enums import ObjectType

from repositories.errors import MirrorDamaged

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pygit2 import Odb

FILE_MODES = frozenset({0o100644, 0o100755, 0o100664})
FOLDER_MODE = 0o40000
SYMLINK_MODE = 0o120000
SUBMODULE_MODE = 0o160000

# Names that git-fsck refuses besides "", ".", ".." and those with a slash: `.git` as a file system that folds
# case, drops trailing dots and spaces (NTFS) or skips ignorable characters (HFS+) would read it.
_IGNORABLE = "(?:[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff])*".encode()
_DOT_GIT = re.compile(
    rb"(?:^|\\)(?:\.git|git~1)[ .]*(?:$|[\\:])|^"
    + _IGNORABLE
    + rb"\."
    + _IGNORABLE.join((b"", b"g", b"i", b"t", b"$")),
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class WalkLimits:
    """Where a walk stops; a commit of ten small trees can describe 10^10 files."""

    entries: int = 200_000  # seen, of any kind
    depth: int = 64  # segments of a path
    path: int = 1_024  # bytes of a path
    tree: int = 64 << 20  # bytes of one tree object


WALK = WalkLimits()


@dataclass(frozen=True, slots=True)
class Entry:
    """A regular file: its path verbatim, the blob it holds, and its mode as Git writes it."""

    path: str
    blob: str  # object id, 40 hexadecimal digits
    size: int  # bytes; read for Markdown alone, -1 for every other file
    mode: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """What a commit holds, in byte order of the paths."""

    files: tuple[Entry, ...]
    others: frozenset[str]  # paths that exist and are no regular file: symbolic links and submodules
    bad_paths: tuple[str, ...]  # Markdown files whose path is no UTF-8, their odd bytes as backslash escapes
    skipped: int  # entries that break a rule of git-fsck or a limit; what lies below them is not counted
    truncated: bool  # the limit of entries ended the walk


def walk(odb: Odb, root: Oid, limits: WalkLimits = WALK) -> Listing:
    """The listing of the tree `root`. Raises MirrorDamaged when a tree or a document is lost or broken."""
    walked = _Walk(odb, limits)
    walked.folder(root, b"", 1)
    # A tree out of order is refused by git-fsck but walked here; code point order is byte order in UTF-8.
    walked.files.sort(key=lambda entry: entry.path)
    return Listing(
        files=tuple(walked.files),
        others=frozenset(walked.others),
        bad_paths=tuple(sorted(walked.bad_paths)),
        skipped=walked.skipped,
        truncated=walked.truncated,
    )


@dataclass(slots=True)
class _Walk:
    """The state of one walk."""

    odb: Odb
    limits: WalkLimits
    files: list[Entry] = field(default_factory=list)
    others: set[str] = field(default_factory=set)
    bad_paths: list[str] = field(default_factory=list)
    seen: int = 0
    skipped: int = 0
    truncated: bool = False

    def folder(self, tree: Oid, prefix: bytes, depth: int) -> None:
        """Walk one folder, in the order of its tree; `depth` counts the segments of the paths in it."""
        names: set[bytes] = set()
        for mode, name, oid in _entries(self._tree(tree)):
            if self.seen >= self.limits.entries:
                self.truncated = True
                return
            self.seen += 1
            path = prefix + name
            if not self._allowed(name, path, depth) or name in names:
                self.skipped += 1
                continue
            names.add(name)
            if mode == FOLDER_MODE:
                self.folder(oid, path + b"/", depth + 1)
            else:
                self._leaf(mode, path, oid)

    def _allowed(self, name: bytes, path: bytes, depth: int) -> bool:
        return depth <= self.limits.depth and len(path) <= self.limits.path and not _is_refused(name)

    def _leaf(self, mode: int, path: bytes, oid: Oid) -> None:
        markdown = path[-3:].lower() == b".md"
        if mode not in FILE_MODES and mode not in {SYMLINK_MODE, SUBMODULE_MODE}:
            self.skipped += 1
            return
        try:
            text = path.decode()
        except UnicodeDecodeError:
            if markdown and mode in FILE_MODES:
                self.bad_paths.append(path.decode(errors="backslashreplace"))
            return
        if mode not in FILE_MODES:
            self.others.add(text)
        else:
            self._file(mode, text, oid, markdown=markdown)

    def _file(self, mode: int, path: str, oid: Oid, *, markdown: bool) -> None:
        size = -1
        if markdown:
            # The header alone: a blob of 1.5 GB can be 6 MB on disk, and would be read whole.
            kind, size = _header(self.odb, oid)
            if kind != ObjectType.BLOB:
                self.skipped += 1
                return
        self.files.append(Entry(path, str(oid), size, mode))

    def _tree(self, oid: Oid) -> bytes:
        kind, size = _header(self.odb, oid)
        if kind != ObjectType.TREE or size > self.limits.tree:
            self.skipped += 1
            return b""
        try:
            return self.odb.read(oid)[1]
        except (KeyError, GitError) as error:
            raise MirrorDamaged(f"The tree {oid} cannot be read.") from error


def _header(odb: Odb, oid: Oid) -> tuple[ObjectType, int]:
    try:
        return odb.read_header(oid)
    except (KeyError, GitError) as error:
        raise MirrorDamaged(f"The object {oid} cannot be read.") from error


def _entries(tree: bytes) -> Iterator[tuple[int, bytes, Oid]]:
    """(mode, name, object id) of a raw tree, up to where it stops being one; a mode of 0 is no mode.

    Read here and not by libgit2: it refuses a whole tree for one bad entry, and finds one of two equal names.
    """
    start, end = 0, len(tree)
    while start < end:
        space = tree.find(b" ", start, start + 8)
        zero = tree.find(b"\0", space)
        if space < 0 or zero < 0 or zero + 21 > end:
            yield 0, b"", Oid(raw=bytes(20))
            return
        mode = tree[start:space]
        yield (
            int(mode, 8) if mode.isdigit() and b"8" not in mode and b"9" not in mode else 0,
            tree[space + 1 : zero],
            Oid(raw=tree[zero + 1 : zero + 21]),
        )
        start = zero + 21


def _is_refused(name: bytes) -> bool:
    if name in {b"", b".", b".."} or b"/" in name:
        return True
    return (not name.isascii() or b"git" in name.lower()) and _DOT_GIT.search(name) is not None
