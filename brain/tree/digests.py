"""The tree hash: a digest for each folder and document, and one over all of them."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from brain.markdown.documents import Document
from brain.tree.assembly import Tree
from brain.tree.canonical import link_line, node_line
from brain.tree.nodes import Link, Node

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def folder_digest(node: Node) -> bytes:
    """SHA-256 over a folder's node, without its last change."""
    return hashlib.sha256(_encode(node_line(node)).encode()).digest()


def document_digest(document: Document, nodes: Iterable[Node], links: Iterable[Link]) -> bytes:
    """SHA-256 over a document's nodes (without its last change), the links they make and its references."""
    digest = hashlib.sha256()
    for line in (*map(node_line, nodes), *map(link_line, links)):
        digest.update(_encode(line).encode())
    for reference in document.references:
        digest.update(_encode(reference).encode())
    return digest.digest()


def digests_of(tree: Tree) -> dict[str, bytes]:
    """The digests of all folders and documents, by node id."""
    paths = {node.id: node.path for node in tree.nodes if node.lines}
    links: dict[str, list[Link]] = defaultdict(list)
    for link in tree.linked.links:
        links[paths[link.source]].append(link)
    return {
        whole.id: folder_digest(whole)
        if whole.lines is None
        else document_digest(tree.documents[whole.path], nodes, links.get(whole.path, ()))
        for whole, nodes in _grouped(tree.nodes)
    }


def tree_hash(tree: Tree) -> str:
    """SHA-256 over the digests of all folders and documents in the order of their paths, hex.

    A pure function of commit, settings and builder version.
    """
    return hash_of(tree, digests_of(tree))


def hash_of(tree: Tree, digests: Mapping[str, bytes]) -> str:
    """The tree hash, where the digests are known."""
    in_order = sorted((node.path, digests[node.id]) for node in tree.nodes if node.id in digests)
    return hashlib.sha256(b"".join(digest for _, digest in in_order)).hexdigest()


def _grouped(nodes: Iterable[Node]) -> Iterator[tuple[Node, list[Node]]]:
    """Each folder alone, each document with its sections and cards."""
    group: list[Node] = []
    for node in nodes:
        if group and (node.lines is None or node.path != group[0].path):
            yield group[0], group
            group = []
        group.append(node)
    if group:
        yield group[0], group
