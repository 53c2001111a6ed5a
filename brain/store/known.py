"""What the stored tree knows already: an incremental build asks for it instead of reading Git again."""

from __future__ import annotations

import json
import uuid
from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from brain import models
from brain.markdown.documents import Document
from brain.markdown.parts import Part
from brain.markdown.problems import Problem
from brain.markdown.references import Reference
from brain.store.fetching import COLUMNS, nodes_by_key
from brain.store.rows import Row, node_from, row_key
from brain.tree.names import text_key
from brain.tree.nodes import Changed, Kind, Node
from brain.tree.spaces import Claim
from brain.tree.targets import Page, Place
from repositories.statements import ask

_BLOBS = "SELECT path, blob FROM brain_node WHERE source_id = %s AND kind = 'document' AND digest IS NOT NULL"
_NODES = f"""
    SELECT {COLUMNS}, digest FROM brain_node WHERE source_id = %s AND document = ANY(%s)
    ORDER BY document, line_start, level
"""  # noqa: S608
_PAGES = """
    SELECT path, node_id, line_start, home::text FROM brain_node WHERE source_id = %s AND document = ANY(%s)
    ORDER BY document, line_start, level
"""
_BARE = """
    SELECT path, title, summary, size, changed_commit, changed_at, changed_subject FROM brain_node
    WHERE source_id = %s AND key = ANY(%s)
"""
_REFS = """
    SELECT document, anchor, kind, target, line, goal FROM brain_ref
    WHERE source_id = %s AND document = ANY(%s) ORDER BY document, position
"""
_LINKS = """
    SELECT source_id, from_node, position, to_node, kind, line FROM brain_link
    WHERE source_id = %s AND from_node = ANY(%s)
"""
_REFERRERS = """
    SELECT path FROM brain_node WHERE source_id = %s
    AND key IN (SELECT document FROM brain_ref WHERE source_id = %s AND goal = ANY(%s))
"""
_DEFINERS = """
    SELECT reference_id, path, line_start, level, node_id FROM brain_node
    WHERE source_id = %s AND reference_key = ANY(%s) AND reference_id = ANY(%s)
"""
_FOLDERS = f"SELECT {COLUMNS}, digest FROM brain_node WHERE source_id = %s AND key = ANY(%s)"  # noqa: S608
_PROBLEMS = """
    SELECT id, path, line, code, message, severity FROM brain_problem WHERE source_id = %s
"""
_TREE_HASH = """
    SELECT encode(sha256(string_agg(digest, ''::bytea ORDER BY path)), 'hex')
    FROM brain_node WHERE source_id = %s AND digest IS NOT NULL
"""


class Definer(NamedTuple):
    """A node that defines a reference id, ordered as in the tree of all documents by path."""

    path: str
    line: int
    level: int
    node: str


@dataclass(frozen=True, slots=True)
class Known:
    """A document as the stored tree has it."""

    document: Document  # without its problems
    nodes: tuple[Node, ...]  # itself first
    digest: bytes
    goals: tuple[uuid.UUID | None, ...]  # of its references


def blobs(source: models.Source) -> dict[str, str]:
    """The blob of every stored document, by path."""
    return dict(ask(_BLOBS, [source.pk]))


def claims(source: models.Source) -> dict[str, Claim]:
    """The claims of all stored home pages, by path."""
    return {path: Claim(key, order) for path, key, order in source.basis["claims"]}


def documents(source: models.Source, paths: Collection[str]) -> dict[str, Known]:
    """These documents, by path; without those that are not stored."""
    keys = [row_key(path) for path in paths]
    nodes: dict[str, list[Node]] = defaultdict(list)
    digests: dict[str, bytes] = {}
    for row in ask(_NODES, [source.pk, keys]):
        node = node_from(row)
        nodes[node.path].append(node)
        if row[-1] is not None:
            digests[node.path] = bytes(row[-1])
    refs: dict[uuid.UUID, list[Row]] = defaultdict(list)
    for document, *rest in ask(_REFS, [source.pk, keys]):
        refs[document].append(tuple(rest))
    homes = claims(source)
    return {
        path: _known(found, refs.get(row_key(path), ()), digests[path], homes.get(path))
        for path, found in nodes.items()
    }


def links(source: models.Source, ids: Iterable[str]) -> set[Row]:
    """The rows of the links that these nodes make, in the order of LINK_COLUMNS."""
    return set(map(tuple, ask(_LINKS, [source.pk, [row_key(one) for one in ids]])))


