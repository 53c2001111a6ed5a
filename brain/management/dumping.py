"""The canonical dump of a store: JSON lines of all nodes, links, broken references and problems."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from brain.store import Store
from brain.tree.canonical import broken_line, link_line, node_line, problem_line
from brain.tree.nodes import ROOT, Link, Node

LEVEL = 500  # nodes fetched at a time


def dump(store: Store) -> Iterator[dict[str, Any]]:
    """Everything a store holds, in canonical order: nodes, links, broken links, broken anchors, problems."""
    store.require_tree()
    root = store.node(ROOT)
    paths: list[str] = []
    if root is not None:
        yield node_line(root)
        yield from _below(store, root, paths)
    for path in sorted(paths):
        for ends in store.links_of(path):
            yield link_line(Link(ends.source.id, ends.target.id, ends.kind, ends.line))
    lists = store.broken()
    yield from map(broken_line, lists.links)
    yield from map(broken_line, lists.anchors)
    yield from map(problem_line, store.problems())


def _below(store: Store, node: Node, paths: list[str]) -> Iterator[dict[str, Any]]:
    offset = 0
    while children := store.children(node.id, offset, LEVEL):
        offset += len(children)
        for child in children:
            if child.lines is None:
                yield node_line(child)
                yield from _below(store, child, paths)
            else:
                paths.append(child.path)
                yield from map(node_line, store.document(child.path))
