"""From the text of one file to one document: its parts, what it says of others, its words."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple

from brain.markdown.blocks import layout_of
from brain.markdown.front_matter import FrontMatter, read_front_matter
from brain.markdown.headings import MAX_HEADINGS, Outline, outline_of
from brain.markdown.lexemes import normal, side_lexemes
from brain.markdown.lines import decode, line_numbers
from brain.markdown.parts import File, Part, bare_part, parts_of
from brain.markdown.problems import Problem
from brain.markdown.references import Reference, placed, references_of
from brain.markdown.syntax import blocks_of
from repositories.cleaning import clean_line

MAX_WORDS = 400_000  # characters of a node's own text that are searched


class Words(NamedTuple):
    """What search knows a part by, at weights A to D."""

    anchor: str
    title: str
    below: str  # headings directly under it; for a document also its labels and page id
    text: str  # own lines
    side: list[str]  # see `lexemes.py`


class Document(NamedTuple):
    """One Markdown file as the tree needs it; its text stays in Git."""

    path: str
    parts: tuple[Part, ...]  # the document itself first, then its sections and cards in order
    references: tuple[Reference, ...]
    anchors: tuple[tuple[str, int], ...]  # anchors that are no node, with the line that holds each
    named: tuple[str, ...]  # anchors written as `<a id>`
    labels: tuple[str, ...]
    status: str
    space: str
    order: int | None
    problems: tuple[Problem, ...]


class Parsed(NamedTuple):
    """A document and its words; the words go to the search index and are not kept."""

    document: Document
    words: tuple[Words, ...]


def parse(path: str, blob: bytes, *, not_prefixes: Collection[str] = ()) -> Parsed:
    """The document in this file.

    `not_prefixes` are technical words whose numbers are no reference ids, such as UTF in UTF-8.
    """
    file, damaged = _open(path, blob)
    environment: dict[str, Any] = {}
    body = file.text[file.front.length :]
    layout = layout_of(blocks_of(body, environment), environment)
    numbers = line_numbers(body, 1 + file.text.count("\n", 0, file.front.length))
    outline = outline_of(layout, numbers, not_prefixes)
    parts = parts_of(file, layout, outline)
    said = references_of(layout, numbers, outline.headings, not_prefixes)
    document = _document(file, parts, _problems(file, damaged=damaged, cut=outline.cut))._replace(
        references=placed(said.references, [part.start for part in parts], [part.anchor for part in parts]),
        anchors=_anchors_beside_nodes(outline, file.front),
        named=tuple(dict.fromkeys(said.named)),
    )
    return Parsed(document, words_of(document, file))


def bare_document(path: str, blob: bytes, problem: Problem) -> Parsed:
    """The document without sections and links, for a text that takes too long to parse."""
    file, damaged = _open(path, blob)
    problems = [*_problems(file, damaged=damaged, cut=False), problem]
    document = _document(file, (bare_part(file),), problems)
    return Parsed(document, words_of(document, file))


def words_of(document: Document, file: File) -> tuple[Words, ...]:
    """The words of each part of the document in this file."""
    lines = file.text.split("\n")
    below: list[list[str]] = [[] for _ in document.parts]
    below[0] += [*document.labels, file.front.text("page_id", "pageId")]
    for part in document.parts[1:]:
        below[part.parent].append(part.title)
    words = []
    for part, headings in zip(document.parts, below, strict=True):
        own = normal("\n".join(lines[part.start - 1 : part.own_end])[:MAX_WORDS])
        beside = document.path if part.parent < 0 else part.reference_id or ""
        side = side_lexemes("\n".join([part.title, *headings, beside, own]))
        words.append(Words(part.anchor, normal(part.title), normal(" ".join(headings).strip()), own, side))
    return tuple(words)


def _open(path: str, blob: bytes) -> tuple[File, bool]:
    text, damaged = decode(blob)
    return File(path, blob, text, read_front_matter(text)), damaged


def _document(file: File, parts: tuple[Part, ...], problems: list[Problem]) -> Document:
    return Document(
        path=file.path,
        parts=parts,
        references=(),
        anchors=(),
        named=(),
        labels=file.front.labels,
        status=clean_line(file.front.text("status"), 200),
        space=file.front.space,
        order=file.front.order,
        problems=tuple(problems),
    )


def _anchors_beside_nodes(outline: Outline, front: FrontMatter) -> tuple[tuple[str, int], ...]:
    beside = [
        (heading.slug, heading.line) for heading in outline.headings if heading.slug and not heading.is_node
    ]
    title = outline.title
    if title and title.reference_id and not front.reference_id:
        beside.append((title.reference_id, title.line))
    return tuple(beside)


def _problems(file: File, *, damaged: bool, cut: bool) -> list[Problem]:
    problems = []
    if file.front.problem:
        line, message = file.front.problem
        problems.append(Problem(file.path, line, "front-matter", clean_line(message, 500)))
    if damaged:
        problems.append(Problem(file.path, None, "encoding", "Bytes that are no UTF-8 are shown as U+FFFD."))
    if cut:
        message = (
            f"Only its first {MAX_HEADINGS:,} headings are nodes; later ones are text of the one before."
        )
        problems.append(Problem(file.path, None, "headings-cut", message))
    return problems
