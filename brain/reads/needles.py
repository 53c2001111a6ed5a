"""What a line has to hold to be found: literal words and phrases, taken from one text. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Self

from brain.errors import InvalidArgument

MAX_TEXT = 256  # characters
MAX_NEEDLES = 32
SHOWN = 500  # characters of a line

_BEFORE = 200  # of them before the first hit
# A quote opens a phrase where a word could start and another quote closes it; any other is a plain character.
_NEEDLE = re.compile(r'"([^"]*)"|(\S+)')


@dataclass(frozen=True, slots=True)
class Needles:
    """The words and phrases of a text in the order asked, case-folded when the case does not matter."""

    texts: tuple[str, ...]
    ignore_case: bool

    @classmethod
    def parse(cls, text: str, *, ignore_case: bool) -> Self:
        """The needles of the text. Raises InvalidArgument."""
        if not 1 <= len(text) <= MAX_TEXT:
            raise InvalidArgument("text", f"text has 1 to {MAX_TEXT} characters.")
        needles = [phrase or word for phrase, word in _NEEDLE.findall(text) if phrase or word]
        if not any(needle.strip() for needle in needles):
            raise InvalidArgument("text", "text holds no word to look for.")
        if len(needles) > MAX_NEEDLES:
            raise InvalidArgument("text", f"text holds at most {MAX_NEEDLES} words and phrases.")
        return cls(tuple(needle.casefold() if ignore_case else needle for needle in needles), ignore_case)

    def encoded(self) -> list[bytes]:
        """The needles to look for in UTF-8, the longest first, without those that another one holds."""
        # What came in as a lone surrogate becomes bytes that no UTF-8 holds.
        needles = sorted({needle.encode(errors="surrogatepass") for needle in self.texts}, key=_by_length)
        return [
            needle
            for place, needle in enumerate(needles)
            if not any(needle in longer for longer in needles[:place])
        ]

    def shown(self, line: str) -> str:
        """The line, or of a long one what stands around the first needle; carriage returns made visible."""
        if len(line) > SHOWN:
            start = max(0, min(self._place_in(line) - _BEFORE, len(line) - SHOWN))
            line = line[start : start + SHOWN]
        return line.replace("\r", "␍")

    def _place_in(self, line: str) -> int:
        """The character of the line at which the first needle is found."""
        if not self.ignore_case:
            return line.find(self.texts[0])
        return _unfolded(line, line.casefold().find(self.texts[0]))


def _by_length(needle: bytes) -> tuple[int, bytes]:
    return -len(needle), needle


def _unfolded(line: str, folded: int) -> int:
    """The character whose folding stands at this place of the folded line; folding may make one many."""
    first, last = 0, len(line)
    while last - first > 1:
        middle = (first + last) // 2
        length = len(line[first:middle].casefold())
        if length <= folded:
            first, folded = middle, folded - length
        else:
            last = middle
    return first
