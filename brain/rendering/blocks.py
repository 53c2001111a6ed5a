"""Tables, task lists, alerts and footnotes in the portal's own markup."""

from __future__ import annotations

from typing import TYPE_CHECKING

from brain.rendering.markup import attributes, hidden, icon
from brain.rendering.sheet import sheet_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_it.token import Token
    from markdown_it.utils import EnvType, OptionsDict

ALERTS = {  # name: tone, icon
    "NOTE": ("info", "info"),
    "TIP": ("ok", "check"),
    "IMPORTANT": ("gold", "mend"),
    "WARNING": ("warn", "warn"),
    "CAUTION": ("bad", "cross"),
}
FOOTNOTE = "h-fn."  # no slug holds a dot, so no heading has this id
FOOTNOTE_MARK = "h-fnref."


def table_open(tokens: Sequence[Token], index: int, _options: OptionsDict, env: EnvType) -> str:
    """A table in a region of its own that scrolls, and so can be reached by keyboard."""
    lines = sheet_of(env).lines_of(tokens[index].map)
    region = attributes(tabindex="0", role="region", aria_label=f"Table, {lines}")
    return f'<div class="scroll"{region}><table>\n'


def table_close(_tokens: Sequence[Token], _index: int, _options: OptionsDict, _env: EnvType) -> str:
    """The end of a table and its region."""
    return "</table></div>\n"


def cell_open(tokens: Sequence[Token], index: int, _options: OptionsDict, _env: EnvType) -> str:
    """A cell; an empty one heads nothing, whatever row it stands in."""
    token = tokens[index]
    number = "num" if "right" in str(token.attrs.get("style", "")) else ""
    if token.tag == "th" and tokens[index + 1].content:
        return f"<th{attributes(scope='col', class_=number)}>"
    return f"<td{attributes(class_=number)}>"


def cell_close(tokens: Sequence[Token], index: int, _options: OptionsDict, _env: EnvType) -> str:
    """The end of a cell."""
    return "</th>" if tokens[index].tag == "th" and tokens[index - 1].content else "</td>"


def list_open(tokens: Sequence[Token], index: int, _options: OptionsDict, _env: EnvType) -> str:
    """A list, plain, numbered or of tasks."""
    token = tokens[index]
    tasks = "tasks" if "task" in str(token.attrs.get("class", "")) else ""
    start = str(token.attrs.get("start", ""))
    return f"<{token.tag}{attributes(class_=tasks, start=start)}>\n"


def list_item_open(tokens: Sequence[Token], index: int, _options: OptionsDict, _env: EnvType) -> str:
    """An item; of a task with a box that says whether it is done."""
    match tokens[index].meta.get("checked"):
        case True:
            return f'<li><span class="box" data-done>{icon("check")}{hidden("Done: ")}</span>'
        case False:
            return f'<li><span class="box">{hidden("To do: ")}</span>'
        case _:
            return "<li>"


def alert_open(tokens: Sequence[Token], index: int, _options: OptionsDict, _env: EnvType) -> str:
    """The start of an alert; a note, not a landmark: a page may hold many."""
    tone, _ = ALERTS[tokens[index].info]
    return f'<div class="alert" data-tone="{tone}" role="note">\n'


def alert_close(_tokens: Sequence[Token], _index: int, _options: OptionsDict, _env: EnvType) -> str:
    """The end of an alert."""
    return "</div>\n"


def alert_title_open(tokens: Sequence[Token], index: int, _options: OptionsDict, _env: EnvType) -> str:
    """An alert's kind, with its mark."""
    _, mark = ALERTS[tokens[index - 1].info]
    return f'<p class="alert-name">{icon(mark)}'


def footnote_ref(tokens: Sequence[Token], index: int, _options: OptionsDict, _env: EnvType) -> str:
    """The number of a footnote in the text."""
    number, again = tokens[index].meta["id"] + 1, tokens[index].meta.get("subId", 0)
    link = attributes(
        id=f"{FOOTNOTE_MARK}{number}.{again}", href=f"#{FOOTNOTE}{number}", aria_label=f"Footnote {number}"
    )
    return f"<sup><a{link}>{number}</a></sup>"


def footnote_block_open(_tokens: Sequence[Token], _index: int, _options: OptionsDict, _env: EnvType) -> str:
    """The start of the notes at the foot of the page."""
    return '<section class="footnotes" aria-label="Footnotes"><ol>\n'


def footnote_block_close(_tokens: Sequence[Token], _index: int, _options: OptionsDict, _env: EnvType) -> str:
    """The end of the notes."""
    return "</ol></section>\n"


def footnote_open(tokens: Sequence[Token], index: int, _options: OptionsDict, _env: EnvType) -> str:
    """The start of one note."""
    return f"<li{attributes(id=f'{FOOTNOTE}{tokens[index].meta["id"] + 1}')}>"


def footnote_close(_tokens: Sequence[Token], _index: int, _options: OptionsDict, _env: EnvType) -> str:
    """The end of one note."""
    return "</li>\n"


def footnote_anchor(tokens: Sequence[Token], index: int, _options: OptionsDict, _env: EnvType) -> str:
    """The way back from a note to where it is called."""
    number, again = tokens[index].meta["id"] + 1, tokens[index].meta.get("subId", 0)
    label = f"Back to mention {again + 1} of footnote {number}"
    return f" <a{attributes(href=f'#{FOOTNOTE_MARK}{number}.{again}', aria_label=label)}>{icon('back')}</a>"
