"""The parser: CommonMark with GitHub's tables, strikethrough, tasks, alerts and footnotes.

Raw HTML is recognised, so that comments and blocks end where CommonMark ends them, but it is written out
as text: no tag of a document becomes a tag of the page (`code.html_block`, and `cleaning` again).
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from markdown_it import MarkdownIt
from mdit_py_plugins.footnote import footnote_plugin

from brain.markdown.rules import put_right, table
from brain.rendering import blocks, code, headings, limits, links
from brain.rendering.sheet import sheet_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from markdown_it.rules_block import StateBlock
    from markdown_it.token import Token
    from markdown_it.utils import EnvType, OptionsDict

    Rule = Callable[[Sequence[Token], int, OptionsDict, EnvType], str]

DASHES = re.compile("-+")
OPTIONS = {
    "html": True,
    "xhtmlOut": False,
    "tasklists": True,
    "alerts": True,
    "strikethrough_single_tilde": True,
    "maxNesting": limits.MAX_NESTING,
}
RULES: dict[str, Rule] = {
    "link_open": links.link_open,
    "link_close": links.link_close,
    "image": links.image,
    "text": links.text,
    "heading_open": headings.heading_open,
    "heading_close": headings.heading_close,
    "fence": code.fence,
    "code_block": code.code_block,
    "html_block": code.html_block,
    "html_inline": code.html_inline,
    "table_open": blocks.table_open,
    "table_close": blocks.table_close,
    "th_open": blocks.cell_open,
    "th_close": blocks.cell_close,
    "td_open": blocks.cell_open,
    "td_close": blocks.cell_close,
    "bullet_list_open": blocks.list_open,
    "ordered_list_open": blocks.list_open,
    "list_item_open": blocks.list_item_open,
    "alert_open": blocks.alert_open,
    "alert_close": blocks.alert_close,
    "alert_title_open": blocks.alert_title_open,
    "footnote_ref": blocks.footnote_ref,
    "footnote_block_open": blocks.footnote_block_open,
    "footnote_block_close": blocks.footnote_block_close,
    "footnote_open": blocks.footnote_open,
    "footnote_close": blocks.footnote_close,
    "footnote_anchor": blocks.footnote_anchor,
}


@cache
def parser() -> MarkdownIt:
    """The one parser; what belongs to a page travels in its environment."""
    markdown = MarkdownIt("commonmark", OPTIONS).enable(["table", "strikethrough"])
    markdown.use(footnote_plugin, inline=False)
    put_right(markdown)
    markdown.block.ruler.at("table", _capped_table, {"alt": ["paragraph", "reference"]})
    # Addresses stay as written: links are resolved by what documents say, and `links` lets out the safe ones.
    markdown.normalizeLink = _as_written  # type: ignore[method-assign]
    markdown.validateLink = _always  # type: ignore[assignment,method-assign]
    for name, rule in RULES.items():
        markdown.add_render_rule(name, _method(rule))
    return markdown


def _capped_table(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001 -- the parser's form
    """A table while the page has cells left; a larger one stays text, as a box of code."""
    if not table(state, start, end, True):
        return False
    if silent:
        return True
    last = start
    while last < end and not state.isEmpty(last) and state.sCount[last] >= state.blkIndent:
        last += 1
    columns = len(DASHES.findall(state.src, state.bMarks[start + 1], state.eMarks[start + 1]))
    sheet = sheet_of(state.env)
    sheet.cells_left -= columns * (last - start)
    if sheet.cells_left >= 0:
        return table(state, start, end, False)
    token = state.push("code_block", "code", 0)
    token.info = "Table, too large to draw"
    token.map = [start, last]
    token.content = state.getLines(start, last, state.blkIndent, False)
    state.line = last
    return True


def _method(rule: Rule) -> Callable[..., str]:
    """The rule as the method that the renderer wants it to be."""
    return lambda _renderer, tokens, index, options, env: rule(tokens, index, options, env)


def _as_written(url: str) -> str:
    return url


def _always(_url: str) -> bool:
    return True
