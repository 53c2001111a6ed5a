"""Lines of a file cut to a budget of characters, so that nothing is lost between two pages. Pure."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Cut:
    """A page of lines: its text, and where the next page starts."""

    text: str
    last_line: int  # the last line that is in the page, whole or in part
    next_line: int | None  # None: nothing was cut off
    next_column: int | None = None  # code points of `next_line`, from 1; None: its beginning


def cut_lines(lines: list[str], first: int, *, limit: int, numbered: bool, column: int = 1) -> Cut:
    """As many of the lines as fit into `limit` characters; `first` is the number of the first one.

    `lines` keep their line feeds. The first line starts at `column`. A single line that is longer than
    the limit is cut inside; numbers and their tabs count. Every page holds at least one character.
    """
    pieces: list[str] = []
    left = limit
    for offset, line in enumerate(lines):
        number = first + offset
        start = column - 1 if offset == 0 else 0
        prefix = f"{number}\t" if numbered else ""
        piece = prefix + line[start:]
        if len(piece) > left:
            if pieces:
                return Cut("".join(pieces), number - 1, number)
            room = max(1, left - len(prefix))
            pieces.append(prefix + line[start : start + room])
            return Cut("".join(pieces), number, number, start + room + 1)
        pieces.append(piece)
        left -= len(piece)
    return Cut("".join(pieces), first + len(lines) - 1, None)
