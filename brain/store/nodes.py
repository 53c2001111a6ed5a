"""The questions about nodes alone, answered from rows; `database.py` adds links, texts and the state."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from brain import models
from brain.store.fetching import nodes_by_key, nodes_where
from brain.store.placing import holding, ways
from brain.store.protocol import Place
from brain.tree.forks import Sign, sign_of
from brain.tree.names import text_key
from brain.tree.nodes import ROOT, Kind, Node, key_of

MANY = 100  # nodes of one name that a look-up can choose from

_LEVEL = "parent = %(parent)s"
_AROUND = """document = %(document)s AND level > 0 AND level < %(level)s
    AND line_start < %(line)s AND subtree_end >= %(line)s ORDER BY line_start"""
_PLACE = "(sort, coalesce(line_start, 0))"
_ITS = """(SELECT sort, coalesce(line_start, 0) FROM brain_node
    WHERE source_id = %(source)s AND key = %(key)s)"""
_BEFORE = f"{_LEVEL} AND {_PLACE} < {_ITS} ORDER BY sort DESC, line_start DESC LIMIT 1"
_AFTER = f"{_LEVEL} AND {_PLACE} > {_ITS} ORDER BY sort, line_start LIMIT 1"
_FIRST = """key IN (
        SELECT key FROM (
            SELECT key, row_number() OVER (PARTITION BY parent ORDER BY sort, line_start) AS rank
            FROM brain_node WHERE source_id = %(source)s AND parent = ANY(%(parents)s)
        ) ranked WHERE rank <= %(most)s
    ) ORDER BY parent, sort, line_start"""
_IN_ORDER = "ORDER BY path, line_start NULLS FIRST LIMIT %(many)s"


class NodeRows:
    """The nodes of one source."""

    def __init__(self, source: models.Source) -> None:
        self._source = source

    def node(self, node_id: str) -> Node | None:
        """The node of this id."""
        return self._first("key = %(key)s", key=key_of(node_id))

    def nodes(self, node_ids: Iterable[str]) -> Mapping[str, Node]:
        """Those of these nodes that there are, by id."""
        found = nodes_by_key(self._source.pk, [key_of(node_id) for node_id in node_ids])
        return {node.id: node for node in found.values()}

    def beside(self, node: Node) -> tuple[Node | None, Node | None]:
        """The nodes before and after it under the same parent."""
        if node.parent is None:
            return None, None
        place = {"parent": key_of(node.parent), "key": key_of(node.id)}
        return self._first(_BEFORE, **place), self._first(_AFTER, **place)

    def ancestors(self, node: Node) -> Sequence[Node]:
        """The nodes above, the root first."""
        if node.id == ROOT:
            return []
        folders = [node.path[: end + 1] for end, letter in enumerate(node.path) if letter == "/"]
        above = self.nodes(one for one in (ROOT, *folders, node.path) if one != node.id)
        return [*sorted(above.values(), key=lambda one: len(one.path)), *self._sections_around(node)]

    def ways(self, nodes: Iterable[Node]) -> Mapping[str, Sequence[Node]]:
        """The nodes above each of these, the root first, by the id of each."""
        return ways(self._source, nodes)

    def holding(self, places: Iterable[Place]) -> Mapping[Place, Node]:
        """The deepest node whose own lines hold each of these lines."""
        return holding(self._source, places)

    def children(self, node_id: str, offset: int, limit: int) -> Sequence[Node]:
        """A window of the nodes directly under one, in tree order."""
        window = f"{_LEVEL} ORDER BY sort, line_start LIMIT %(limit)s OFFSET %(offset)s"
        return self._where(window, parent=key_of(node_id), limit=limit, offset=offset)

    def signs(self, node_id: str) -> Sequence[tuple[str, Sign]]:
        """What every node directly under one shows, by its id, in tree order."""
        rows = models.Node.objects.filter(source=self._source, parent=key_of(node_id))
        columns = ("kind", "path", "title", "summary", "size")
        level = rows.order_by("sort", "line_start").values_list("node_id", *columns)
        return [(row[0], sign_of(*row[1:])) for row in level]

    def first_children(self, node_ids: Iterable[str], limit: int) -> Mapping[str, Sequence[Node]]:
        """The first nodes under each of these."""
        below: dict[str, list[Node]] = {}
        for node in self._where(_FIRST, parents=[key_of(node_id) for node_id in node_ids], most=limit):
            below.setdefault(node.parent or "", []).append(node)
        return below

    def document(self, path: str) -> Sequence[Node]:
        """A document's nodes in order, itself first."""
        return self._where("document = %(document)s ORDER BY line_start, level", document=key_of(path))

    def documents(self) -> Mapping[str, str]:
        """The blob of every document by its path, in path order."""
        rows = models.Node.objects.filter(source=self._source, kind=Kind.DOCUMENT).order_by("path")
        return dict(rows.values_list("path", "blob"))

    def paths_with(self, *, space: str = "", label: str = "") -> Sequence[str]:
        """The paths of the documents in this space that have this label, in path order."""
        rows = models.Node.objects.filter(source=self._source, kind=Kind.DOCUMENT).order_by("path")
        if space:
            rows = rows.filter(space=space)
        if label:
            rows = rows.filter(labels__contains=[label])
        return list(rows.values_list("path", flat=True))

    def by_reference(self, reference_id: str) -> Sequence[Node]:
        """The nodes that define a reference id, in any case."""
        return self._in_order("reference_key = %(key)s", text_key(reference_id))

    def by_references(self, reference_ids: Iterable[str]) -> Sequence[Node]:
        """The nodes that define one of these reference ids, in any case."""
        keys = [text_key(reference_id) for reference_id in reference_ids]
        return self._where(f"reference_key = ANY(%(keys)s) {_IN_ORDER}", keys=keys, many=MANY)

    def by_name(self, stem: str) -> Sequence[Node]:
        """The documents and folders of this name, in any case."""
        return self._in_order("name_key = %(key)s", text_key(stem))

    def by_number(self, number: int) -> Sequence[Node]:
        """The documents and folders whose name starts with this number."""
        return self._in_order("number = %(key)s", number)

    def by_title(self, title: str) -> Sequence[Node]:
        """The nodes of this title, in any case."""
        return self._in_order("title_key = %(key)s", text_key(title))

    def _sections_around(self, node: Node) -> list[Node]:
        if node.lines is None or node.kind is Kind.DOCUMENT:
            return []
        place = {"document": key_of(node.path), "level": node.level, "line": node.lines.start}
        return self._where(_AROUND, **place)

    def _in_order(self, condition: str, key: int) -> list[Node]:
        return self._where(f"{condition} {_IN_ORDER}", key=key, many=MANY)

    def _first(self, where: str, **values: Any) -> Node | None:
        return next(iter(self._where(where, **values)), None)

    def _where(self, where: str, **values: Any) -> list[Node]:
        return nodes_where(self._source.pk, where, **values)
