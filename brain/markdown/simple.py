"""What inline Markdown says where its marks are simple, found without parsing: nine texts of ten.

Whatever could mean something else than it seems makes the answer None, and the parser is asked.
"""

from __future__ import annotations

import re
from itertools import chain
from typing import NamedTuple

# A span of code that neither begins nor ends with a blank, or a raw tag.
_OPAQUE = re.compile(
    r"(?<!`)`([^`\s](?:[^`]*[^`\s])?)`(?!`)"
    r"""|(<(?:[A-Za-z][A-Za-z0-9]*(?: [a-z]+="[^"<>`\n]*")* ?/?|/[A-Za-z]+)>)"""
)
_HOLE = "\0"  # stands for one of these; no text holds a NUL after its blocks were parsed
_LINE_BREAK = re.compile(r" *\n[ \t]*")
# A link with its destination beside it, and no mark at the edges of its text.
_OF_DESTINATION = r"""[^\s\x00-\x1f\x7f()<>&"'\\]"""
_LINK = re.compile(
    r"(?<![!\]_~])\[([^\s\[\]^_*](?:[^\[\]*]*[^\s\[\]_*])?)\]"
    rf"\(((?:{_OF_DESTINATION}|\({_OF_DESTINATION}*\))+)(?: +\"[^\"&\\\0]*\")?\)(?![_~])"
)
# Emphasis between blanks: its marks can't mean anything else there.
_EMPHASIS = re.compile(r"(?<![^ \n])(\*\*?)([^\s*][^*]*)(?<!\s)\1(?![^ \n.,;:)\0])")
# What is not simple if it is left then; an underscore within a word is.
_UNKNOWN = re.compile(r"[\\`*]|<(?! )|&[#A-Za-z]|~~|_(?:(?<![A-Za-z0-9]_)|(?![A-Za-z0-9]))|\]\(")
_BRACKET = re.compile(r"[\[\]]")


class Simple(NamedTuple):
    """What a reader sees of a content, and what it links to."""

    text: str
    links: list[tuple[str, int]]  # destination, and lines below the content's first
    tags: list[str]


def simple(content: str, *, defined: bool) -> Simple | None:
    """What the content says, or None where that takes a parser.

    `defined`: the document defines links or footnotes, so that a bracket alone may lead to one.
    """
    opaque = list(_OPAQUE.finditer(content)) if "`" in content or "<" in content else []
    text = _OPAQUE.sub(_HOLE, content) if opaque else content
    if "\n" in text:
        text = _LINE_BREAK.sub("\n", text)
    links: list[tuple[str, int]] = []
    if "](" in text:
        if any("\n" in span[0] for span in opaque):
            return None  # the lines of the links could not be counted
        links = [(link[2], text.count("\n", 0, link.start())) for link in _LINK.finditer(text)]
        text = _LINK.sub(r"\1", text)
    if "*" in text:
        text = _EMPHASIS.sub(r"\2", text)
    if _UNKNOWN.search(text) or (defined and _BRACKET.search(text)):
        return None
    return Simple(_filled(text, opaque) if opaque else text, links, [span[2] for span in opaque if span[2]])


def _filled(text: str, opaque: list[re.Match[str]]) -> str:
    seen = ((span[1] or "").replace("\n", " ") for span in opaque)
    return "".join(chain(*zip(text.split(_HOLE), chain(seen, [""]), strict=True)))
