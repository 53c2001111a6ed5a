"""The tree of a project, asked in the database on one snapshot."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property

from django.db import connection, transaction
from django.db.models import F, Q, QuerySet, Window
from django.db.models.functions import RowNumber

from brain import models
from brain.errors import BrainOff, CommitUnavailable, NotBuilt
from brain.markdown.problems import Problem, place_of
from brain.store.incoming import incoming_links
from brain.store.protocol import BrokenLists, Ends, Envelope, Standing, Written
from brain.store.rows import node_of
from brain.store.sources import source_as_it_is
from brain.store.standing import envelope_of, standing_of
from brain.tree.names import text_key
from brain.tree.nodes import ROOT, BrokenAnchor, BrokenLink, Kind, LinkKind, Node, key_of
from brain.tree.scope import LeftOut
from brain.tree.targets import web_prefixes
from members.models import Project
from repositories import mirrors, reader
from repositories.errors import CommitMissing, MirrorDamaged


@contextmanager
def database_store(project: Project) -> Iterator[DatabaseStore]:
    """The project's tree on one snapshot: whatever is built meanwhile, all answers are of one commit."""
    with transaction.atomic():
        if len(connection.savepoint_ids) == 0:
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        yield DatabaseStore(project)


class DatabaseStore:
    """A Store over the rows of one project."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._source = source_as_it_is(project)

    @cached_property
    def envelope(self) -> Envelope:
        """The facts of freshness."""
        return envelope_of(self._project, self._source)

    @property
    def web(self) -> Sequence[str]:
        """How web addresses of the branch's files begin."""
        repository = self._project.repository
        return web_prefixes(repository.web_address, self._source.branch) if repository else ()

    @property
    def standing(self) -> Standing:
        """The state of the Brain."""
        return standing_of(self._project, self._source)

    def require_tree(self) -> None:
        """Raises BrainOff or NotBuilt when there is no tree to read."""
        if not self._source.enabled:
            raise BrainOff("The Brain of this project is turned off. A maintainer can turn it on.")
        if not self._source.commit:
            raise NotBuilt(
                f"The Brain is {self._source.state}: no build has succeeded yet. Ask again after one."
            )

    def node(self, node_id: str) -> Node | None:
        """The node of this id."""
        return _first(self._nodes.filter(key=key_of(node_id)))

    def nodes(self, node_ids: Iterable[str]) -> Mapping[str, Node]:
        """Those of these nodes that there are, by id."""
        return {node.id: node for node in _all(self._nodes.filter(key__in=[key_of(one) for one in node_ids]))}

    def beside(self, node: Node) -> tuple[Node | None, Node | None]:
        """The nodes before and after it under the same parent."""
        if node.parent is None:
            return None, None
        level = self._nodes.filter(parent=key_of(node.parent))
        row = level.get(key=key_of(node.id))
        line = row.line_start or 0
        before = level.filter(Q(sort__lt=row.sort) | Q(sort=row.sort, line_start__lt=line))
        after = level.filter(Q(sort__gt=row.sort) | Q(sort=row.sort, line_start__gt=line))
        return _first(before.order_by("-sort", "-line_start")), _first(after.order_by("sort", "line_start"))

    def ancestors(self, node: Node) -> Sequence[Node]:
        """The nodes above, the root first."""
        folders = [node.path[: end + 1] for end, letter in enumerate(node.path) if letter == "/"]
        above = [ROOT, *folders, node.path]
        nodes = _all(
            self._nodes.filter(key__in=[key_of(identity) for identity in above if identity != node.id])
        )
        found = sorted((one for one in nodes if one.id != node.id), key=lambda one: len(one.path))
        return [*found, *self._sections_around(node)] if node.id != ROOT else []

    def children(self, node_id: str, offset: int, limit: int) -> Sequence[Node]:
        """A window of the nodes directly under one, in tree order."""
        rows = self._nodes.filter(parent=key_of(node_id)).order_by("sort", "line_start")
        return _all(rows[offset : offset + limit])

    def first_children(self, node_ids: Iterable[str], limit: int) -> Mapping[str, Sequence[Node]]:
        """The first nodes under each of these."""
        rank = Window(RowNumber(), partition_by="parent", order_by=["sort", "line_start"])
        rows = self._nodes.filter(parent__in=[key_of(node_id) for node_id in node_ids])
        first = rows.annotate(rank=rank).filter(rank__lte=limit).order_by("parent", "rank")
        below: dict[str, list[Node]] = {}
        for node in _all(first):
            below.setdefault(node.parent or "", []).append(node)
        return below

    def document(self, path: str) -> Sequence[Node]:
        """A document's nodes in order, itself first."""
        return _all(self._nodes.filter(document=key_of(path)).order_by("line_start", "level"))

    def outgoing(self, node_id: str, limit: int) -> Sequence[Ends]:
        """The first links a node makes, in order of position."""
        rows = self._links.filter(from_node=key_of(node_id)).order_by("position")
        return self._ends(list(rows[:limit]))

    def incoming(self, node_id: str, offset: int, limit: int, *, page: bool) -> tuple[Sequence[Ends], int]:
        """A window of the links to a node, by path and line of where they stand, and how many there are."""
        links, total = incoming_links(self._source, node_id, offset, limit, page=page)
        return self._ends(links), total

    def links_of(self, path: str) -> Sequence[Ends]:
        """The links that a document's nodes make, by line."""
        keys = self._nodes.filter(document=key_of(path)).values("key")
        return self._ends(list(self._links.filter(from_node__in=keys).order_by("line", "position")))

    def written_links(self, path: str) -> Sequence[Written]:
        """Every Markdown link of a document as written, in order."""
        rows = models.Ref.objects.filter(source=self._source, document=key_of(path), kind=LinkKind.LINK)
        return [Written(*row) for row in rows.order_by("position").values_list("target", "line")]

    def broken(self) -> BrokenLists:
        """What leads nowhere."""
        lists = self._source.broken
        return BrokenLists(
            links=tuple(BrokenLink(*row) for row in lists.get("links", ())),
            truncated=lists.get("truncated", False),
            anchors=tuple(BrokenAnchor(*row) for row in lists.get("anchors", ())),
            anchors_truncated=lists.get("anchorsTruncated", False),
        )

    def problems(self) -> Sequence[Problem]:
        """What a writer can mend, by path, line and code."""
        rows = models.Problem.objects.filter(source=self._source)
        columns = rows.values_list("path", "line", "code", "message", "severity")
        return sorted((Problem(*row) for row in columns), key=place_of)

    def left_out(self) -> Sequence[LeftOut]:
        """The Markdown files that a limit kept out of the index."""
        return [LeftOut(**left) for left in self._source.left_out]

    def by_reference(self, reference_id: str) -> Sequence[Node]:
        """The nodes that define a reference id, in any case."""
        return self._in_order(self._nodes.filter(reference_key=text_key(reference_id)))

    def by_name(self, stem: str) -> Sequence[Node]:
        """The documents and folders of this name, in any case."""
        return self._in_order(self._nodes.filter(name_key=text_key(stem)))

    def by_number(self, number: int) -> Sequence[Node]:
        """The documents and folders whose name starts with this number."""
        return self._in_order(self._nodes.filter(number=number))

    def by_title(self, title: str) -> Sequence[Node]:
        """The nodes of this title, in any case."""
        return self._in_order(self._nodes.filter(title_key=text_key(title)))

    def blob(self, node: Node) -> bytes:
        """The bytes of the document a node stands in, read by the blob that was indexed."""
        repository = self._project.repository
        document = node if node.kind is Kind.DOCUMENT else self.node(node.path)
        if repository is None or document is None:
            raise CommitUnavailable("The project has no repository to read the text from.")
        try:
            return reader.blob(repository.mirror, document.blob)
        except CommitMissing as error:
            raise CommitUnavailable(
                "The mirror lacks the indexed commit; the next sync brings it back."
            ) from error
        except MirrorDamaged:
            mirrors.report_damage(repository)
            raise

    @property
    def _nodes(self) -> QuerySet[models.Node]:
        return models.Node.objects.filter(source=self._source)

    @property
    def _links(self) -> QuerySet[models.Link]:
        return models.Link.objects.filter(source=self._source)

    def _in_order(self, rows: QuerySet[models.Node]) -> list[Node]:
        return _all(rows.order_by("path", F("line_start").asc(nulls_first=True))[:_MANY])

    def _sections_around(self, node: Node) -> list[Node]:
        if node.lines is None or node.kind is Kind.DOCUMENT:
            return []
        rows = self._nodes.filter(document=key_of(node.path), level__gt=0, level__lt=node.level)
        around = rows.filter(line_start__lt=node.lines.start, subtree_end__gte=node.lines.start)
        return _all(around.order_by("line_start"))

    def _ends(self, links: Sequence[models.Link]) -> list[Ends]:
        keys = {link.from_node for link in links} | {link.to_node for link in links}
        nodes = {row.key: node_of(row) for row in self._nodes.filter(key__in=keys)}
        return [
            Ends(nodes[link.from_node], nodes[link.to_node], LinkKind(link.kind), link.line)
            for link in links
            if link.from_node in nodes and link.to_node in nodes
        ]


_MANY = 100  # nodes of one name that a look-up can choose from


def _all(rows: QuerySet[models.Node]) -> list[Node]:
    return [node_of(row) for row in rows]


def _first(rows: QuerySet[models.Node]) -> Node | None:
    row = rows.first()
    return node_of(row) if row else None
