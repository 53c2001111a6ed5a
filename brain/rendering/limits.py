"""Every cap of rendering, so that the worst page costs about a second, not a worker."""

from __future__ import annotations

import re

MAX_CHARACTERS = 400_000  # of source on one page
MAX_LINES = 20_000  # a heading or item a line is what blocks cost most for
MAX_MARKS = 60_000  # characters that make the parser think; prose has one in thirty
MAX_TABLE_CELLS = 20_000  # of all tables of a page, filled up rows included
MAX_HIGHLIGHTED = 100_000  # characters of code with colours on one page
MAX_HIGHLIGHTED_LINE = 1_000  # lexers are regular expressions: a long line is where they can run away
MAX_NESTING = 60  # of blocks and of inline marks; a list item takes two

LINES = re.compile(r"[^\r\n]*(?:\r\n?|\n|$)")
MARKS = re.compile(r"[\[\]*_`<&~!\\]|[-+>.)][ \t]")  # the second part starts items and quotes


def length_shown(text: str) -> int:
    """How many characters of `text` a page shows: all, or up to the end of the last line within the caps."""
    shown = marks = 0
    for lines, line in enumerate(LINES.finditer(text), start=1):
        marks += len(MARKS.findall(line.group()))
        if lines > MAX_LINES or marks > MAX_MARKS or line.end() > MAX_CHARACTERS:
            break
        shown = line.end()
    return shown
