"""How a mirror and the objects in it are opened, and what it means when they cannot be."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pygit2
from pygit2.enums import ConfigLevel, ObjectType, Option, RepositoryOpenFlag

from repositories.cleaning import clean_line
from repositories.errors import CommitMissing, MirrorDamaged, MirrorMissing

if TYPE_CHECKING:
    from pathlib import Path

    from pygit2 import Odb

_OBJECT_ID = re.compile(r"[0-9a-f]{40}\Z")

# libgit2 asks who owns a folder and reads a person's configuration. Only mirrors are opened, each by its
# exact path, and they are ours: neither may change what is read.
pygit2.option(Option.SET_OWNER_VALIDATION, False)
for _level in (ConfigLevel.PROGRAMDATA, ConfigLevel.SYSTEM, ConfigLevel.XDG, ConfigLevel.GLOBAL):
    pygit2.settings.search_path[_level] = "/dev/null"


COMMIT_LIMIT = 64 << 20  # bytes of one commit object


@dataclass(frozen=True, slots=True)
class RawCommit:
    """What a commit says, as it was written."""

    tree: pygit2.Oid
    message: bytes
    encoding: str  # that it claims for its message


def open_mirror(mirror: Path) -> pygit2.Repository:
    """The mirror at exactly this path. Raises MirrorMissing and MirrorDamaged."""
    try:
        return pygit2.Repository(str(mirror), RepositoryOpenFlag.NO_SEARCH | RepositoryOpenFlag.BARE)
    except (KeyError, pygit2.GitError, ValueError) as error:
        if not mirror.exists():
            raise MirrorMissing("The repository has not been mirrored yet.") from error
        raise MirrorDamaged("The mirror is no Git repository.") from error


def require_commit(odb: Odb, commit: str) -> None:
    """Raises CommitMissing unless this is the whole id of a commit that is there."""
    try:
        kind, size = odb.read_header(_id_of(commit))
    except KeyError as error:
        raise CommitMissing(f"The mirror does not hold the commit {commit}.") from error
    except pygit2.GitError as error:
        raise MirrorDamaged(f"The commit {commit} cannot be read.") from error
    if kind != ObjectType.COMMIT or size > COMMIT_LIMIT:
        raise CommitMissing(f"The mirror holds no readable commit {commit}.")


def commit_in(odb: Odb, commit: str) -> RawCommit:
    """The commit with exactly this id; never a branch, a tag or an abbreviation.

    Taken apart here and not by libgit2, which refuses a commit for a date that is no number.
    """
    require_commit(odb, commit)
    try:
        head, _, message = odb.read(commit)[1].partition(b"\n\n")
        tree = pygit2.Oid(hex=head[5:45].decode())
    except (KeyError, ValueError, pygit2.GitError) as error:
        raise MirrorDamaged(f"The commit {commit} cannot be read.") from error
    encoding = re.search(rb"^encoding (\S+)$", head, re.MULTILINE)
    return RawCommit(tree, message, encoding[1].decode(errors="replace") if encoding else "utf-8")


def blob_in(odb: Odb, oid: str) -> bytes:
    """The bytes of exactly this blob; libgit2 checks them against the id."""
    try:
        kind, text = odb.read(_id_of(oid))
    except KeyError as error:
        raise CommitMissing(f"The mirror does not hold the blob {oid}.") from error
    except pygit2.GitError as error:
        raise MirrorDamaged(f"The blob {oid} cannot be read.") from error
    if kind != ObjectType.BLOB:
        raise CommitMissing(f"The object {oid} is no blob.")
    return text


def _id_of(text: str) -> pygit2.Oid:
    if not _OBJECT_ID.match(text):
        raise CommitMissing(f"{clean_line(text, 80)!r} is no object id.")
    return pygit2.Oid(hex=text)
