"""Which commit of a history an id names, whole or abbreviated; for all else there is one refusal."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pygit2
from pygit2.enums import ObjectType

from repositories import git
from repositories.errors import CommitMissing
from repositories.git import GitFailed
from repositories.processes import Limits, ProcessError
from repositories.reader.opening import COMMIT_LIMIT, open_mirror

if TYPE_CHECKING:
    from pathlib import Path

REFUSAL = "No commit of this history has this id, or more than one has."
MANY = 1_000  # commits of one prefix; nobody but an attacker has as many
ASKING = Limits(seconds=5, output=256 << 20)

_NAME = re.compile(r"[0-9a-f]{4,40}\Z")
_WHOLE = 40


def ancestor_named(mirror: Path, name: str, tip: str) -> str:
    """The whole id of the one commit, `tip` or before it, whose id begins with `name`, in any case.

    Raises CommitMissing in the same words for everything else: a refusal never tells whether the mirror
    holds a commit that is no ancestor. Nothing but hexadecimal digits reaches Git.
    """
    name = name.lower()
    repository = open_mirror(mirror)
    if not _NAME.match(name) or not _is_commit(repository, tip):
        raise CommitMissing(REFUSAL)
    named = [name] if len(name) == _WHOLE else _beginning_with(mirror, name)
    commits = [one for one in named if _is_commit(repository, one)]
    found = _reached(repository, mirror, commits, tip)
    if len(found) != 1:
        raise CommitMissing(REFUSAL)
    return found[0]


def _is_commit(repository: pygit2.Repository, oid: str) -> bool:
    try:
        kind, size = repository.odb.read_header(pygit2.Oid(hex=oid))
    except (KeyError, ValueError, pygit2.GitError):
        return False
    return bool(kind == ObjectType.COMMIT and size <= COMMIT_LIMIT)


def _beginning_with(mirror: Path, prefix: str) -> list[str]:
    """The ids of all objects that begin so, whatever they are; none when that cannot be said."""
    try:
        said = git.run(mirror, "rev-parse", f"--disambiguate={prefix}", limits=ASKING).stdout
    except (GitFailed, ProcessError):
        return []
    return said.decode().split()


def _reached(repository: pygit2.Repository, mirror: Path, commits: list[str], tip: str) -> list[str]:
    """Those of the commits that are the tip or before it; none when that cannot be said."""
    if len(commits) == 1:
        try:
            return [one for one in commits if one == tip or repository.descendant_of(tip, one)]
        except (KeyError, pygit2.GitError):
            pass  # libgit2 stops at a commit whose date is no number; Git reads on
    return _reached_by_git(mirror, commits, tip) if 0 < len(commits) <= MANY else []


def _reached_by_git(mirror: Path, commits: list[str], tip: str) -> list[str]:
    """One walk from all of them: what it meets outside the tip's history is no ancestor."""
    outside: set[bytes] = set()
    wanted, rest = {one.encode() for one in commits}, b""
    try:
        for chunk in git.stream(mirror, "rev-list", *commits, f"^{tip}", "--", limits=ASKING):
            *lines, rest = (rest + chunk).split(b"\n")
            outside |= wanted.intersection(lines)
    except (GitFailed, ProcessError):
        return []
    return [one for one in commits if one.encode() not in outside]
