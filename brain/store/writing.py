"""A built tree becomes rows, in one transaction that checks that nothing moved meanwhile."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from brain import models
from brain.errors import BuildFailed
from brain.markdown.problems import Problem
from brain.store.rows import NODE_COLUMNS, node_row, row_key
from brain.store.staging import Staging
from brain.tree.assembly import BUILDER_VERSION, Tree
from brain.tree.canonical import tree_hash
from brain.tree.scope import LeftOut
from brain.tree.targets import node_id

MAX_LEFT_OUT = 5_000  # files that are named; the count is always whole

_LINK_COLUMNS = (
    ("source_id", "int8"),
    ("from_node", "uuid"),
    ("position", "int4"),
    ("to_node", "uuid"),
    ("kind", "varchar"),
    ("line", "int4"),
)
_REF_COLUMNS = (
    ("source_id", "int8"),
    ("document", "uuid"),
    ("position", "int4"),
    ("anchor", "text"),
    ("kind", "varchar"),
    ("target", "text"),
    ("line", "int4"),
)
_PROBLEM_COLUMNS = (
    ("source_id", "int8"),
    ("path", "text"),
    ("line", "int4"),
    ("code", "varchar"),
    ("severity", "varchar"),
    ("message", "varchar"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """What a build hands over to be stored."""

    source: models.Source  # as it was when the build began
    commit: str
    tree: Tree
    settings_hash: str
    problems: tuple[Problem, ...]  # the tree's, and those found on the way
    left_out: tuple[LeftOut, ...]

    @property
    def counts(self) -> dict[str, int]:
        """How much there is of each kind."""
        return self.tree.counts | {"problems": len(self.problems), "leftOut": len(self.left_out)}


def replace_tree(built: Built, staging: Staging) -> None:
    """Store the tree in place of the old one.

    Raises BuildFailed when the project, its branch or its tree changed since the build began.
    """
    with transaction.atomic():
        source = _unmoved(built.source)
        _clear(source.pk)
        with staging.moving(source.pk):
            source.tree_hash = tree_hash(built.tree)
        _copy("brain_node", NODE_COLUMNS, (node_row(source.pk, node) for node in built.tree.nodes))
        _copy("brain_link", _LINK_COLUMNS, _link_rows(source.pk, built.tree))
        _copy("brain_ref", _REF_COLUMNS, _ref_rows(source.pk, built.tree))
        _copy("brain_problem", _PROBLEM_COLUMNS, _problem_rows(source.pk, built.problems))
        _note(source, built, timezone.now())


def settle() -> None:
    """Let PostgreSQL put away what a large tree left to do: each search would pay for it until then."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT gin_clean_pending_list('text_vector')")
        cursor.execute("ANALYZE brain_node, brain_link, brain_text")


def _unmoved(began: models.Source) -> models.Source:
    source = models.Source.objects.select_for_update().filter(pk=began.pk).first()
    if source is None:
        raise BuildFailed("deleted", "The project was deleted while its Brain was built.")
    moved = ("generation", "branch", "enabled", "commit")
    if any(getattr(source, name) != getattr(began, name) for name in moved):
        raise BuildFailed("moved", "The Brain was changed while it was built; build it again.")
    return source


def _clear(source_id: int) -> None:
    with connection.cursor() as cursor:
        for table in ("brain_node", "brain_link", "brain_ref", "brain_text", "brain_problem"):
            cursor.execute(f"DELETE FROM {table} WHERE source_id = %s", [source_id])  # noqa: S608


def _copy(table: str, columns: Iterable[tuple[str, str]], rows: Iterable[tuple[Any, ...]]) -> None:
    names = ", ".join(f'"{name}"' for name, _ in columns)
    with (
        connection.cursor() as cursor,
        cursor.copy(f"COPY {table} ({names}) FROM STDIN (FORMAT BINARY)") as copy,
    ):
        copy.set_types([kind for _, kind in columns])
        for row in rows:
            copy.write_row(row)


def _link_rows(source_id: int, tree: Tree) -> Iterator[tuple[Any, ...]]:
    positions: dict[str, int] = {}
    for link in tree.linked.links:
        position = positions.get(link.source, 0)
        positions[link.source] = position + 1
        yield source_id, row_key(link.source), position, row_key(link.target), link.kind.value, link.line


def _ref_rows(source_id: int, tree: Tree) -> Iterator[tuple[Any, ...]]:
    for document in tree.documents.values():
        key = row_key(node_id(document.path, ""))
        for position, reference in enumerate(document.references):
            yield source_id, key, position, *reference


def _problem_rows(source_id: int, problems: Iterable[Problem]) -> Iterator[tuple[Any, ...]]:
    for problem in problems:
        yield source_id, problem.path, problem.line, problem.code, problem.severity, problem.message[:500]


def _note(source: models.Source, built: Built, now: datetime) -> None:
    linked = built.tree.linked
    source.state = models.State.READY
    source.error = ""
    source.progress = None
    source.attempts = 0
    source.commit = source.attempted_commit = built.commit
    source.built_at = source.whole_built_at = now
    source.last_build = "whole"
    source.incremental_builds = 0
    source.refs_complete = True
    source.builder = BUILDER_VERSION
    source.settings_hash = built.settings_hash
    source.counts = built.counts
    source.left_out = [left._asdict() for left in built.left_out[:MAX_LEFT_OUT]]
    source.broken = {
        "links": [[broken.source, broken.target, broken.line] for broken in linked.broken],
        "truncated": linked.truncated,
        "anchors": [[found.source, found.line, found.target, found.suggestion] for found in linked.anchors],
        "anchorsTruncated": linked.anchors_truncated,
    }
    source.save()
