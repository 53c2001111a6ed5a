"""Spaces as a wiki shows them: home pages in order, the labels of each, and the pages that have one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from brain.forms.parameters import Door
from brain.forms.queries import Query
from brain.forms.vocabulary import LABEL, OFFSET, SPACE
from brain.markdown.front_matter import clean_label
from brain.store import Store
from brain.store.homes import documents_by_space, homes, labels_by_space
from brain.tree.nodes import Node
from members.models import Project

WINDOW = 50  # pages of a list
LABELS = 24  # of a space that are shown, the most frequent first


@dataclass(frozen=True, slots=True, kw_only=True)
class PagesQuery(Query):
    """Which pages to list: of a space, with a label, or both."""

    space: str = ""
    label: str = ""
    offset: int = 0

    PARAMETERS: ClassVar = {Door.PORTAL: (SPACE, LABEL, OFFSET)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Space:
    """A space with what its documents are labelled with."""

    home: Node
    documents: int
    labels: tuple[tuple[str, int], ...]  # with how many documents have each
    more_labels: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Pages:
    """A window of the documents of a space or with a label."""

    space: str  # its key as it is stored
    home: Node | None
    label: str
    nodes: tuple[Node, ...]
    total: int
    offset: int
    limit: int = WINDOW

    @property
    def end(self) -> int:
        """Where the window ends."""
        return self.offset + len(self.nodes)


def spaces_of(store: Store, project: Project) -> tuple[Space, ...]:
    """The spaces of the indexed commit. Raises BrainOff or NotBuilt."""
    store.require_tree()
    documents, labels = documents_by_space(project), labels_by_space(project)
    return tuple(
        Space(
            home=home,
            documents=documents.get(home.space, 0),
            labels=tuple(labels.get(home.space, ())[:LABELS]),
            more_labels=max(0, len(labels.get(home.space, ())) - LABELS),
        )
        for home in homes(project)
    )


def pages_of(store: Store, project: Project, query: PagesQuery) -> Pages:
    """The documents that the query asks for, in path order. Raises BrainOff or NotBuilt."""
    store.require_tree()
    space, label = query.space.upper(), clean_label(query.label)
    is_nothing = bool(query.label) and not label
    paths = [] if is_nothing else store.paths_with(space=space, label=label)
    shown = paths[query.offset : query.offset + WINDOW]
    nodes = store.nodes(shown)
    return Pages(
        space=space,
        home=next((home for home in homes(project) if home.space == space), None) if space else None,
        label=label or query.label,
        nodes=tuple(nodes[path] for path in shown if path in nodes),
        total=len(paths),
        offset=query.offset,
    )
