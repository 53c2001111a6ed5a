"""The door: the text of a document, or of a part of one, as safe HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING

from brain.markdown.lines import BYTE_ORDER_MARK, line_numbers
from brain.rendering.cleaning import clean
from brain.rendering.limits import length_shown
from brain.rendering.parser import parser
from brain.rendering.sheet import KEY, Sheet
from brain.rendering.values import Rendered

if TYPE_CHECKING:
    from collections.abc import Mapping

    from brain.rendering.values import Heading, Resolve


def render(
    text: str,
    *,
    headings: Mapping[int, Heading],
    resolve: Resolve,
    mentions: Mapping[str, str] | None = None,
    title: str = "",
    own_line: int | None = None,
    first_line: int = 1,
    skip_lines: int = 0,
    below: int = 1,
) -> Rendered:
    """`text` as safe HTML, whatever it holds.

    `headings` are those that are nodes, by their line of the file; `first_line` is the line that `text`
    starts on, and `skip_lines` of it, its front matter, are not shown. `resolve` is asked for every address,
    `mentions` maps reference ids to addresses of the portal. A first heading that only repeats `title`, or
    stands on `own_line`, is left out: the head of the page says it. `below` is the level of that head.
    """
    body = text.removeprefix(BYTE_ORDER_MARK).split("\n", skip_lines)[-1]
    text = "\n" * skip_lines + body
    shown = text[: length_shown(text)]
    sheet = Sheet(
        headings=headings,
        resolve=resolve,
        mentions=mentions or {},
        title=title,
        own_line=own_line,
        below=below,
        numbers=line_numbers(shown, first_line),
    )
    html = parser().render(shown, {KEY: sheet})
    cut_line = first_line + shown.count("\n") if len(shown) < len(text) else None
    return Rendered(html=clean(html), outline=tuple(sheet.outline), cut_line=cut_line)