def referrers(source: models.Source, goals: Iterable[str]) -> set[str]:
    """The paths of the documents that refer to one of these goals, see `tree.links.goal_of`."""
    keys = [row_key(goal) for goal in goals]
    return {row[0] for row in ask(_REFERRERS, [source.pk, source.pk, keys])}


def pages(source: models.Source, paths: Collection[str]) -> dict[str, Page]:
    """These documents as targets of links."""
    places: dict[str, list[Place]] = defaultdict(list)
    homes: dict[str, tuple[Any, Any]] = {}  # anchors that are no node, and those written as `<a id>`
    for path, identity, start, home in ask(_PAGES, [source.pk, [row_key(path) for path in paths]]):
        told = json.loads(home)
        homes.setdefault(path, ([tuple(one) for one in told.get("anchors", ())], told.get("named", ())))
        names = (identity[len(path) + 1 :], told.get("alias"))
        places[path].append(Place(identity, start, tuple(filter(None, names))))
    return {path: Page(found, *homes[path]) for path, found in places.items()}


def definers(source: models.Source, ids: Collection[str]) -> dict[str, list[Definer]]:
    """The stored nodes that define each of these reference ids, in no order."""
    found: dict[str, list[Definer]] = defaultdict(list)
    for reference_id, *place in ask(_DEFINERS, [source.pk, [text_key(one) for one in ids], list(ids)]):
        found[reference_id].append(Definer(*place))
    return found


def nodes(source: models.Source, ids: Collection[str]) -> dict[str, Node]:
    """These nodes, by id. Raises LookupError when one of them is not stored."""
    found = {node.id: node for node in nodes_by_key(source.pk, [row_key(one) for one in ids]).values()}
    _require(len(found), ids)
    return found


def bare_documents(
    source: models.Source, paths: Collection[str]
) -> dict[str, tuple[Document, Changed | None]]:
    """These documents as their folders tell of them, by path: title, summary, size and last change.

    Raises LookupError when one of them is not stored.
    """
    rows = ask(_BARE, [source.pk, [row_key(path) for path in paths]])
    _require(len(rows), paths)
    return {
        path: (_bare(path, title, summary, size), Changed(commit, at, subject) if commit else None)
        for path, title, summary, size, commit, at, subject in rows
    }


def folders(source: models.Source, ids: Collection[str]) -> dict[str, tuple[Node, bytes]]:
    """These folders with their digests, by id; without those that are not stored."""
    rows = ask(_FOLDERS, [source.pk, [row_key(folder) for folder in ids]])
    return {row[0]: (node_from(row), bytes(row[-1])) for row in rows}


def problems(source: models.Source) -> list[tuple[int, Problem]]:
    """Every stored problem with the id of its row."""
    return [(row[0], Problem(*row[1:])) for row in ask(_PROBLEMS, [source.pk])]


def tree_hash(source: models.Source) -> str:
    """The hash of the tree as its rows are now; see `tree.digests`."""
    return str(ask(_TREE_HASH, [source.pk])[0][0])


def _known(nodes: list[Node], refs: Iterable[Row], digest: bytes, claim: Claim | None) -> Known:
    whole, rows = nodes[0], list(refs)
    numbers = {node.id: number for number, node in enumerate(nodes)}
    document = Document(
        path=whole.path,
        parts=(_part(whole, -1), *(_part(node, numbers[node.parent or ""]) for node in nodes[1:])),
        references=tuple(Reference(*row[:4]) for row in rows),
        anchors=whole.anchors,
        named=whole.named,
        labels=whole.labels,
        status=whole.status,
        space=claim.key if claim else "",
        order=claim.order if claim else None,
        problems=(),
    )
    return Known(document, tuple(nodes), digest, tuple(row[4] for row in rows))


def _part(node: Node, parent: int) -> Part:
    lines = node.lines
    if lines is None or node.subtree_end is None:
        raise ValueError(f"{node.id} is no part of a document.")
    return Part(
        anchor=node.id[len(node.path) + 1 :],
        parent=parent,
        level=node.level,
        title=node.title,
        summary=node.summary,
        summary_source=node.summary_source,
        start=lines.start,
        own_end=lines.end,
        end=node.subtree_end,
        size=node.size,
        reference_id=node.reference_id,
        alias=node.alias,
        is_card=node.kind is Kind.CARD,
    )


def _bare(path: str, title: str, summary: str, size: int) -> Document:
    part = Part("", -1, 0, title, summary, "", 1, 0, 0, size, None, None, is_card=False)
    return Document(path, (part,), (), (), (), (), "", "", None, ())


def _require(found: int, asked: Collection[str]) -> None:
    if found != len(asked):
        raise LookupError(f"The stored tree lacks {len(asked) - found} nodes that it should have.")
