"""The questions a read may ask, whether the tree stands in the database or in memory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from brain.markdown.problems import Problem
from brain.snapshots import Texts
from brain.tree.forks import Sign
from brain.tree.nodes import BrokenAnchor, BrokenLink, LinkKind, Node
from brain.tree.scope import LeftOut, Scope


@dataclass(frozen=True, slots=True, kw_only=True)
class Envelope:
    """What stands in every answer: which commit is read, where the branch is now, when each was learnt."""

    project: str  # the project's UUID; of a folder, its name
    branch: str
    commit: str  # indexed; "" before the first build
    tip: str  # of the branch in the mirror; "" when the mirror lacks it
    behind: int | None  # commits from the indexed one to the tip, at most 1,000; None: unknown
    built_at: datetime | None
    synced_at: datetime | None
    state: str  # see brain.models.State


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """The state of a Brain beside its envelope."""

    enabled: bool
    wiki: bool
    counts: Mapping[str, int]
    error: str
    attempted_commit: str
    branches: tuple[str, ...]  # those a Brain may follow
    progress: Mapping[str, Any] | None = None  # phase, done, total


class Ends(NamedTuple):
    """A link with the nodes at both of its ends."""

    source: Node
    target: Node
    kind: LinkKind
    line: int


class Written(NamedTuple):
    """A link as a document writes it: its raw destination, and the line it stands on."""

    target: str
    line: int


class Git(NamedTuple):
    """Where the indexed commit lies, for reads that ask Git itself."""

    mirror: Path  # of a mirror, or of a repository's objects; never shown
    commit: str
    scope: Scope  # the paths that this project indexes


class Ranked(NamedTuple):
    """A node that search found, and how well its words meet the question."""

    node: Node
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokenLists:
    """References of the indexed documents that lead nowhere."""

    links: tuple[BrokenLink, ...]
    truncated: bool
    anchors: tuple[BrokenAnchor, ...]
    anchors_truncated: bool


type Place = tuple[str, int]  # a document's path and one of its lines


class Store(Protocol):
    """One tree of one commit; every answer of a store is of the same commit."""

    @property
    def envelope(self) -> Envelope:
        """The facts of freshness."""
        ...

    @property
    def web(self) -> Sequence[str]:
        """How web addresses of the branch's files begin, see `targets.web_prefixes`."""
        ...

    @property
    def standing(self) -> Standing:
        """The state of the Brain."""
        ...

    @property
    def stamp(self) -> str:
        """What every answer depends on besides its question: tree, commit, builder, tip and state."""
        ...

    @property
    def git(self) -> Git | None:
        """The repository of the indexed commit; None for files on disk."""
        ...

    def require_tree(self) -> None:
        """Raises BrainOff or NotBuilt when there is no tree to read."""
        ...

    def node(self, node_id: str) -> Node | None:
        """The node of this id."""
        ...

    def nodes(self, node_ids: Iterable[str]) -> Mapping[str, Node]:
        """Those of these nodes that there are, by id."""
        ...

    def beside(self, node: Node) -> tuple[Node | None, Node | None]:
        """The nodes before and after it under the same parent."""
        ...

    def ancestors(self, node: Node) -> Sequence[Node]:
        """The nodes above, the root first."""
        ...

    def ways(self, nodes: Iterable[Node]) -> Mapping[str, Sequence[Node]]:
        """The nodes above each of these, the root first, by the id of each."""
        ...

    def holding(self, places: Iterable[Place]) -> Mapping[Place, Node]:
        """The deepest node whose own lines hold each of these lines; without what no document has."""
        ...

    def documents(self) -> Mapping[str, str]:
        """The blob of every document by its path, in path order."""
        ...

    def paths_with(self, *, space: str = "", label: str = "") -> Sequence[str]:
        """The paths of the documents in this space that have this label, in path order; "" asks for all."""
        ...

    def texts(self) -> Texts:
        """The text of every document, for exact search. Raises CommitUnavailable."""
        ...

    def ranked(
        self, query: str, under: Node | None, offset: int, limit: int
    ) -> tuple[Sequence[Ranked], int] | None:
        """A window of the nodes that meet the words, best first, and how many there are.

        None: this store knows no words, so that only substrings can be looked for.
        """
        ...

    def children(self, node_id: str, offset: int, limit: int) -> Sequence[Node]:
        """A window of the nodes directly under one, in tree order."""
        ...

    def signs(self, node_id: str) -> Sequence[tuple[str, Sign]]:
        """What every node directly under one shows, by its id, in tree order."""
        ...

    def first_children(self, node_ids: Iterable[str], limit: int) -> Mapping[str, Sequence[Node]]:
        """The first nodes under each of these."""
        ...

    def document(self, path: str) -> Sequence[Node]:
        """A document's nodes in order, itself first."""
        ...

    def outgoing(self, node_id: str, limit: int) -> Sequence[Ends]:
        """The first links a node makes, in order of position."""
        ...

    def incoming(self, node_id: str, offset: int, limit: int, *, page: bool) -> tuple[Sequence[Ends], int]:
        """A window of the links to a node, by path and line of where they stand, and how many there are.

        `page`: the links from other documents to the node, a document's headings and cards included.
        """
        ...

    def links_of(self, path: str) -> Sequence[Ends]:
        """The links that a document's nodes make, by line."""
        ...

    def written_links(self, path: str) -> Sequence[Written]:
        """Every Markdown link of a document as written, in order."""
        ...

    def broken(self) -> BrokenLists:
        """What leads nowhere."""
        ...

    def problems(self) -> Sequence[Problem]:
        """What a writer can mend, by path, line and code."""
        ...

    def left_out(self) -> Sequence[LeftOut]:
        """The Markdown files that a limit kept out of the index."""
        ...

    def by_reference(self, reference_id: str) -> Sequence[Node]:
        """The nodes that define a reference id, in any case."""
        ...

    def by_references(self, reference_ids: Iterable[str]) -> Sequence[Node]:
        """The nodes that define one of these reference ids, in any case; many are asked at once."""
        ...

    def by_name(self, stem: str) -> Sequence[Node]:
        """The documents and folders of this name, in any case."""
        ...

    def by_number(self, number: int) -> Sequence[Node]:
        """The documents and folders whose name starts with this number."""
        ...

    def by_title(self, title: str) -> Sequence[Node]:
        """The nodes of this title, in any case."""
        ...

    def blob(self, node: Node) -> bytes:
        """The bytes of the document a node stands in. Raises CommitUnavailable."""
        ...
