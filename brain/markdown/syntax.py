"""CommonMark with GitHub's tables, strikethrough and footnotes: blocks first, inline only where asked."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Literal

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from mdit_py_plugins.footnote import footnote_plugin

from brain.markdown.dispatch import dispatch
from brain.markdown.rules import put_right

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_it.token import Token

MAX_NESTING = 100  # levels of quotes and lists; deeper text is passed over
MAX_INLINE_NESTING = 20  # of brackets and emphasis; each level costs time at every bracket
# What inline Markdown needs to mean anything but itself: without what opens it, nothing closes.
_MARKED = re.compile(r"[\\`*_\[<&~\n]")
_DELIMITER = re.compile(r"[*_~]")


class PlacedInline(StateInline):
    """Inline state whose tokens remember where in their block they were found (`meta["at"]`)."""

    def pushPending(self) -> Token:  # noqa: N802 -- markdown-it's name
        token = super().pushPending()
        token.meta["at"] = self.pos
        return token

    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Token:
        token = super().push(ttype, tag, nesting)
        token.meta["at"] = self.pos
        return token


def _parser(max_nesting: int, *without: str) -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": max_nesting})
    parser.enable(["table", "strikethrough"])
    parser.use(footnote_plugin, inline=False, move_to_end=False)
    put_right(parser)
    parser.core.ruler.enableOnly(["normalize", "block"])
    # A destination is kept as written: the index decides what it leads to.
    parser.normalizeLink = lambda url: url  # type: ignore[method-assign]
    parser.validateLink = lambda url: True  # type: ignore[method-assign]  # noqa: ARG005
    parser.disable(without)
    dispatch(parser)
    return parser


_BLOCKS = _parser(MAX_NESTING)
_INLINE = _parser(MAX_INLINE_NESTING)
_WITHOUT_LINKS = _parser(MAX_INLINE_NESTING, "link", "image", "footnote_ref")


def blocks_of(text: str, environment: dict[str, Any]) -> list[Token]:
    """The text's block tokens, in order; link definitions are left in `environment`."""
    return _BLOCKS.parse(text, environment)


def inline_of(content: str, environment: dict[str, Any]) -> list[Token]:
    """The inline tokens of one block's content."""
    parser = _INLINE if may_link(content, environment) else _WITHOUT_LINKS
    tokens: list[Token] = []
    state = PlacedInline(content, parser, environment, tokens)
    parser.inline.tokenize(state)
    if _DELIMITER.search(content):
        for rule in parser.inline.ruler2.getRules(""):
            rule(state)
    return state.tokens


def may_link(content: str, environment: dict[str, Any]) -> bool:
    """Whether the content can hold a link; looking at brackets in vain is what hostile text lives on."""
    return "](" in content or ("]" in content and defines(environment))


def defines(environment: dict[str, Any]) -> bool:
    """Whether the document defines links or footnotes, which a bracket alone can lead to."""
    return bool(environment.get("references") or environment.get("footnotes", {}).get("refs"))


def is_plain(content: str) -> bool:
    """Whether inline Markdown would leave the content as it is."""
    return not _MARKED.search(content)


def rendered_text(tokens: Sequence[Token]) -> str:
    """What a reader sees: code and link text kept, images, raw tags and footnote marks dropped."""
    return "".join(_seen(token) for token in tokens)


def _seen(token: Token) -> str:
    if token.type in ("text", "text_special", "code_inline"):
        return token.content
    return "\n" if token.type in ("softbreak", "hardbreak") else ""
