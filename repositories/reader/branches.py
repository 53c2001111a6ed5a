"""The branches of a mirror that may be followed."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pygit2

from repositories.cleaning import clean_line
from repositories.errors import BranchMissing, MirrorDamaged
from repositories.reader.opening import open_mirror

if TYPE_CHECKING:
    from pathlib import Path

BRANCH_LIMIT = 5_000
HEADS = "refs/heads/"

_PLAIN = re.compile(r"[A-Za-z0-9._/-]{1,200}\Z")
# What git-check-ref-format refuses of such names, a leading hyphen, and our own output branches.
_REFUSED = re.compile(r"^[-./]|\.\.|//|/\.|\.lock(?:/|\Z)|[./]\Z|^kintsugi(?:/|\Z)")


@dataclass(frozen=True, slots=True)
class Branch:
    """A branch that may be followed, and the commit it points to."""

    name: str
    commit: str


def is_branch_name(name: str) -> bool:
    """Whether a branch of this name may be followed."""
    return _PLAIN.match(name) is not None and _REFUSED.search(name) is None


def branches(mirror: Path) -> list[Branch]:
    """The branches that may be followed, by name, at most 5,000."""
    repository = open_mirror(mirror)
    try:
        references = sorted(repository.raw_listall_references())
    except pygit2.GitError as error:
        raise MirrorDamaged("The branches of the mirror cannot be read.") from error
    heads = (name.decode(errors="replace") for name in references if name.startswith(HEADS.encode()))
    names = (name.removeprefix(HEADS) for name in heads)
    legal = itertools.islice(filter(is_branch_name, names), BRANCH_LIMIT)
    tips = ((name, _tip(repository, name)) for name in legal)
    return [Branch(name, tip) for name, tip in tips if tip]


def tip_of(mirror: Path, branch: str) -> str:
    """The commit the branch points to. Raises BranchMissing."""
    repository = open_mirror(mirror)
    tip = _tip(repository, branch) if is_branch_name(branch) else None
    if tip is None:
        raise BranchMissing(f"The repository has no branch {clean_line(branch, 200)!r}.")
    return tip


def _tip(repository: pygit2.Repository, branch: str) -> str | None:
    try:
        target = repository.lookup_reference(HEADS + branch).target
    except KeyError:
        return None
    except (pygit2.GitError, ValueError) as error:
        raise MirrorDamaged(f"The branch {branch} cannot be read.") from error
    return str(target) if isinstance(target, pygit2.Oid) else None
