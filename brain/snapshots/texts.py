"""The texts of a commit, by path and as one run of bytes."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from mmap import mmap


@dataclass(frozen=True, slots=True)
class Run:
    """Texts in path order as one run of UTF-8, each with a line feed behind it.

    So a hit never spans two texts, and every line of the run ends in a line feed.
    """

    held: bytes | mmap
    base: int  # where the run starts in `held`
    starts: Sequence[int]  # of each text, counted from `base`, and one more: the end of the run

    def between(self, first: int, last: int) -> bytes:
        """The texts from number `first` up to and without `last`, with their line feeds."""
        return self.held[self.base + self.starts[first] : self.base + self.starts[last]]


class Texts:
    """The decoded texts of all documents; a document's number is its place among the paths."""

    def __init__(self, paths: Sequence[str], written: Run, folded: Run) -> None:
        self.paths = paths  # in the order of their code points
        self.written = written
        self.folded = folded  # the same by `str.casefold`, which keeps every line feed and adds none

    def text_of(self, path: str) -> str | None:
        """A document's text without a leading byte order mark; None for what is no document."""
        number = self.numbers.get(path)
        return None if number is None else self.written.between(number, number + 1)[:-1].decode()

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """The number of each document by its path."""
        return {path: number for number, path in enumerate(self.paths)}

    def below(self, folder: str) -> range:
        """The numbers of the documents below a folder, whose path ends in a slash; "" is the root."""
        if not folder:
            return range(len(self.paths))
        after = f"{folder[:-1]}{chr(ord('/') + 1)}"
        return range(bisect_left(self.paths, folder), bisect_left(self.paths, after))
