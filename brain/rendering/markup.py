"""The few pieces of markup that several render rules write."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_it.token import Token

TEXT_TYPES = frozenset({"text", "code_inline"})
SPACE_TYPES = frozenset({"softbreak", "hardbreak"})


def icon(name: str) -> str:
    """A symbol of the page's sprite."""
    return f'<svg class="i" aria-hidden="true"><use href="#i-{name}"></use></svg>'


def hidden(words: str) -> str:
    """Words for those who do not see the mark beside them."""
    return f'<span class="vh">{escape(words)}</span>'


def attributes(**values: str) -> str:
    """Attributes with a value, escaped; an underscore stands for a hyphen, an empty one is left out."""
    written = (
        f' {name.rstrip("_").replace("_", "-")}="{escape(value)}"' for name, value in values.items() if value
    )
    return "".join(written)


def plain_text(tokens: Sequence[Token] | None) -> str:
    """The words of inline tokens, as a heading's anchor is made of them."""
    pieces = []
    for token in tokens or ():
        if token.type in TEXT_TYPES:
            pieces.append(token.content)
        elif token.type in SPACE_TYPES:
            pieces.append(" ")
        elif token.children and token.type != "image":
            pieces.append(plain_text(token.children))
    return "".join(pieces).strip()
