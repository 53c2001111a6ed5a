"""Documents become one tree."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from brain.markdown.documents import Document
from brain.markdown.parts import Part
from brain.markdown.problems import Problem, place_of
from brain.tree.folders import (
    Folder,
    Space,
    folder_summary,
    folders_of,
    in_order,
    parent_of,
    spaces_of,
    walk,
)
from brain.tree.layout import Words
from brain.tree.links import Linked, Surroundings, link
from brain.tree.nodes import ROOT, Changed, Kind, Lines, Node
from brain.tree.scope import Scope
from brain.tree.targets import node_id, web_prefixes

BUILDER_VERSION = 2  # raised whenever the same commit would give other rows
RULES_VERSION = 2  # the builder that last changed what is never indexed: rows of older ones are not shown


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeSettings:
    """What besides the commit decides a tree; a change of any forces a whole build."""

    name: str  # of the repository: the root's title
    branch: str = ""
    web_address: str = ""
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    not_prefixes: tuple[str, ...] = ()
    max_links: int = 50

    @property
    def scope(self) -> Scope:
        """The paths this project indexes."""
        return Scope(self.include, self.exclude)


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """What a tree knows of a document's file beside its text."""

    blob: str  # object id
    changed: Changed | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """The tree of one commit, in canonical order: root, folders, documents, sections and cards."""

    nodes: tuple[Node, ...]
    documents: Mapping[str, Document]
    linked: Linked
    problems: tuple[Problem, ...] = field(default=())

    @property
    def counts(self) -> dict[str, int]:
        """How much there is of each kind."""
        kinds = dict.fromkeys(Kind, 0)
        for node in self.nodes:
            kinds[node.kind] += 1
        return {
            "documents": kinds[Kind.DOCUMENT],
            "folders": kinds[Kind.FOLDER],
            "sections": kinds[Kind.SECTION],
            "cards": kinds[Kind.CARD],
            "links": len(self.linked.links),
            "broken": len(self.linked.broken),
            "brokenAnchors": len(self.linked.anchors),
            "problems": len(self.problems),
        }


def assemble(
    documents: Iterable[Document],
    files: Mapping[str, File],
    settings: TreeSettings,
    *,
    existing: Collection[str] = (),
    words: Words | None = None,
    problems: Iterable[Problem] = (),
) -> Tree:
    """The tree of these documents: a pure function of its arguments.

    `files` is by path; `existing` holds every path of the commit that names a Markdown file, indexed
    or not; `words` are those of the repository's layout, `problems` those found before parsing.
    """
    by_path = {document.path: document for document in sorted(documents, key=lambda document: document.path)}
    root = folders_of(by_path)
    spaces, twice = spaces_of(root)
    surroundings = Surroundings(
        folders={folder.path for folder in walk(root)},
        existing=existing,
        scope=settings.scope,
        web=web_prefixes(settings.web_address, settings.branch),
        max_links=settings.max_links,
    )
    linked = link(by_path, surroundings)
    nodes = _Assembler(root, files, settings.name, spaces, words or Words(), linked.totals).nodes()
    found = [*problems, *(problem for document in by_path.values() for problem in document.problems), *twice]
    return Tree(
        nodes=tuple(nodes),
        documents=by_path,
        linked=linked,
        problems=tuple(sorted(found, key=place_of)),
    )


class _Assembler:
    def __init__(
        self,
        root: Folder,
        files: Mapping[str, File],
        name: str,
        spaces: Mapping[str, Space],
        words: Words,
        totals: Mapping[str, int],
    ) -> None:
        self._root = root
        self._files = files
        self._name = name
        self._spaces = spaces
        self._words = words
        self._totals = totals
        self._summaries: dict[str, str] = {}
        self._titles: dict[str, str] = {}

    def nodes(self) -> list[Node]:
        folders, nodes = self._folders(), list[Node]()
        for folder, opens in in_order(self._root):
            nodes.extend((folders[folder.path],) if opens else self._documents(folder))
        return nodes

    def _folders(self) -> dict[str, Node]:
        """The nodes of all folders, made from the deepest up: a folder's words come from what it holds."""
        nodes: dict[str, Node] = {}
        for folder in reversed(list(walk(self._root))):
            for document in folder.documents:
                whole = document.parts[0]
                self._summaries[document.path], self._titles[document.path] = whole.summary, whole.title
            title = self._name if folder.path == ROOT else folder.name
            self._titles[folder.path] = title
            summary = folder_summary(folder, self._words, self._summaries, self._titles)
            self._summaries[folder.path] = summary.text
            below = [nodes[child.path] for child in folder.folders]
            nodes[folder.path] = Node(
                id=folder.path,
                kind=Kind.ROOT if folder.path == ROOT else Kind.FOLDER,
                parent=None if folder.path == ROOT else parent_of(folder.path),
                path="" if folder.path == ROOT else folder.path,
                title=title,
                summary=summary.text,
                summary_source=summary.source,
                size=sum(node.size for node in below) + sum(d.parts[0].size for d in folder.documents),
                children=len(folder.folders) + len(folder.documents),
                space=self._space(folder.path),
                changed=self._latest(folder, below),
            )
        return nodes

    def _latest(self, folder: Folder, below: Iterable[Node]) -> Changed | None:
        changes = [self._files[document.path].changed for document in folder.documents]
        changes += [node.changed for node in below]
        return max(
            (change for change in changes if change),
            key=lambda change: (change.at, change.commit),
            default=None,
        )

    def _space(self, folder: str) -> str:
        while folder not in self._spaces and folder != ROOT:
            folder = parent_of(folder)
        return self._spaces[folder].key if folder in self._spaces else ""

    def _documents(self, folder: Folder) -> Iterator[Node]:
        space = self._space(folder.path)
        home = self._spaces.get(folder.path)
        for document in folder.documents:
            file = self._files[document.path]
            children = [0] * len(document.parts)
            for part in document.parts[1:]:
                children[part.parent] += 1
            is_home = home is not None and home.home == document.path
            yield replace(
                self._part(document, document.parts[0], children[0], space),
                parent=folder.path,
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
                yield self._part(document, part, count, space)

    def _part(self, document: Document, part: Part, children: int, space: str) -> Node:
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
            outgoing=self._totals.get(identity, 0),
            alias=part.alias,
        )
