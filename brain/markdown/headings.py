"""The headings of a document: which become nodes, and which only hold an anchor."""

from __future__ import annotations

import html
import re
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from brain.markdown.anchors import Slugger, leading_id, slug_of

if TYPE_CHECKING:
    from markdown_it.token import Token

    from brain.markdown.blocks import Layout

MAX_HEADINGS = 2_000  # a document, the title heading counted
MAX_TEXT = 1_000  # characters of a heading that makes a node: its anchor is part of ids and addresses

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_RAW_HEADING = re.compile(r"<h([1-6])(?:\s[^<>]{0,1000})?>(.*?)(?:</h\1\s*>|\Z)", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(r"<[^<>]*>")


class Heading(NamedTuple):
    """A heading as it stands in the text."""

    token: int  # index of its opening token
    line: int  # of its first line in the file
    level: int
    text: str  # rendered, line breaks kept
    slug: str  # the anchor GitHub gives it
    own: bool  # a Markdown heading that stands in no quote, list or raw HTML
    is_node: bool  # it makes a section or a card
    is_title: bool = False  # it is the document itself
    reference_id: str | None = None  # the id its text starts with


class Outline(NamedTuple):
    """A document's headings in order, and whether some were over the limit."""

    headings: list[Heading]
    cut: bool

    @property
    def nodes(self) -> list[Heading]:
        """The headings that make a node."""
        return [heading for heading in self.headings if heading.is_node]

    @property
    def title(self) -> Heading | None:
        """The heading that is the document itself."""
        return next((heading for heading in self.headings if heading.is_title), None)

    @property
    def only_top(self) -> Heading | None:
        """The document's only level-1 heading, wherever it stands."""
        top = [heading for heading in self.headings if heading.level == 1 and heading.own]
        return top[0] if len(top) == 1 else None


class _Written(NamedTuple):
    token: int
    line: int
    level: int
    text: str
    own: bool


def outline_of(layout: Layout, numbers: Sequence[int], not_prefixes: Collection[str]) -> Outline:
    """All headings of a document with their anchors; `numbers` gives the file's line for a token's."""
    written = list(_written(layout, numbers))
    own = [heading for heading in written if heading.own]
    tops = [heading for heading in own if heading.level == 1]
    title = own[0] if len(tops) == 1 and tops[0] is own[0] else None
    slugger, left, headings = Slugger(), MAX_HEADINGS, []
    for heading in written:
        counts = heading.own and len(heading.text) <= MAX_TEXT and bool(slug_of(heading.text))
        within = counts and left > 0
        left -= counts
        headings.append(
            Heading(
                token=heading.token,
                line=heading.line,
                level=heading.level,
                text=heading.text,
                slug=slugger.give(heading.text),
                own=heading.own,
                is_node=within and heading is not title,
                is_title=heading is title,
                reference_id=leading_id(heading.text, not_prefixes) if heading.own else None,
            )
        )
    return Outline(headings, cut=left < 0)


def without_comments(raw: str) -> str:
    """Raw HTML without its comments, line for line."""
    return _COMMENT.sub(lambda comment: "\n" * comment[0].count("\n"), raw)


def _written(layout: Layout, numbers: Sequence[int]) -> Iterator[_Written]:
    tokens = layout.tokens
    for index, token in enumerate(tokens):
        if token.type == "heading_open":
            text = layout.text(tokens[index + 1])
            yield _Written(index, numbers[_line(token)], int(token.tag[1]), text, token.level == 0)
        elif token.type == "html_block" and "<h" in token.content.lower():
            yield from _raw_headings(index, token, numbers)


def _raw_headings(index: int, token: Token, numbers: Sequence[int]) -> Iterator[_Written]:
    visible = without_comments(token.content)
    for match in _RAW_HEADING.finditer(visible):
        line = numbers[_line(token) + visible.count("\n", 0, match.start())]
        text = " ".join(html.unescape(_TAG.sub("", match[2])).split())
        yield _Written(index, line, int(match[1]), text, own=False)


def _line(token: Token) -> int:
    return token.map[0] if token.map else 0
