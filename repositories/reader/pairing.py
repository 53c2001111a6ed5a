"""Which deleted and which added documents are one that moved, as `git diff -M` finds it."""

from __future__ import annotations

import itertools
import os
from collections import defaultdict
from typing import TYPE_CHECKING

from repositories import git
from repositories.git import GitFailed
from repositories.processes import Limits, OutputTooLarge, ProcessTimeout

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping
    from pathlib import Path

# Nothing that a repository says of its files is heeded: no attribute, no driver, no filter, no setting.
EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
# Bare by option and by setting: with either alone, Git looks for attributes in the folder it is started in.
PLAIN = ("--bare", "-c", "core.bare=true", "-c", f"attr.tree={EMPTY_TREE}")
PLAIN_DIFF = ("--no-ext-diff", "--no-textconv", "--no-relative", "--ignore-submodules=none", "--no-color")

CHOICE = 100  # deleted documents of one text among which one of the same file name is looked for, as by Git
ARGUMENTS = 1 << 20  # bytes of paths on a command line

_COMPARE = ("diff-tree", "-r", "-z", "--raw", "-M50%", "-l0", *PLAIN_DIFF)


def of_same_text(deleted: Mapping[str, str], added: Mapping[str, str]) -> dict[str, str]:
    """Where each added document was, when its very text was deleted elsewhere; both are path to blob.

    Git pairs these first too, however many there are, and in the order that it lists them in.
    """
    free: dict[str, list[str]] = defaultdict(list)
    for path, blob in deleted.items():
        free[blob].append(path)
    renames = {}
    for path, blob in added.items():
        if olds := free.get(blob):
            name = _name(path)
            few = itertools.islice(olds, CHOICE)
            renames[path] = next((old for old in few if _name(old) == name), olds[0])
            olds.remove(renames[path])
    return renames


def of_like_text(
    mirror: Path, old: str, new: str, *, paths: Collection[str], nested: Iterable[str], seconds: float
) -> dict[str, str] | None:
    """Where each added document of `paths` was, by the likeness of texts; None when the time is over.

    Git sees nothing but these paths. One that became a folder, or was one, would bring in what lies there:
    that is in `nested`, with whatever else differs in a folder named like a document.
    """
    beside = [path for path in nested if path not in paths and _lies_in(path, paths)]
    pathspecs = [literal(path) for path in paths] + [f":(exclude,literal){path}" for path in beside]
    if sum(len(os.fsencode(pathspec)) for pathspec in pathspecs) > ARGUMENTS:
        return {}
    try:
        said = git.run(mirror, *PLAIN, *_COMPARE, old, new, "--", *pathspecs, limits=Limits(seconds=seconds))
    except (ProcessTimeout, OutputTooLarge):
        return None
    except GitFailed:
        return {}  # a text is broken; where its document went cannot be told
    found = _renames(tokens([said.stdout]))
    return {path: before for path, before in found if path in paths and before in paths}


def literal(path: str) -> str:
    """The pathspec of this very path, whatever signs are in it."""
    return f":(literal){path}"


def tokens(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """What Git writes with `-z`, piece by piece."""
    rest = b""
    for chunk in chunks:
        *whole, rest = (rest + chunk).split(b"\0")
        yield from whole


def _renames(said: Iterator[bytes]) -> Iterator[tuple[str, str]]:
    for head in said:
        path = next(said)
        if head.rpartition(b" ")[2].startswith(b"R"):
            yield os.fsdecode(next(said)), os.fsdecode(path)


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def _lies_in(path: str, folders: Collection[str]) -> bool:
    return any(path[:end] in folders for end, letter in enumerate(path) if letter == "/")
