"""Lines as Git counts them: only a line feed ends one."""

from __future__ import annotations

import re
from typing import NamedTuple

BYTE_ORDER_MARK = "\ufeff"
_LONE_CARRIAGE_RETURN = re.compile(r"\r(?!\n)")
_MARKDOWN_LINE_END = re.compile(r"\r\n|\n|\r")


class Decoded(NamedTuple):
    """A blob as text; `damaged` tells that bytes were no UTF-8 and were replaced."""

    text: str
    damaged: bool


def decode(blob: bytes) -> Decoded:
    """The blob as UTF-8, with U+FFFD for what is none, and without a leading byte order mark."""
    try:
        text, damaged = blob.decode(), False
    except UnicodeDecodeError:
        text, damaged = blob.decode(errors="replace"), True
    return Decoded(text.removeprefix(BYTE_ORDER_MARK), damaged)


def count_lines(text: str) -> int:
    """How many lines the text has; a final line without a line feed counts, a final line feed adds none."""
    return text.count("\n") + (not text.endswith("\n") and text != "")


def line_numbers(text: str, first: int) -> range | list[int]:
    """For each line CommonMark sees in the text (0-based) its number in the file, and one for the end.

    CommonMark also ends a line at a carriage return alone, which Git does not.
    `first` is the number of the text's first line in its file.
    """
    if not _LONE_CARRIAGE_RETURN.search(text):
        return range(first, first + text.count("\n") + 2)
    numbers, number = [first], first
    for end in _MARKDOWN_LINE_END.finditer(text):
        number += end[0] != "\r"
        numbers.append(number)
    return [*numbers, number + 1]


def line_offsets(blob: bytes) -> list[int]:
    """The offset of each line's first byte, and one more for the end of the blob."""
    starts = [0, *(end.end() for end in re.finditer(b"\n", blob))]
    return starts if starts[-1] == len(blob) else [*starts, len(blob)]


def estimated_tokens(size: int) -> int:
    """About how many tokens `size` bytes of UTF-8 are: one for four bytes, rounded up."""
    return -(-size // 4)
