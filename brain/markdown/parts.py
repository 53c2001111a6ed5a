"""The parts of a document: itself, its sections and its cards, with their lines, titles and summaries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from brain.markdown.blocks import Layout, collapse
from brain.markdown.extracts import Summary
from brain.markdown.front_matter import FrontMatter
from brain.markdown.headings import Heading, Outline
from brain.markdown.lines import count_lines, estimated_tokens, line_offsets
from brain.markdown.summaries import NOTHING, Own, children_summary, document_summary, own_summary
from repositories.cleaning import clean_line

MAX_TITLE = 300  # characters; a title stands in every answer that names its node


class Part(NamedTuple):
    """The document itself, or one section or card of it. A named tuple, since a build pickles many."""

    anchor: str  # "" for the document itself
    parent: int  # index of the part above; -1 for the document itself
    level: int  # of its heading; 0 for the document itself
    title: str
    summary: str
    summary_source: str
    start: int  # its own lines, both ends included, counted from 1; `own_end` < `start`: none
    own_end: int
    end: int  # of everything under it
    size: int  # estimated tokens of everything under it
    reference_id: str | None
    alias: str | None  # the GitHub slug of a card
    is_card: bool


class File(NamedTuple):
    """One Markdown file: its path, its bytes, and what was read of them."""

    path: str
    blob: bytes
    text: str
    front: FrontMatter


def parts_of(file: File, layout: Layout, outline: Outline) -> tuple[Part, ...]:
    """The document's parts in order, itself first."""
    nodes, total = outline.nodes, count_lines(file.text)
    parents, ends = _nesting(nodes, total)
    owns = _own_summaries(layout, nodes)
    drafts = [_section(heading, own) for heading, own in zip(nodes, owns[1:], strict=True)]
    drafts = _without_second_cards(drafts, nodes, outline.title if not file.front.reference_id else None)
    offsets = line_offsets(file.blob) if nodes else []
    following = [*(heading.line for heading in nodes[1:]), total + 1]
    parts = [
        draft._replace(
            parent=parent,
            own_end=after - 1,
            end=end,
            size=estimated_tokens(offsets[end] - offsets[draft.start - 1]),
        )
        for draft, parent, end, after in zip(drafts, parents, ends, following[: len(drafts)], strict=True)
    ]
    titles = _titles_below(parts)
    sections = [(part.title, own) for part, own in zip(parts, owns[1:], strict=True)]
    whole = _whole(file, outline, document_summary(file.front, owns[0], sections, titles[0]))
    return (
        whole,
        *(_with_children_summary(part, below) for part, below in zip(parts, titles[1:], strict=True)),
    )


def bare_part(file: File) -> Part:
    """The document as one part without sections, its summary from front matter alone."""
    return _whole(file, Outline([], cut=False), document_summary(file.front, NOTHING, (), ()))


def _whole(file: File, outline: Outline, summary: Summary) -> Part:
    total, title = count_lines(file.text), outline.title
    return Part(
        anchor="",
        parent=-1,
        level=0,
        title=_title(file, outline),
        summary=clean_line(summary.text),
        summary_source=summary.source,
        start=1,
        own_end=outline.nodes[0].line - 1 if outline.nodes else total,
        end=total,
        size=estimated_tokens(len(file.blob)),
        reference_id=file.front.reference_id or (title.reference_id if title else None),
        alias=None,
        is_card=False,
    )


def _title(file: File, outline: Outline) -> str:
    top = outline.only_top
    front, name = file.front, file.path.rpartition("/")[2]
    candidates = (front.text("title"), top.text if top else "", front.text("name"), name[: -len(".md")], name)
    return next(title for title in (clean_line(candidate, MAX_TITLE) for candidate in candidates) if title)


def _section(heading: Heading, own: Own) -> Part:
    reference_id = heading.reference_id
    text = heading.text
    if reference_id:
        text = text[len(reference_id) :].lstrip(" \t\n:.,;|–—-") or reference_id
    return Part(
        anchor=reference_id or heading.slug,
        parent=0,
        level=heading.level,
        title=clean_line(collapse(text), MAX_TITLE) or heading.slug[:MAX_TITLE],
        summary=clean_line(own.summary.text),
        summary_source=own.summary.source,
        start=heading.line,
        own_end=0,
        end=0,
        size=0,
        reference_id=reference_id,
        alias=heading.slug if reference_id else None,
        is_card=reference_id is not None,
    )


def _without_second_cards(drafts: list[Part], nodes: Sequence[Heading], title: Heading | None) -> list[Part]:
    """A second card of an id in one document is a plain section; the id is defined twice all the same."""
    seen = {title.reference_id} if title else set()
    result = []
    for draft, heading in zip(drafts, nodes, strict=True):
        second = draft.is_card and draft.reference_id in seen
        seen.add(draft.reference_id)
        result.append(_plain_section(draft, heading) if second else draft)
    return result


def _plain_section(draft: Part, heading: Heading) -> Part:
    title = clean_line(collapse(heading.text), MAX_TITLE)
    return draft._replace(anchor=heading.slug, title=title, alias=None, is_card=False)


def _nesting(nodes: Sequence[Heading], total: int) -> tuple[list[int], list[int]]:
    """For each section the index of the part above it (0: the document), and its subtree's last line."""
    parents, ends, around = [], [total] * len(nodes), list[int]()
    for index, heading in enumerate(nodes):
        while around and nodes[around[-1]].level >= heading.level:
            ends[around.pop()] = heading.line - 1
        parents.append(around[-1] + 1 if around else 0)
        around.append(index)
    return parents, ends


def _own_summaries(layout: Layout, nodes: Sequence[Heading]) -> list[Own]:
    """The own summary of the document and of each section, in order."""
    owns, following = [], 0
    for index in range(len(nodes) + 1):
        limit = nodes[index].token if index < len(nodes) else len(layout.tokens)
        first = following
        while following < len(layout.blocks) and layout.blocks[following].first < limit:
            following += 1
        card = index > 0 and nodes[index - 1].reference_id is not None
        owns.append(own_summary(layout, layout.blocks[first:following], card=card))
    return owns


def _titles_below(parts: Sequence[Part]) -> list[list[str]]:
    titles: list[list[str]] = [[] for _ in range(len(parts) + 1)]
    for part in parts:
        titles[part.parent].append(part.title)
    return titles


def _with_children_summary(part: Part, titles: Sequence[str]) -> Part:
    if part.summary:
        return part
    summary = children_summary(titles)
    return part._replace(summary=summary.text, summary_source=summary.source)
