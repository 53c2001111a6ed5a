"""A built tree becomes rows, in one transaction that checks that nothing moved meanwhile."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

from django.db import connection, transaction
from django.utils import timezone

from brain import models
from brain.errors import BuildFailed
from brain.markdown.problems import Problem
from brain.store.rows import (
    LINK_COLUMNS,
    NODE_COLUMNS,
    PROBLEM_COLUMNS,
    REF_COLUMNS,
    Row,
    link_rows,
    node_row,
    problem_row,
    ref_rows,
)
from brain.store.sources import DELETED, MOVED
from brain.store.staging import Staging
from brain.tree.assembly import BUILDER_VERSION, Tree
from brain.tree.digests import digests_of, hash_of
from brain.tree.scope import LeftOut

MAX_LEFT_OUT = 5_000  # files that are named; the count is always whole


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """What a build hands over to be stored."""

    source: models.Source  # as it was when the build began
    commit: str
    tree: Tree
    settings_hash: str
    problems: tuple[Problem, ...]  # the tree's, and those found on the way
    left_out: tuple[LeftOut, ...]
    truncated: bool  # the commit holds more files than a build looks at

    @property
    def counts(self) -> dict[str, int]:
        """How much there is of each kind."""
        return self.tree.counts | {"problems": len(self.problems), "leftOut": len(self.left_out)}


def replace_tree(built: Built, staging: Staging) -> None:
    """Store the tree in place of the old one.

    Raises BuildFailed when the project, its branch or its tree changed since the build began.
    """
    tree = built.tree
    with transaction.atomic():
        source = unmoved(built.source)
        _clear(source.pk)
        with staging.moving(source.pk):
            digests = digests_of(tree)
            source.tree_hash = hash_of(tree, digests)
        nodes = (node_row(source.pk, node, digests.get(node.id)) for node in tree.nodes)
        copy_rows("brain_node", NODE_COLUMNS, nodes)
        copy_rows("brain_link", LINK_COLUMNS, link_rows(source.pk, tree.linked.links))
        refs = (ref_rows(source.pk, one, tree.linked.goals[one.path]) for one in tree.documents.values())
        copy_rows("brain_ref", REF_COLUMNS, chain.from_iterable(refs))
        copy_rows("brain_problem", PROBLEM_COLUMNS, (problem_row(source.pk, one) for one in built.problems))
        _note(source, built)


def settle() -> None:
    """Let PostgreSQL put away what a large tree left to do: each search would pay for it until then."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT gin_clean_pending_list('text_vector')")
        cursor.execute("ANALYZE brain_node, brain_link, brain_ref, brain_text")


def unmoved(began: models.Source) -> models.Source:
    """The row of the source, locked; raises BuildFailed when it is not as it was when the build began."""
    source = models.Source.objects.select_for_update().filter(pk=began.pk).first()
    if source is None:
        raise BuildFailed(DELETED, "The project was deleted while its Brain was built.")
    moved = ("generation", "branch", "enabled", "commit")
    if any(getattr(source, name) != getattr(began, name) for name in moved):
        raise BuildFailed(MOVED, "The Brain was changed while it was built; build it again.")
    return source


def require_unmoved(began: models.Source) -> None:
    """Raises BuildFailed when the source is not as it was when the build began."""
    with transaction.atomic():
        unmoved(began)


def _clear(source_id: int) -> None:
    with connection.cursor() as cursor:
        for table in ("brain_node", "brain_link", "brain_ref", "brain_text", "brain_problem"):
            cursor.execute(f"DELETE FROM {table} WHERE source_id = %s", [source_id])  # noqa: S608


def copy_rows(table: str, columns: Sequence[tuple[str, str]], rows: Iterable[Row]) -> None:
    """Append rows by binary COPY."""
    names = ", ".join(f'"{name}"' for name, _ in columns)
    with (
        connection.wrap_database_errors,  # the driver's own errors become Django's, as everywhere
        connection.cursor() as cursor,
        cursor.copy(f"COPY {table} ({names}) FROM STDIN (FORMAT BINARY)") as copy,
    ):
        copy.set_types([kind for _, kind in columns])
        for row in rows:
            copy.write_row(row)


def note_ready(
    source: models.Source, *, commit: str, counts: dict[str, int], left_out: Sequence[LeftOut]
) -> None:
    """Note in the locked row, without saving it, that its tree is that of the commit."""
    source.state = models.State.QUEUED if source.wanted else models.State.READY
    source.error = ""
    source.progress = source.running = None
    source.attempts = 0
    source.commit = source.attempted_commit = commit
    source.built_at = timezone.now()
    source.counts = counts
    source.left_out = [left._asdict() for left in left_out[:MAX_LEFT_OUT]]


def _note(source: models.Source, built: Built) -> None:
    tree, linked = built.tree, built.tree.linked
    note_ready(source, commit=built.commit, counts=built.counts, left_out=built.left_out)
    source.whole_built_at = source.built_at
    source.last_build = "whole"
    source.incremental_builds = 0
    source.refs_complete = True
    source.builder = BUILDER_VERSION
    source.settings_hash = built.settings_hash
    source.broken = {
        "links": [[broken.source, broken.target, broken.line] for broken in linked.broken],
        "truncated": linked.truncated,
        "anchors": [[found.source, found.line, found.target, found.suggestion] for found in linked.anchors],
        "anchorsTruncated": linked.anchors_truncated,
    }
    source.basis = {
        "claims": [[path, *claim] for path, claim in sorted(tree.claims.items())],
        "costs": linked.costs,
        "truncated": built.truncated,
    }
    source.save()
