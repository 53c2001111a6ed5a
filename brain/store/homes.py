"""The spaces of an indexed commit: their home pages, and what the documents of each are labelled with."""

from __future__ import annotations

from brain.store.fetching import nodes_where
from brain.store.sources import source_as_it_is
from brain.tree.nodes import Node
from members.models import Project
from repositories.statements import ask

_WIKI = "SELECT wiki FROM brain_source WHERE project_id = %s"
_HOMES = """kind = 'document' AND home @> '{"home": true}' ORDER BY "order" NULLS LAST, space, path"""
_DOCUMENTS = """
    SELECT space, count(*) FROM brain_node
    WHERE source_id = %s AND kind = 'document' AND space <> '' GROUP BY space
"""
_LABELS = """
    SELECT space, label, count(*) FROM brain_node, unnest(labels) label
    WHERE source_id = %s AND kind = 'document' AND space <> '' GROUP BY space, label
    ORDER BY space, count(*) DESC, label COLLATE "C"
"""


def has_wiki(project: Project) -> bool:
    """Whether the project's wiki is on."""
    rows = ask(_WIKI, [project.pk])
    return bool(rows and rows[0][0])


def homes(project: Project) -> list[Node]:
    """The home page of every space, in the order that they ask for, then by key."""
    source = source_as_it_is(project)
    return nodes_where(source.pk, _HOMES) if source.pk else []


def documents_by_space(project: Project) -> dict[str, int]:
    """How many documents each space holds, by its key."""
    return dict(ask(_DOCUMENTS, [source_as_it_is(project).pk]))


def labels_by_space(project: Project) -> dict[str, list[tuple[str, int]]]:
    """The labels of each space's documents with how many have them, the most frequent first."""
    found: dict[str, list[tuple[str, int]]] = {}
    for space, label, count in ask(_LABELS, [source_as_it_is(project).pk]):
        found.setdefault(space, []).append((label, count))
    return found
