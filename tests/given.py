"""How a test states its world: the files of a commit, the document or the tree they make."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from textwrap import dedent
from typing import Any

from django.conf import settings

from brain.markdown.blocks import layout_of
from brain.markdown.documents import Document, Words, parse
from brain.markdown.front_matter import read_front_matter
from brain.markdown.headings import Heading, outline_of
from brain.markdown.lines import decode, line_numbers
from brain.markdown.syntax import blocks_of
from brain.tree.assembly import File, Tree, TreeSettings, assemble
from brain.tree.layout import FILE, read_layout
from brain.tree.nodes import Changed, Link, Node
from brain.tree.scope import choose, is_markdown

type Text = str | bytes  # a text is dedented, bytes are taken as they are

NOT_PREFIXES = tuple(settings.BRAIN_NOT_ID_PREFIXES)


@dataclass(frozen=True, slots=True)
class Blob:
    """A regular file of a commit."""

    path: str
    content: bytes

    @property
    def size(self) -> int:
        return len(self.content)


def a_blob(text: Text) -> bytes:
    """The bytes of a text written indented in a test."""
    return dedent(text).encode() if isinstance(text, str) else text


def a_document(text: Text, path: str = "a.md") -> Document:
    """The document of a file with this text."""
    return parse(path, a_blob(text), not_prefixes=NOT_PREFIXES).document


def words_in(text: Text, path: str = "a.md") -> tuple[Words, ...]:
    """The words that search knows each part of the document by."""
    return parse(path, a_blob(text), not_prefixes=NOT_PREFIXES).words


def headings_of(text: Text) -> list[Heading]:
    """Every heading of a file with this text, the ones that make no node too."""
    decoded = decode(a_blob(text)).text
    before = read_front_matter(decoded).length
    body, environment = decoded[before:], dict[str, Any]()
    numbers = line_numbers(body, 1 + decoded.count("\n", 0, before))
    return outline_of(layout_of(blocks_of(body, environment), environment), numbers, NOT_PREFIXES).headings


def a_tree(
    files: Mapping[str, Text] | None = None,
    *,
    beside: Iterable[str] = (),
    changed: Mapping[str, Changed] | None = None,
    setting: Mapping[str, Any] | None = None,
    **documents: Text,
) -> Tree:
    """The tree of a commit that holds these files, and `beside` them links, submodules or other paths.

    `files` is by path; a document at the root can be named instead: `spec="# Spec"` is `spec.md`.
    """
    named = {f"{name}.md": text for name, text in documents.items()}
    blobs = [Blob(path, a_blob(text)) for path, text in sorted({**(files or {}), **named}.items())]
    return tree_of(blobs, [*beside, *(blob.path for blob in blobs)], changed or {}, setting or {})


def tree_of(
    blobs: Iterable[Blob], paths: Iterable[str], changed: Mapping[str, Changed], setting: Mapping[str, Any]
) -> Tree:
    """The tree of the commit that has these regular files, in this order, among these paths."""
    options = TreeSettings(**{"name": "shop", "not_prefixes": NOT_PREFIXES, **setting})
    blobs = list(blobs)
    chosen, _ = choose(blobs, options.scope)
    words, problems = read_layout(next((blob.content for blob in blobs if blob.path == FILE), None))
    return assemble(
        [parse(blob.path, blob.content, not_prefixes=options.not_prefixes).document for blob in chosen],
        {blob.path: File(blob="", changed=changed.get(blob.path)) for blob in chosen},
        options,
        existing=frozenset(filter(is_markdown, paths)),
        words=words,
        problems=problems,
    )


def node(tree: Tree, node_id: str) -> Node:
    """The one node of this id."""
    (found,) = [each for each in tree.nodes if each.id == node_id]
    return found


def ids(tree: Tree) -> list[str]:
    """The ids of all nodes, in order."""
    return [each.id for each in tree.nodes]


def links(tree: Tree) -> list[tuple[str, str]]:
    """From and to of all links, in order."""
    return [(each.source, each.target) for each in tree.linked.links]


def link_of(tree: Tree, source: str) -> Link:
    """The one link that this node makes."""
    (found,) = [each for each in tree.linked.links if each.source == source]
    return found
