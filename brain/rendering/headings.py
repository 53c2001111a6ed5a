"""Headings: ids that are node ids, a link to each, and levels that never skip one."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING

from brain.rendering.markup import attributes, icon, plain_text
from brain.rendering.sheet import sheet_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_it.token import Token
    from markdown_it.utils import EnvType, OptionsDict

    from brain.rendering.sheet import Sheet
    from brain.rendering.values import Heading

SEPARATORS = re.compile(r"[\s:.|–—-]*")


def heading_open(tokens: Sequence[Token], index: int, _options: OptionsDict, env: EnvType) -> str:
    """The start of a heading; of a card with its reference id before the title."""
    sheet = sheet_of(env)
    token = tokens[index]
    line = sheet.file_line(token.map[0]) if token.map else 0
    children = tokens[index + 1].children or []
    if not children or _is_title(sheet, line, plain_text(children)):
        children.clear()
        sheet.heading_end = ""
        return ""
    tag = f"h{_level(sheet, int(token.tag[1:]))}"
    heading = sheet.headings.get(line)
    if heading is None or heading in sheet.outline[-1:]:  # two headings of one line: a lone CR parts them
        sheet.heading_end = f"</{tag}>\n"
        return f"<{tag}>"
    sheet.outline.append(heading)
    sheet.heading_end = f"{_permalink(heading)}</{tag}>\n"
    return _start(tag, heading, children)


def heading_close(_tokens: Sequence[Token], _index: int, _options: OptionsDict, env: EnvType) -> str:
    """The end of a heading, after the link to it."""
    return sheet_of(env).heading_end


def _is_title(sheet: Sheet, line: int, words: str) -> bool:
    """Whether the head of the page says this heading already."""
    first = not sheet.levels
    return first and (line == sheet.own_line or (line not in sheet.headings and words == sheet.title))


def _level(sheet: Sheet, written: int) -> int:
    """The level by nesting, below the one on the page: readers who jump by headings miss none."""
    while sheet.levels and sheet.levels[-1] >= written:
        sheet.levels.pop()
    sheet.levels.append(written)
    return min(sheet.below + len(sheet.levels), 6)


def _start(tag: str, heading: Heading, children: list[Token]) -> str:
    name = f"h-{heading.anchor}"
    if heading.reference_id is None or not _cut_reference(children, heading.reference_id):
        return f"<{tag}{attributes(id=name)}>"
    reference = f'<span class="ref">{escape(heading.reference_id)}</span> '
    return f"<{tag}{attributes(class_='card-head', id=name)}>{reference}"


def _cut_reference(children: list[Token], reference_id: str) -> bool:
    """Take the id and the separators after it out of the words, which the mark before them repeats."""
    if not children or not children[0].content.startswith(reference_id):
        return False
    rest = children[0].content[len(reference_id) :]
    if children[0].type == "code_inline" and not rest:
        del children[0]
        if children and children[0].type == "text":
            children[0].content = SEPARATORS.sub("", children[0].content, count=1)
        return True
    if children[0].type != "text":
        return False
    children[0].content = SEPARATORS.sub("", rest, count=1)
    return True


def _permalink(heading: Heading) -> str:
    link = attributes(
        href=f"#h-{heading.anchor}", aria_label=f"Link to {heading.reference_id or heading.title}"
    )
    return f' <a class="perma"{link}>{icon("anchor")}</a>'
