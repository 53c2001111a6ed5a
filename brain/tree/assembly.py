"""Documents become one tree."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from brain.markdown.documents import Document
from brain.markdown.problems import Problem, place_of
from brain.tree.folders import Folder, folders_of, in_order, walk
from brain.tree.layout import Words
from brain.tree.links import Linked, Pages, Surroundings, definers_of, link
from brain.tree.making import File, Setting, document_nodes, folder_nodes
from brain.tree.nodes import Kind, Node
from brain.tree.scope import Scope
from brain.tree.spaces import Claim, claims_of, spaces_of
from brain.tree.targets import web_prefixes

__all__ = ["BUILDER_VERSION", "RULES_VERSION", "File", "Tree", "TreeSettings", "assemble"]

BUILDER_VERSION = 3  # raised whenever the same commit would give other rows
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

    @property
    def web(self) -> tuple[str, ...]:
        """How addresses of the branch's own files begin."""
        return web_prefixes(self.web_address, self.branch)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """The tree of one commit, in canonical order: root, folders, documents, sections and cards."""

    nodes: tuple[Node, ...]
    documents: Mapping[str, Document]
    claims: Mapping[str, Claim]  # of home pages, by path
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
    root, claims = folders_of(by_path), claims_of(by_path.values())
    spaces, twice = spaces_of(claims)
    setting = Setting(name=settings.name, words=words or Words(), spaces=spaces)
    surroundings = Surroundings(
        pages=Pages(by_path),
        definers=definers_of(by_path.values()),
        folders={folder.path for folder in walk(root)},
        existing=existing,
        scope=settings.scope,
        web=settings.web,
        max_links=settings.max_links,
    )
    linked = link(by_path.values(), surroundings)
    found = [*problems, *(problem for document in by_path.values() for problem in document.problems), *twice]
    return Tree(
        nodes=tuple(_nodes(root, files, setting, linked.totals)),
        documents=by_path,
        claims=claims,
        linked=linked,
        problems=tuple(sorted(found, key=place_of)),
    )


def _nodes(
    root: Folder, files: Mapping[str, File], setting: Setting, totals: Mapping[str, int]
) -> Iterator[Node]:
    folders = folder_nodes(root, files, setting, {})
    for folder, opens in in_order(root):
        if opens:
            yield folders[folder.path]
        else:
            for document in folder.documents:
                yield from document_nodes(document, files[document.path], setting, totals)
