"""Where markdown-it-py reads a line otherwise than CommonMark and GitHub do: the rules put right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from markdown_it import rules_block
from mdit_py_plugins.footnote.index import footnote_def

if TYPE_CHECKING:
    from collections.abc import Callable

    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock

    Rule = Callable[[StateBlock, int, int, bool], bool]


def put_right(parser: MarkdownIt) -> None:
    """Replace the rules of this parser, which knows footnotes, that read otherwise.

    A footnote also ends a quote's paragraph and a table. Lists and footnotes are text where they stand too
    deep: the parser would pass over all that follows them.
    """
    deepest = parser.options.maxNesting - 2  # a list's own level and its item's
    rule = parser.block.ruler.at
    rule("footnote_def", _above(deepest, footnote_def), {"alt": ["paragraph", "reference", "blockquote"]})
    rule("list", _above(deepest, rules_block.list_block), {"alt": ["paragraph", "reference", "blockquote"]})
    rule("table", table, {"alt": ["paragraph", "reference"]})
    rule("reference", _reference)


def table(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001 -- the parser's form
    """A table, unless its second line is nothing but dashes: cmark-gfm sees a heading in that first."""
    return not _is_underline(state, start + 1, end) and rules_block.table(state, start, end, silent)


def _above(deepest: int, rule: Rule) -> Rule:
    """The rule, where it stands above the deepest level."""
    return lambda state, start, end, silent: state.level < deepest and rule(state, start, end, silent)


def _reference(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: FBT001
    """A link definition, which ends above a line that makes its paragraph a heading."""
    if not state.src.startswith("[", state.bMarks[start] + state.tShift[start]):
        return False
    known = len(state.env.get("references", ()))
    if not rules_block.reference(state, start, end, silent):
        return False
    underline = next((line for line in range(start + 1, state.line) if _is_underline(state, line, end)), None)
    if underline is None:
        return True
    if len(state.env["references"]) > known:
        state.env["references"].popitem()
    state.line, last, state.lineMax = start, state.lineMax, underline
    defined = rules_block.reference(state, start, underline, silent)
    state.lineMax = last
    return defined


def _is_underline(state: StateBlock, line: int, end: int) -> bool:
    """Whether the line makes a heading of the paragraph above it."""
    if line >= end or not 0 <= state.sCount[line] - state.blkIndent <= 3:
        return False
    first = state.bMarks[line] + state.tShift[line]
    if not state.src.startswith(("-", "="), first):
        return False
    return not state.src[first : state.eMarks[line]].rstrip(" \t").strip(state.src[first])
