"""What the portal's page of a document needs beside its text: outline, targets of its links, neighbours."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import unquote

from brain.reads.answers import Reading
from brain.reads.read import PORTAL_CUT, read_node
from brain.store import Store
from brain.tree.nodes import LinkKind, Node
from brain.tree.scope import is_markdown
from brain.tree.targets import Page as TargetPage
from brain.tree.targets import Target, is_line_fragment, target_of


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenPage:
    """A reading, and everything around it."""

    reading: Reading
    document: Node | None  # that the text stands in; None: a folder without a README
    outline: tuple[Node, ...]  # the document's sections and cards, in order
    resolve: Callable[[str], str | None]  # a destination as written → the id of the node it leads to
    broken: frozenset[str]  # destinations as written that name a missing Markdown file
    mentions: Mapping[str, str]  # reference id → the id of the node that defines it
    previous: Node | None
    following: Node | None


def open_page(
    store: Store,
    node_id: str,
    *,
    scope: str = "subtree",
    from_line: int | None = None,
    from_column: int | None = None,
) -> OpenPage:
    """The node's reading with its surroundings; the errors are those of `read_node`."""
    reading = read_node(
        store, node_id, scope=scope, from_line=from_line, from_column=from_column, cut=PORTAL_CUT
    )
    path = reading.citation.path if reading.citation else ""
    nodes = store.document(path) if path else ()
    targets = _Targets(store, path)
    previous, following = _neighbours(store, reading.node)
    return OpenPage(
        reading=reading,
        document=nodes[0] if nodes else None,
        outline=tuple(nodes[1:]),
        resolve=targets.resolve,
        broken=targets.broken,
        mentions=_mentions(store, path),
        previous=previous,
        following=following,
    )


class _Targets:
    """Where a document's links lead; the nodes they name are fetched together."""

    def __init__(self, store: Store, path: str) -> None:
        self._store = store
        self._path = path
        self._pages: dict[str, TargetPage] = {}
        written = [link.target for link in store.written_links(path)] if path else []
        self._found = store.nodes(_candidates(self._targets(written)))
        missing = (
            {broken.target for broken in store.broken().links if broken.source == path} if path else set()
        )
        self.broken = frozenset(raw for raw in written if self._target(raw).written in missing)

    def resolve(self, raw: str) -> str | None:
        """The id of the node that a destination leads to."""
        target = self._target(raw)
        if target.path is None:
            return None
        for candidate in (target.path, target.path.rstrip("/") + "/"):
            if candidate in self._found:
                return self._within(candidate, unquote(target.fragment))
        return None

    def _within(self, path: str, fragment: str) -> str:
        if not fragment or is_line_fragment(fragment) or not is_markdown(path):
            return path
        if f"{path}#{fragment}" in self._found:
            return f"{path}#{fragment}"
        if path not in self._pages:
            self._pages[path] = TargetPage.of_nodes(self._store.document(path))
        return self._pages[path].find(fragment) or path

    def _target(self, raw: str) -> Target:
        return target_of(raw, self._path, self._store.web)

    def _targets(self, written: Iterable[str]) -> list[Target]:
        return [self._target(raw) for raw in dict.fromkeys(written)]


def _candidates(targets: Iterable[Target]) -> set[str]:
    ids: set[str] = set()
    for target in targets:
        if target.path is not None:
            ids |= {target.path, target.path.rstrip("/") + "/", f"{target.path}#{unquote(target.fragment)}"}
    return ids


def _mentions(store: Store, path: str) -> dict[str, str]:
    ends = store.links_of(path) if path else ()
    ids = [(end.target.reference_id, end.target.id) for end in ends if end.kind is LinkKind.MENTION]
    return {reference_id: node_id for reference_id, node_id in reversed(ids) if reference_id}


def _neighbours(store: Store, node: Node) -> tuple[Node | None, Node | None]:
    """The nodes to go on to: siblings, else those beside the nearest node above that has some."""
    way: Sequence[Node] = (*store.ancestors(node), node)
    previous = following = None
    for step in reversed(way):
        before, after = store.beside(step)
        previous, following = previous or before, following or after
        if previous and following:
            break
    return previous, following
