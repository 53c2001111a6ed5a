"""A node's summary: the first rule that applies to its own text, and the name of that rule."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from brain.markdown.blocks import collapse, is_list
from brain.markdown.extracts import JOINT, MAX_SUMMARY, Summary, cut, first_block_summary, with_row_keys

if TYPE_CHECKING:
    from brain.markdown.blocks import Block, Layout
    from brain.markdown.front_matter import FrontMatter

FIRST_BLOCKS = 4  # how far into its text a node's first paragraph is looked for
SHORT_FACT = 120  # characters of a `key: value` item

RETIRED = ("superseded", "deprecated", "rejected", "retired", "withdrawn", "obsolete", "replaced")
NAMED_SECTIONS = (
    *("summary", "purpose", "overview", "description", "abstract", "decision"),
    *("intent", "goal", "objective", "scope", "context"),
)
_NOT_FACTS = {
    *(
        "title",
        "name",
        "id",
        "summary",
        "description",
        "labels",
        "tags",
        "page_id",
        "pageid",
        "space",
        "order",
    ),
    *("supersededby", "superseded_by", "superseded-by"),
}
_PROSE = ("paragraph_open", "blockquote_open")
_WORDS = (*_PROSE, "bullet_list_open", "ordered_list_open")
_PASSED_OVER = ("html_block", "hr", "heading_open", "footnote_reference_open")
_FACT = re.compile(r"[^:]{1,40}:(?:\s|\Z)")
_NUMBERED = re.compile(r"[\s\d.:)]*(.*?)[\s.:]*", re.DOTALL)


class Own(NamedTuple):
    """What a node's own text gives."""

    summary: Summary
    is_prose: bool  # it opens with a paragraph
    opens_on_sections: bool  # it says nothing, or only short facts, before the first section


NOTHING = Own(Summary(), is_prose=False, opens_on_sections=True)


def own_summary(layout: Layout, blocks: Sequence[Block], *, card: bool) -> Own:
    """The summary that a node's own blocks give (rules `text`, `paragraph` and those of a first block)."""
    first: list[Block] = []
    paragraph = None
    for block in islice(_meaningful(layout, blocks), FIRST_BLOCKS):
        first.append(block)
        if block.kind == "paragraph_open":
            paragraph = block
            break
    if not first:
        return NOTHING
    if paragraph:
        summary = _prose(layout, blocks, paragraph)
        return Own(summary, is_prose=len(first) == 1, opens_on_sections=False)
    only_facts = len(first) == 1 and is_list(first[0]) and _are_facts(layout, first[0])
    return Own(first_block_summary(layout, first[0], card=card), is_prose=False, opens_on_sections=only_facts)


def document_summary(
    front: FrontMatter, own: Own, sections: Sequence[tuple[str, Own]], titles: Sequence[str]
) -> Summary:
    """A document's summary, its status first when it no longer holds.

    `sections` are the title and own summary of each section in order, `titles` those of its direct children.
    """
    return _with_status(front, _of_document(front, own, sections, titles))


def children_summary(titles: Sequence[str]) -> Summary:
    """The titles of what a node holds."""
    text = cut(JOINT.join(islice((title for title in titles if title), 40)))
    return Summary(text, "children" if text else "")


def _of_document(
    front: FrontMatter, own: Own, sections: Sequence[tuple[str, Own]], titles: Sequence[str]
) -> Summary:
    said = collapse(front.text("summary", "description"))
    if said:
        return Summary(cut(said), "front-matter")
    prose = [(title, section) for title, section in sections if section.is_prose]
    if own.opens_on_sections and (named := _named(prose)):
        return Summary(named.text, "section")
    if own.summary.text:
        return own.summary
    if prose:
        return Summary(prose[0][1].summary.text, "section")
    facts = _facts(front)
    return Summary(facts, "facts") if facts else children_summary(titles)


def _named(prose: Sequence[tuple[str, Own]]) -> Summary | None:
    by_name: dict[str, Summary] = {}
    for title, section in prose:
        name = _NUMBERED.fullmatch(title)
        by_name.setdefault(name[1].lower() if name else "", section.summary)
    return next((by_name[name] for name in NAMED_SECTIONS if name in by_name), None)


def _facts(front: FrontMatter) -> str:
    pairs = (
        f"{key}: {collapse(value)}"
        for key, value in front.fields.items()
        if isinstance(value, str) and value.strip() and key.lower() not in _NOT_FACTS
    )
    return cut(JOINT.join(islice(pairs, 20)))


def _with_status(front: FrontMatter, summary: Summary) -> Summary:
    status = front.text("status").lower()
    if status not in RETIRED:
        return summary
    by = collapse(front.superseded_by)
    joint = " by " if status == "superseded" else ", superseded by "
    prefix = cut(f"{status.capitalize()}{joint + by if by else ''}.")
    return Summary(cut(f"{prefix} {summary.text}".strip()), summary.source)


def _meaningful(layout: Layout, blocks: Sequence[Block]) -> Iterator[Block]:
    for block in blocks:
        if block.kind in _PASSED_OVER:
            continue
        if block.kind in _PROSE and not layout.plain(block):
            continue  # a row of badges says nothing
        yield block


def _prose(layout: Layout, blocks: Sequence[Block], paragraph: Block) -> Summary:
    whole = _whole_text(layout, blocks)
    if whole:
        return Summary(whole, "text")
    text = cut(layout.plain(paragraph))
    after = (block for block in blocks if block.first >= paragraph.end and block.kind not in _PASSED_OVER)
    following = next(after, None)
    if following and following.kind == "table_open":
        text = with_row_keys(text, layout, following, " (Rows: ", ")")
    return Summary(text, "paragraph")


def _whole_text(layout: Layout, blocks: Sequence[Block]) -> str:
    """All own text on one line when it is short and nothing but prose and lists; else nothing."""
    if not all(block.kind in _WORDS or block.kind in _PASSED_OVER for block in blocks):
        return ""
    text = ""
    for block in _meaningful(layout, blocks):
        text = f"{text} {layout.plain(block)}".strip()
        if len(text) > MAX_SUMMARY:
            return ""
    return text


def _are_facts(layout: Layout, block: Block) -> bool:
    items = [collapse(layout.short_text(item)) for item in layout.items(block)]
    return bool(items) and all(len(item) <= SHORT_FACT and _FACT.match(item) for item in items)
