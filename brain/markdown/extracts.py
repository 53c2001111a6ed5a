"""The short texts that single blocks give: a list, a table, code, the keys of a table's rows."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from brain.markdown.blocks import collapse, is_list

if TYPE_CHECKING:
    from collections.abc import Iterator

    from brain.markdown.blocks import Block, Layout

MAX_SUMMARY = 240  # characters, status and ellipsis included
SHORT_CODE = 12  # characters of a table's first cell that needs its second to be told apart
JOINT = " · "

_FIELD = re.compile(r"(\*\*|__)[^*_]{1,60}?(?::\1|\1\s*:)")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


class Summary(NamedTuple):
    """At most 240 characters about a node, and the rule they came from; both empty when no rule applies."""

    text: str = ""
    source: str = ""


def cut(text: str, limit: int = MAX_SUMMARY) -> str:
    """The text, or as many whole words of it as leave room for an ellipsis."""
    if len(text) <= limit:
        return text
    head = text[: limit - 1]
    if not text[limit - 1].isspace():
        word = head.rfind(" ")
        head = head[:word] if word > limit // 2 else head
    return head.rstrip(" ·,;:") + "…"


def first_block_summary(layout: Layout, block: Block, *, card: bool) -> Summary:
    if is_list(block):
        return _list_summary(layout, block, card=card)
    if block.kind == "table_open":
        return _table_summary(layout, block)
    if block.kind in ("fence", "code_block"):
        return _code_summary(layout, block)
    return Summary(cut(layout.plain(block)), "paragraph")


def with_row_keys(text: str, layout: Layout, table: Block, start: str, end: str) -> str:
    """The text with as many keys of the table's rows as fit between `start` and `end`."""
    kept: list[str] = []
    length = len(text) + len(start) + len(end) + len("; …")
    for key in _row_keys(layout, table):
        length += len(key) + len("; ")
        if length > MAX_SUMMARY:
            return text + start + "; ".join([*kept, "…"]) + end if kept else text
        kept.append(key)
    return text + start + "; ".join(kept) + end if kept else text


def _list_summary(layout: Layout, block: Block, *, card: bool) -> Summary:
    items = list(islice(layout.items(block), 40))
    fields = card and all(_FIELD.match(item.content) for item in items)
    texts = (collapse(layout.short_text(item)) for item in items)
    return Summary(cut(JOINT.join(text for text in texts if text)), "fields" if fields else "list")


def _table_summary(layout: Layout, block: Block) -> Summary:
    header, count = next(layout.rows(block)), layout.count_rows(block) - 1
    columns = ", ".join(cell for cell in header if cell)
    text = cut(f"Columns: {columns}{JOINT}{count} {'row' if count == 1 else 'rows'}")
    return Summary(with_row_keys(text, layout, block, ": ", ""), "table")


def _code_summary(layout: Layout, block: Block) -> Summary:
    token = layout.tokens[block.first]
    language = token.info.strip().split(maxsplit=1)[0] if token.info.strip() else ""
    if language.lower() == "mermaid":
        return Summary(_diagram(token.content), "diagram")
    count = token.content.count("\n") + (not token.content.endswith("\n") and token.content != "")
    lines = f"{count} {'line' if count == 1 else 'lines'}"
    return Summary(cut(f"Code: {language}, {lines}" if language else f"Code: {lines}"), "code")


def _diagram(code: str) -> str:
    lines = (line.strip() for line in code.split("\n"))
    words = next((line.split() for line in lines if line and not line.startswith(("%%", "---"))), ["diagram"])
    name = _CAMEL.sub(" ", re.split(r"[-:;]", words[0])[0]).lower()
    name = {"graph": "flowchart", "er diagram": "entity relationship diagram"}.get(name, name)
    return cut(f"Mermaid {name}" if "diagram" in name or name == "flowchart" else f"Mermaid {name} diagram")


def _row_keys(layout: Layout, table: Block) -> Iterator[str]:
    for cells in islice(layout.rows(table), 1, None):
        key = cells[0] if cells else ""
        if len(cells) > 1 and 0 < len(key) <= SHORT_CODE and (any(c.isdigit() for c in key) or key.isupper()):
            key = f"{key} {cells[1]}".strip()
        if key:
            yield key
