"""The questions of a read answered from a tree held in memory, without any database."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from brain.errors import CommitUnavailable
from brain.markdown.problems import Problem
from brain.snapshots import Texts, in_memory
from brain.store.protocol import BrokenLists, Ends, Envelope, Git, Place, Standing, Written
from brain.tree.assembly import Tree
from brain.tree.forks import Sign, sign_of
from brain.tree.names import names_of
from brain.tree.nodes import Link, LinkKind, Node
from brain.tree.scope import LeftOut, Scope


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """What was read of a folder: its tree, its texts by path, and where they come from."""

    name: str
    branch: str
    commit: str  # "" for files on disk, unless the commit holds them as they are
    tree: Tree
    texts: Mapping[str, bytes]
    left_out: tuple[LeftOut, ...]
    git: Path | None = None  # the repository's objects; None for files on disk


class FolderStore:
    """A Store over a tree in memory."""

    def __init__(self, held: Held) -> None:
        self.held = held
        self._nodes = {node.id: node for node in held.tree.nodes}
        self._below: dict[str, list[Node]] = defaultdict(list)
        self._documents: dict[str, list[Node]] = defaultdict(list)
        for node in held.tree.nodes:
            if node.parent is not None:
                self._below[node.parent].append(node)
            if node.lines is not None:
                self._documents[node.path].append(node)

    @property
    def envelope(self) -> Envelope:
        """The facts of freshness; a folder is always read as it is now."""
        held = self.held
        return Envelope(
            project=held.name,
            branch=held.branch,
            commit=held.commit,
            tip=held.commit,
            behind=0,
            built_at=None,
            synced_at=None,
            state="ready",
        )

    @property
    def web(self) -> Sequence[str]:
        """A folder has no web address."""
        return ()

    @property
    def standing(self) -> Standing:
        """The state of the tree."""
        counts = self.held.tree.counts | {"leftOut": len(self.held.left_out)}
        branches = (self.held.branch,) if self.held.branch else ()
        return Standing(
            enabled=True,
            wiki=False,
            counts=counts,
            error="",
            attempted_commit=self.held.commit,
            branches=branches,
        )

    @property
    def stamp(self) -> str:
        """A folder is read anew each time."""
        return f"{self.held.name} {self.held.commit}"

    @property
    def git(self) -> Git | None:
        """The repository, when a commit was read."""
        held = self.held
        return Git(held.git, held.commit, Scope()) if held.git else None

    def require_tree(self) -> None:
        """A folder always has a tree."""

    def node(self, node_id: str) -> Node | None:
        """The node of this id."""
        return self._nodes.get(node_id)

    def nodes(self, node_ids: Iterable[str]) -> Mapping[str, Node]:
        """Those of these nodes that there are, by id."""
        return {node_id: self._nodes[node_id] for node_id in node_ids if node_id in self._nodes}

    def beside(self, node: Node) -> tuple[Node | None, Node | None]:
        """The nodes before and after it under the same parent."""
        if node.parent is None:
            return None, None
        level = self._below[node.parent]
        at = level.index(node)
        return level[at - 1] if at else None, level[at + 1] if at + 1 < len(level) else None

    def ancestors(self, node: Node) -> Sequence[Node]:
        """The nodes above, the root first."""
        above = []
        while node.parent is not None:
            node = self._nodes[node.parent]
            above.append(node)
        return above[::-1]

    def ways(self, nodes: Iterable[Node]) -> Mapping[str, Sequence[Node]]:
        """The nodes above each of these, the root first, by the id of each."""
        return {node.id: self.ancestors(node) for node in nodes}

    def holding(self, places: Iterable[Place]) -> Mapping[Place, Node]:
        """The deepest node whose own lines hold each of these lines."""
        found: dict[Place, Node] = {}
        for path, line in places:
            nodes = self._documents.get(path, [])
            at = bisect_right(nodes, line, key=lambda node: node.lines.start if node.lines else 0)
            if at:
                found[path, line] = nodes[at - 1]
        return found

    def documents(self) -> Mapping[str, str]:
        """The blob of every document by its path, in path order."""
        return {path: nodes[0].blob for path, nodes in sorted(self._documents.items())}

    def paths_with(self, *, space: str = "", label: str = "") -> Sequence[str]:
        """The paths of the documents in this space that have this label, in path order."""
        pages = (nodes[0] for _, nodes in sorted(self._documents.items()))
        return [
            page.path for page in pages if space in ("", page.space) and (not label or label in page.labels)
        ]

    def texts(self) -> Texts:
        """The text of every document."""
        return self._texts

    def ranked(self, query: str, under: Node | None, offset: int, limit: int) -> None:
        """A folder has no index of words."""

    def children(self, node_id: str, offset: int, limit: int) -> Sequence[Node]:
        """A window of the nodes directly under one, in tree order."""
        return self._below.get(node_id, [])[offset : offset + limit]

    def signs(self, node_id: str) -> Sequence[tuple[str, Sign]]:
        """What every node directly under one shows, by its id, in tree order."""
        level = self._below.get(node_id, [])
        return [(one.id, sign_of(one.kind, one.path, one.title, one.summary, one.size)) for one in level]

    def first_children(self, node_ids: Iterable[str], limit: int) -> Mapping[str, Sequence[Node]]:
        """The first nodes under each of these."""
        return {node_id: self.children(node_id, 0, limit) for node_id in node_ids if node_id in self._below}

    def document(self, path: str) -> Sequence[Node]:
        """A document's nodes in order, itself first."""
        return self._documents.get(path, [])

    def outgoing(self, node_id: str, limit: int) -> Sequence[Ends]:
        """The first links a node makes, in order of position."""
        return self._outgoing.get(node_id, [])[:limit]

    def incoming(self, node_id: str, offset: int, limit: int, *, page: bool) -> tuple[Sequence[Ends], int]:
        """A window of the links to a node, by path and line of where they stand, and how many there are."""
        path = node_id.partition("#")[0]
        whole = page and "#" not in node_id
        targets = [node.id for node in self.document(path)] if whole else [node_id]
        placed = [found for target in targets for found in self._incoming.get(target, ())]
        ends = [end for _, end in sorted(placed) if not (page and end.source.path == path)]
        return ends[offset : offset + limit], len(ends)

    def links_of(self, path: str) -> Sequence[Ends]:
        """The links that a document's nodes make, by line."""
        ends = [end for node in self.document(path) for end in self._outgoing.get(node.id, ())]
        return sorted(ends, key=lambda end: end.line)

    def written_links(self, path: str) -> Sequence[Written]:
        """Every Markdown link of a document as written, in order."""
        document = self.held.tree.documents.get(path)
        references = document.references if document else ()
        return [Written(one.target, one.line) for one in references if one.kind == LinkKind.LINK]

    def broken(self) -> BrokenLists:
        """What leads nowhere."""
        linked = self.held.tree.linked
        return BrokenLists(
            links=tuple(linked.broken),
            truncated=linked.truncated,
            anchors=tuple(linked.anchors),
            anchors_truncated=linked.anchors_truncated,
        )

    def problems(self) -> Sequence[Problem]:
        """What a writer can mend, by path, line and code."""
        return self.held.tree.problems

    def left_out(self) -> Sequence[LeftOut]:
        """The Markdown files that a limit kept out of the index."""
        return self.held.left_out

    def by_reference(self, reference_id: str) -> Sequence[Node]:
        """The nodes that define a reference id, in any case."""
        wanted = reference_id.casefold()
        return self._where(
            lambda node: node.reference_id is not None and node.reference_id.casefold() == wanted
        )

    def by_references(self, reference_ids: Iterable[str]) -> Sequence[Node]:
        """The nodes that define one of these reference ids, in any case."""
        wanted = {reference_id.casefold() for reference_id in reference_ids}
        return self._where(
            lambda node: node.reference_id is not None and node.reference_id.casefold() in wanted
        )

    def by_name(self, stem: str) -> Sequence[Node]:
        """The documents and folders of this name, in any case."""
        wanted = stem.casefold()
        return self._where(
            lambda node: (names := names_of(node)) is not None and names.stem.casefold() == wanted
        )

    def by_number(self, number: int) -> Sequence[Node]:
        """The documents and folders whose name starts with this number."""
        return self._where(lambda node: (names := names_of(node)) is not None and names.number == number)

    def by_title(self, title: str) -> Sequence[Node]:
        """The nodes of this title, in any case."""
        wanted = title.casefold()
        return self._where(lambda node: node.title.casefold() == wanted)

    def blob(self, node: Node) -> bytes:
        """The bytes of the document a node stands in."""
        try:
            return self.held.texts[node.path]
        except KeyError as error:
            raise CommitUnavailable("The document is not held in memory.") from error

    @cached_property
    def _texts(self) -> Texts:
        return in_memory(sorted(self.held.texts.items()))

    @cached_property
    def _outgoing(self) -> dict[str, list[Ends]]:
        links = self.held.tree.linked.links
        return _grouped((link.source, self._ends(link)) for link in links)

    @cached_property
    def _incoming(self) -> dict[str, list[tuple[int, Ends]]]:
        """The links to each node, each with its place among all, which is by path and position."""
        links = enumerate(self.held.tree.linked.links)
        return _grouped((link.target, (place, self._ends(link))) for place, link in links)

    def _ends(self, link: Link) -> Ends:
        return Ends(self._nodes[link.source], self._nodes[link.target], link.kind, link.line)

    def _where(self, wanted: Callable[[Node], bool]) -> list[Node]:
        found = [node for node in self.held.tree.nodes if wanted(node)]
        return sorted(found, key=lambda node: (node.path, node.lines.start if node.lines else 0))


def _grouped[T](pairs: Iterable[tuple[str, T]]) -> dict[str, list[T]]:
    groups: dict[str, list[T]] = defaultdict(list)
    for key, one in pairs:
        groups[key].append(one)
    return groups
