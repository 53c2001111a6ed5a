"""The text of a page as an article: rendered, with links to what each address names in this project."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from brain.markdown.front_matter import FrontMatter, read_front_matter
from brain.markdown.lines import BYTE_ORDER_MARK
from brain.pages.addresses import Addresses
from brain.pages.contents import anchor_of
from brain.reads.page import OpenPage
from brain.rendering.documents import render
from brain.rendering.values import Heading, LinkTarget, Rendered, Resolve, Way
from brain.tree.nodes import Kind, Node

IN_THE_HEAD = frozenset({"title", "name", "id", "status", "labels", "tags", "summary", "description"})
NOT_INDEXED = "A file of the repository that is not part of the tree"


@dataclass(frozen=True, slots=True)
class Article:
    """A page of a document: its HTML, its front matter, what it leaves out."""

    rendered: Rendered
    front_matter: FrontMatter
    facts: tuple[tuple[str, str], ...]  # front matter that the head of the page does not show


def article_of(page: OpenPage, addresses: Addresses, *, below: int = 1) -> Article:
    """The reading of `page`, rendered, under a heading of the level `below`."""
    text = page.reading.text
    citation = page.reading.citation
    first_line = citation.line_start if citation else 1
    front_matter = read_front_matter(text.removeprefix(BYTE_ORDER_MARK)) if first_line == 1 else FrontMatter()
    node = page.reading.node
    rendered = render(
        text,
        headings=_headings(page.outline, node),
        resolve=resolver(page, addresses),
        mentions={name: addresses.of_id(node_id) for name, node_id in page.mentions.items()},
        title=node.title,
        own_line=node.lines.start if node.lines and node.kind in (Kind.SECTION, Kind.CARD) else None,
        first_line=first_line,
        skip_lines=text[: front_matter.length].count("\n"),
        below=below,
    )
    return Article(rendered, front_matter, _facts(front_matter))


def resolver(page: OpenPage, addresses: Addresses) -> Resolve:
    """What each address of the document means: a page, a broken link, a file, or nothing of ours."""

    def resolve(address: str) -> LinkTarget | None:
        node_id = page.resolve(address)
        if node_id is not None:
            return LinkTarget(Way.PAGE, addresses.of_id(node_id))
        if address in page.broken:
            path = address.partition("#")[0].partition("?")[0]
            return LinkTarget(Way.BROKEN, addresses.broken(), f"No such file: {path}")
        outside = ":" in address.partition("/")[0] or address.startswith("//")
        return None if outside else LinkTarget(Way.FILE, title=NOT_INDEXED)

    return resolve


def _headings(outline: Sequence[Node], own: Node) -> dict[int, Heading]:
    """The headings that are nodes, by line."""
    return {
        node.lines.start: Heading(
            anchor_of(node), node.title, node.reference_id if node.kind is Kind.CARD else None
        )
        for node in outline
        if node.lines and node.kind in (Kind.SECTION, Kind.CARD) and node.id != own.id
    }


def _facts(front_matter: FrontMatter) -> tuple[tuple[str, str], ...]:
    shown = ((key, _words(value)) for key, value in front_matter.fields.items() if key not in IN_THE_HEAD)
    return tuple((key, words) for key, words in shown if words)


def _words(value: Any) -> str:
    """A value of the front matter in a line: text, a list of texts, or else JSON."""
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return ", ".join(value)
    return json.dumps(value, ensure_ascii=False)
