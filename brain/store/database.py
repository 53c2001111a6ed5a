"""The tree of a project, asked in the database on one snapshot."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path

from django.db import connection, transaction
from django.db.models import QuerySet
from psycopg import IsolationLevel

from brain import models, snapshots
from brain.errors import BrainOff, CommitUnavailable, NotBuilt
from brain.markdown.problems import Problem, place_of
from brain.snapshots import Texts
from brain.store.fetching import nodes_by_key
from brain.store.incoming import incoming_links
from brain.store.nodes import NodeRows
from brain.store.protocol import BrokenLists, Ends, Envelope, Git, Ranked, Standing, Written
from brain.store.searching import ranked
from brain.store.sources import settings_of, source_as_it_is
from brain.store.standing import envelope_of, standing_of
from brain.tree.assembly import BUILDER_VERSION, RULES_VERSION
from brain.tree.nodes import BrokenAnchor, BrokenLink, Kind, LinkKind, Node, key_of
from brain.tree.scope import LeftOut
from brain.tree.targets import web_prefixes
from members.models import Project
from repositories import mirrors, reader
from repositories.errors import CommitMissing, MirrorDamaged


@contextmanager
def database_store(project: Project) -> Iterator[DatabaseStore]:
    """The project's tree on one snapshot: whatever is built meanwhile, all answers are of one commit."""
    try:
        with _one_snapshot(), transaction.atomic():
            yield DatabaseStore(project)
    except MirrorDamaged:
        if project.repository:
            mirrors.report_damage(project.repository)
        raise


@contextmanager
def _one_snapshot() -> Iterator[None]:
    """Let the next transaction see the database as it is when it begins; one that has begun goes on."""
    connection.ensure_connection()
    if connection.in_atomic_block:
        yield
        return
    session = connection.connection
    session.isolation_level = IsolationLevel.REPEATABLE_READ
    try:
        yield
    finally:
        if not session.closed:
            session.isolation_level = None


class DatabaseStore(NodeRows):
    """A Store over the rows of one project."""

    def __init__(self, project: Project) -> None:
        super().__init__(source_as_it_is(project))
        self._project = project

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

    @property
    def stamp(self) -> str:
        """What every answer depends on besides its question."""
        source, envelope = self._source, self.envelope
        told = (BUILDER_VERSION, source.pk, source.commit, source.tree_hash, source.built_at, envelope.tip)
        return f"{told!r} {envelope.state}"

    @property
    def git(self) -> Git | None:
        """The mirror with the indexed commit."""
        repository = self._project.repository
        scope = settings_of(self._source).scope
        return Git(repository.mirror, self._source.commit, scope) if repository else None

    def require_tree(self) -> None:
        """Raises BrainOff or NotBuilt when there is no tree to read."""
        if not self._source.enabled:
            raise BrainOff(
                "The Brain of this project is turned off. A maintainer can turn it on.",
                state=models.State.OFF,
            )
        if not self._source.commit:
            state = self._source.state
            raise NotBuilt(
                f"The Brain is {state}: no build has succeeded yet. {NEXT.get(state, '')}", state=state
            )
        if self._source.builder < RULES_VERSION:
            raise NotBuilt(
                "What is never indexed has changed since this Brain was built; the next build shows it. "
                f"{NEXT[models.State.NOT_BUILT]}",
                state=self._source.state,
            )

    def ranked(self, query: str, under: Node | None, offset: int, limit: int) -> tuple[Sequence[Ranked], int]:
        """A window of the nodes that meet the words, best first, and how many there are."""
        return ranked(self._source, query, under, offset, limit)

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
        nodes = models.Node.objects.filter(source=self._source, document=key_of(path))
        keys = nodes.values("key")
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

    def texts(self) -> Texts:
        """The text of every document: the snapshot, or one made anew from the blobs that were indexed."""
        path = snapshots.path_of(self._source.pk, self._source.commit)
        return snapshots.texts_at(path, self._source.tree_hash, self.documents, self._blobs)

    def blob(self, node: Node) -> bytes:
        """The bytes of the document a node stands in, read by the blob that was indexed."""
        document = node if node.kind is Kind.DOCUMENT else self.node(node.path)
        with self._mirror() as mirror:
            if document is None:
                raise CommitUnavailable("The indexed commit has no document to read the text from.")
            return reader.blob(mirror, document.blob)

    def _blobs(self) -> Iterator[tuple[str, bytes]]:
        documents = self.documents()
        with self._mirror() as mirror:
            blobs = reader.blobs(mirror, documents.values())
            for path, (_, blob) in zip(documents, blobs, strict=True):
                yield path, blob

    @contextmanager
    def _mirror(self) -> Iterator[Path]:
        """The mirror to read blobs of; what it lacks is told as a read tells it."""
        repository = self._project.repository
        if repository is None:
            raise CommitUnavailable("The project has no repository to read the text from.")
        try:
            yield repository.mirror
        except CommitMissing as error:
            raise CommitUnavailable(
                "The mirror lacks the indexed commit; the next sync brings it back."
            ) from error

    @property
    def _links(self) -> QuerySet[models.Link]:
        return models.Link.objects.filter(source=self._source)

    def _ends(self, links: Sequence[models.Link]) -> list[Ends]:
        keys = {link.from_node for link in links} | {link.to_node for link in links}
        nodes = nodes_by_key(self._source.pk, list(keys))
        return [
            Ends(nodes[link.from_node], nodes[link.to_node], LinkKind(link.kind), link.line)
            for link in links
            if link.from_node in nodes and link.to_node in nodes
        ]


NEXT: dict[str, str] = {  # what to do while there is no tree
    models.State.NOT_BUILT: "A maintainer starts one.",
    models.State.QUEUED: "One is about to start; ask again in half a minute.",
    models.State.INDEXING: "One is running; ask again in half a minute.",
    models.State.FAILED: "The status says why the last one failed; a maintainer starts the next.",
}
