"""cmark-gfm, the parser GitHub runs, as a witness of which lines are headings."""

from __future__ import annotations

import re
from typing import NamedTuple

from cmarkgfm import cmark

OPTIONS = cmark.Options.CMARK_OPT_SOURCEPOS | cmark.Options.CMARK_OPT_FOOTNOTES
EXTENSIONS = ["table", "strikethrough", "autolink"]

# Text is escaped and raw HTML is left out of the answer, so each of these is a block of Markdown.
_TAG = re.compile(r'<(/?)(blockquote|li|section|h[1-6])(?:\s[^>]*?data-sourcepos="(\d+):[^>]*)?[^>]*>')
_LINE_END = re.compile(r"\r\n|\n|\r")


class Seen(NamedTuple):
    """A heading outside quotes, lists and footnotes: its line, as Git counts lines, and its level."""

    line: int
    level: int


def headings_seen(text: str) -> list[Seen]:
    """The top-level headings that cmark-gfm finds, in order."""
    starts = [0, *(end.end() for end in _LINE_END.finditer(text))]
    html = cmark.markdown_to_html_with_extensions(text, options=OPTIONS, extensions=EXTENSIONS)
    seen, around = [], 0
    for closing, tag, line in _TAG.findall(html):
        if tag[0] != "h":
            around += -1 if closing else 1
        elif not closing and not around:
            seen.append(Seen(1 + text.count("\n", 0, starts[int(line) - 1]), int(tag[1])))
    return seen
