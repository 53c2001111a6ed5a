"""Nodes by id, path, anchor, reference id, file name or title: what an id or a name means here."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from urllib.parse import unquote

from brain.reads.answers import Match, Matches
from brain.reads.nearness import near
from brain.reads.nodes import breadcrumbs_of
from brain.store import Store
from brain.tree.names import asked_number, stem_of
from brain.tree.nodes import ROOT, Kind, Node
from brain.tree.targets import Page

MATCHES = 20


def look_up(store: Store, query: str) -> Matches:
    """The nodes that the query names, best first, at most 20; ids that come close when it names none.

    Raises BrainOff and NotBuilt.
    """
    store.require_tree()
    asked = query.strip()
    found: dict[str, tuple[Node, str]] = {}
    for node, matched_by in _matches(store, asked):
        found.setdefault(node.id, (node, matched_by))
        if len(found) == MATCHES:
            break
    crumbs = breadcrumbs_of(store, (node for node, _ in found.values()))
    return Matches(
        envelope=store.envelope,
        query=query,
        matches=tuple(Match(node, crumbs[node.id], by) for node, by in found.values()),
        near=() if found else near(store, asked),
    )


def _matches(store: Store, asked: str) -> Iterator[tuple[Node, str]]:
    if not asked:
        return
    path, _, fragment = asked.partition("#")
    ways = _ways(path)
    known = store.nodes([asked, *ways])
    if asked in known:
        yield known[asked], "nodeId"
    for node in [known[way] for way in ways if way in known][:1] or _in_any_case(store, path):
        if not fragment:
            yield node, "path"
        elif node.kind is Kind.DOCUMENT:
            found = Page.of_nodes(store.document(node.path)).find(unquote(fragment))
            yield from _named(store.nodes([found] if found else []).values(), "anchor")
    yield from _named(store.by_reference(asked), "referenceId")
    name = asked.rstrip("/").rpartition("/")[2]
    if "/" not in asked.rstrip("/"):
        yield from _named(store.by_name(stem_of(name)), "fileName")
        number = asked_number(asked)
        if number is not None:
            yield from _named(store.by_number(number), "fileName")
    yield from _named(store.by_title(asked), "title")


def _ways(path: str) -> list[str]:
    """The ids of the document and the folder at the path, in either normal form."""
    bare = _bare(path)
    if not bare.strip("/"):
        return [ROOT] if path in ("/", ".", "./") else []
    forms = [bare, unicodedata.normalize("NFC", bare), unicodedata.normalize("NFD", bare)]
    return list(dict.fromkeys(way for form in forms for way in (form, form.rstrip("/") + "/")))


def _in_any_case(store: Store, path: str) -> list[Node]:
    """The document or folder at the path in any case, when exactly one is."""
    bare = _bare(path).rstrip("/")
    if not bare:
        return []
    stem = stem_of(bare.rpartition("/")[2])
    near = [node for node in store.by_name(stem) if node.path.rstrip("/").casefold() == bare.casefold()]
    return near if len(near) == 1 else []


def _bare(path: str) -> str:
    return path.removeprefix("./").lstrip("/")


def _named(nodes: Iterable[Node], matched_by: str) -> Iterator[tuple[Node, str]]:
    return ((node, matched_by) for node in nodes)
