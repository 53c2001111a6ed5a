"""The top-level blocks of a document, and what a reader sees of each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from brain.markdown.syntax import inline_of, is_plain, rendered_text

if TYPE_CHECKING:
    from markdown_it.token import Token

ENOUGH = 4_000  # characters of Markdown that give any summary its 240

_GITHUB_MARK = re.compile(r"\A\[(?:[ xX]|![A-Za-z]{1,20})\](?:\s+|\Z)")  # of a task, of an alert
_LISTS = ("bullet_list_open", "ordered_list_open")


class Block(NamedTuple):
    """One top-level block: its opening token's type, and its tokens from `first` to before `end`."""

    kind: str
    first: int
    end: int


class Layout(NamedTuple):
    """A document's tokens, its top-level blocks, and where the tokens with inline text stand."""

    tokens: Sequence[Token]
    environment: dict[str, Any]
    blocks: list[Block]
    inlines: list[int]

    def inlines_of(self, block: Block) -> Iterator[Token]:
        """The block's tokens with inline text, in order."""
        return (token for token in self.tokens[block.first : block.end] if token.type == "inline")

    def plain(self, block: Block) -> str:
        """What a reader sees of the block, on one line; found once."""
        opening = self.tokens[block.first]
        if "plain" not in opening.meta:
            opening.meta["plain"] = collapse(" ".join(map(self.short_text, self.inlines_of(block))))
        return str(opening.meta["plain"])

    def inline(self, token: Token) -> list[Token]:
        """The inline tokens of a token with inline text, parsed once."""
        if not token.children:
            token.children = inline_of(token.content, self.environment)
        return token.children

    def text(self, token: Token) -> str:
        """What a reader sees of one token with inline text."""
        return token.content if is_plain(token.content) else rendered_text(self.inline(token))

    def short_text(self, token: Token) -> str:
        """What a reader sees of the token's beginning: all that a summary can need."""
        if len(token.content) <= ENOUGH:
            text = self.text(token)
        else:
            text = rendered_text(inline_of(token.content[:ENOUGH], self.environment))
        return _GITHUB_MARK.sub("", text, count=1) if text.startswith("[") else text

    def items(self, block: Block) -> Iterator[Token]:
        """Of a list: the token with the first inline text of each of its own items."""
        waiting = False
        for token in self.tokens[block.first : block.end]:
            if token.type == "list_item_open" and token.level == 1:
                waiting = True
            elif waiting and token.type == "inline":
                waiting = False
                yield token

    def rows(self, block: Block) -> Iterator[list[str]]:
        """Of a table: the cells of each row, the header row first."""
        row: list[str] = []
        for token in self.tokens[block.first : block.end]:
            if token.type == "tr_open":
                row = []
            elif token.type == "inline":
                row.append(collapse(self.short_text(token)))
            elif token.type == "tr_close":
                yield row

    def count_rows(self, block: Block) -> int:
        """Of a table: how many rows it has, the header row counted."""
        return sum(token.type == "tr_open" for token in self.tokens[block.first : block.end])


def layout_of(tokens: Sequence[Token], environment: dict[str, Any]) -> Layout:
    """The top-level blocks of a document's tokens."""
    blocks, inlines, opened = [], [], 0
    for index, token in enumerate(tokens):
        if token.type == "inline":
            inlines.append(index)
        elif token.level == 0:
            if token.nesting > 0:
                opened = index
            else:
                first = opened if token.nesting else index
                blocks.append(Block(tokens[first].type, first, index + 1))
    return Layout(tokens, environment, blocks, inlines)


def is_list(block: Block) -> bool:
    """Whether the block is a list."""
    return block.kind in _LISTS


def collapse(text: str) -> str:
    """The text with every run of white space as one space, and none around it."""
    return " ".join(text.split())
