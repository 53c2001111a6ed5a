"""Markdown rules asked only at characters they can begin with: most of a parser's time goes into their no."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from markdown_it.ruler import Ruler

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock
    from markdown_it.rules_inline import StateInline

# The characters each rule can begin with; a rule that is not named here is asked everywhere.
_BLOCKS = {
    "fence": "`~",
    "blockquote": ">",
    "hr": "*-_",
    "list": "*+-0123456789",
    "footnote_def": "[",
    "reference": "[",
    "html_block": "<",
    "heading": "#",
}
_INLINE = {
    "newline": "\n",
    "escape": "\\",
    "backticks": "`",
    "strikethrough": "~",
    "emphasis": "*_",
    "link": "[",
    "image": "!",
    "footnote_ref": "[",
    "autolink": "<",
    "html_inline": "<",
    "entity": "&",
    "text": "",  # only where no other rule may begin
}
_ENDS_TEXT = re.compile(r"[\n\\`~*_\[\]!<&]")  # the bracket that closes is looked for by links

type _Rule = Callable[..., bool]
type _FirstMatch = Callable[[Mapping[str, list[_Rule]], list[_Rule]], _Rule]


def dispatch(parser: MarkdownIt) -> None:
    """Let the parser, set up to its last rule, ask by character."""
    parser.block.ruler = _Dispatch(parser.block.ruler, _BLOCKS, _at_line)
    parser.inline.ruler = _Dispatch(parser.inline.ruler, _INLINE, _at_position)
    parser.inline.terminator_re = _ENDS_TEXT


class _Dispatch(Ruler[Any]):
    """Each chain of rules as one rule, which asks those that its character can begin, in their order."""

    def __init__(self, ruler: Ruler[Any], marks: Mapping[str, str], first_match: _FirstMatch) -> None:
        super().__init__()
        self.__rules__ = ruler.__rules__
        self._chains: dict[str, list[_Rule]] = {}
        for chain in {"", *(chain for rule in ruler.__rules__ for chain in rule.alt)}:
            rules = [rule for rule in ruler.__rules__ if rule.fn in ruler.getRules(chain)]
            everywhere = [rule.fn for rule in rules if not marks.get(rule.name)]
            at = {
                mark: [rule.fn for rule in rules if mark in marks.get(rule.name, mark)]
                for mark in "".join(marks.values())
            }
            self._chains[chain] = [first_match(at, everywhere)]

    def getRules(self, chainName: str = "") -> list[_Rule]:  # noqa: N802, N803 -- markdown-it's names
        return self._chains[chainName]


def _at_line(at: Mapping[str, list[_Rule]], everywhere: list[_Rule]) -> _Rule:
    def ask(state: StateBlock, line: int, end: int, silent: bool) -> bool:  # noqa: FBT001
        first = state.bMarks[line] + state.tShift[line]
        for rule in at.get(state.src[first : first + 1], everywhere):  # noqa: SIM110 -- twice as fast as any()
            if rule(state, line, end, silent):
                return True
        return False

    return ask


def _at_position(at: Mapping[str, list[_Rule]], everywhere: list[_Rule]) -> _Rule:
    def ask(state: StateInline, silent: bool) -> bool:  # noqa: FBT001
        for rule in at.get(state.src[state.pos], everywhere):  # noqa: SIM110
            if rule(state, silent):
                return True
        return False

    return ask
