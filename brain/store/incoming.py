"""The links to a node, in the order of the places they stand in."""

from __future__ import annotations

from typing import Any

from brain import models
from brain.tree.nodes import key_of
from repositories.statements import ask

# Links have no foreign keys, so that a build may rewrite a node without its links: joined by hand.
_LINK_COLUMNS = "SELECT link.from_node, link.to_node, link.kind, link.line, count(*) OVER ()"
_INCOMING = """
    FROM brain_link link
    JOIN brain_node place ON place.source_id = link.source_id AND place.key = link.from_node
    WHERE link.source_id = %(source)s
"""
_TO_NODE = "AND link.to_node = %(node)s"
_TO_DOCUMENT = """
    AND link.to_node IN (SELECT key FROM brain_node WHERE source_id = %(source)s AND document = %(document)s)
"""
_FROM_ELSEWHERE = "AND place.document <> %(document)s"
_BY_PLACE = "ORDER BY place.path, link.line, link.position LIMIT %(limit)s OFFSET %(offset)s"


def incoming_links(
    source: models.Source, node_id: str, offset: int, limit: int, *, page: bool
) -> tuple[list[models.Link], int]:
    """A window of the links to a node, by path and line of where they stand, and how many there are.

    `page`: the links from other documents, to a document's headings and cards too.
    """
    where = _TO_NODE
    if page:
        where = f"{_TO_NODE if '#' in node_id else _TO_DOCUMENT} {_FROM_ELSEWHERE}"
    document = key_of(node_id.partition("#")[0])
    values: dict[str, Any] = {"source": source.pk, "node": key_of(node_id), "document": document}
    window = f"{_LINK_COLUMNS} {_INCOMING} {where} {_BY_PLACE}"
    rows = ask(window, values | {"limit": limit, "offset": offset})
    total = rows[0][4] if rows else 0
    if not rows and offset:  # a window behind the last link
        total = ask(f"SELECT count(*) {_INCOMING} {where}", values)[0][0]
    links = [models.Link(from_node=row[0], to_node=row[1], kind=row[2], line=row[3]) for row in rows]
    return links, total
