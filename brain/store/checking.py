"""Whether the stored rows are those of a tree that was made in memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import batched

from django.db.models.functions import Now

from brain import models
from brain.store import known
from brain.store.rows import link_rows
from brain.tree.assembly import Tree
from brain.tree.digests import tree_hash
from brain.tree.nodes import Node

AT_ONCE = 200  # documents


def differences(source: models.Source, tree: Tree) -> Iterator[str]:
    """What differs between the stored tree and this one, in words; last changes are not compared."""
    if source.tree_hash != tree_hash(tree) or known.tree_hash(source) != source.tree_hash:
        yield "the tree hash"
    stored = known.blobs(source)
    if stored.keys() != tree.documents.keys():
        yield f"{len(stored.keys() ^ tree.documents.keys()):,} documents"
        return
    yield from _documents(source, tree)
    folders = {node.id: _plain(node) for node in tree.nodes if node.lines is None}
    found = known.folders(source, folders)
    if folders != {key: _plain(node) for key, (node, _) in found.items()}:
        yield "the folders"
    links = known.links(source, (node.id for node in tree.nodes if node.lines))
    if links != set(link_rows(source.pk, tree.linked.links)):
        yield "the links"


def _documents(source: models.Source, tree: Tree) -> Iterator[str]:
    made: dict[str, list[Node]] = {path: [] for path in tree.documents}
    for node in tree.nodes:
        if node.lines is not None:
            made[node.path].append(_plain(node))
    for paths in batched(made, AT_ONCE, strict=False):
        for path, one in known.documents(source, paths).items():
            if [_plain(node) for node in one.nodes] != made[path]:
                yield f"the nodes of {path}"
            if one.document.references != tree.documents[path].references:
                yield f"the references of {path}"


def note_check(source: models.Source, *, differs: bool) -> None:
    """Note that the tree was compared."""
    told = {"checked_at": Now()} | ({"differed_at": Now()} if differs else {})
    models.Source.objects.filter(pk=source.pk).update(**told)


def _plain(node: Node) -> Node:
    return replace(node, changed=None)
