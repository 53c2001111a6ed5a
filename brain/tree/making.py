"""Documents and folders become nodes, a few or all of them: whole and incremental builds share this."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from brain.markdown.documents import Document
from brain.markdown.parts import Part
from brain.tree.folders import Folder, folder_summary, parent_of, walk
from brain.tree.layout import Words
from brain.tree.nodes import ROOT, Changed, Kind, Lines, Node
from brain.tree.spaces import Space, space_at
from brain.tree.targets import node_id


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """What a tree knows of a document's file beside its text."""

    blob: str  # object id
    changed: Changed | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What all nodes of a tree share."""

    name: str  # of the repository: the root's title
    words: Words  # of the repository's layout
    spaces: Mapping[str, Space]  # by folder


def document_nodes(
    document: Document, file: File, setting: Setting, totals: Mapping[str, int]
) -> Iterator[Node]:
    """The nodes of a document, itself first; `totals` are the links that each makes, by node id."""
    folder = parent_of(document.path)
    space, home = space_at(folder, setting.spaces), setting.spaces.get(folder)
    children = [0] * len(document.parts)
    for part in document.parts[1:]:
        children[part.parent] += 1
    is_home = home is not None and home.home == document.path
    yield replace(
        _part(document, document.parts[0], children[0], space, totals),
        parent=folder,
        labels=document.labels,
        status=document.status,
        order=document.order if is_home else None,
        home=is_home,
        blob=file.blob,
        changed=file.changed,
        anchors=document.anchors,
        named=document.named,
    )
    for part, count in zip(document.parts[1:], children[1:], strict=True):
        yield _part(document, part, count, space, totals)


def folder_nodes(
    root: Folder, files: Mapping[str, File], setting: Setting, known: Mapping[str, Node]
) -> dict[str, Node]:
    """The nodes of all folders, by id, made from the deepest up: a folder's words come from what it holds.

    Those that are `known` are taken as they are.
    """
    nodes: dict[str, Node] = {}
    summaries: dict[str, str] = {}
    titles: dict[str, str] = {}
    for folder in reversed(list(walk(root))):
        for document in folder.documents:
            whole = document.parts[0]
            summaries[document.path], titles[document.path] = whole.summary, whole.title
        titles[folder.path] = setting.name if folder.path == ROOT else folder.name
        if folder.path in known:
            node = known[folder.path]
        else:
            below = [nodes[child.path] for child in folder.folders]
            summary = folder_summary(folder, setting.words, summaries, titles)
            node = Node(
                id=folder.path,
                kind=Kind.ROOT if folder.path == ROOT else Kind.FOLDER,
                parent=None if folder.path == ROOT else parent_of(folder.path),
                path="" if folder.path == ROOT else folder.path,
                title=titles[folder.path],
                summary=summary.text,
                summary_source=summary.source,
                size=sum(node.size for node in below) + sum(one.parts[0].size for one in folder.documents),
                children=len(folder.folders) + len(folder.documents),
                space=space_at(folder.path, setting.spaces),
                changed=_latest(folder, below, files),
            )
        nodes[folder.path] = node
        summaries[folder.path] = node.summary
    return nodes


def _latest(folder: Folder, below: Iterable[Node], files: Mapping[str, File]) -> Changed | None:
    changes = [files[document.path].changed for document in folder.documents]
    changes += [node.changed for node in below]
    return max(
        (change for change in changes if change),
        key=lambda change: (change.at, change.commit),
        default=None,
    )


def _part(document: Document, part: Part, children: int, space: str, totals: Mapping[str, int]) -> Node:
    identity = node_id(document.path, part.anchor)
    below = Kind.CARD if part.is_card else Kind.SECTION
    return Node(
        id=identity,
        kind=below if part.anchor else Kind.DOCUMENT,
        parent=node_id(document.path, document.parts[part.parent].anchor),
        path=document.path,
        title=part.title,
        summary=part.summary,
        summary_source=part.summary_source,
        lines=Lines(part.start, part.own_end),
        subtree_end=part.end,
        size=part.size,
        level=part.level,
        children=children,
        reference_id=part.reference_id,
        space=space,
        outgoing=totals.get(identity, 0),
        alias=part.alias,
    )
