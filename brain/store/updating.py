"""The rows that differ, written in place of the old ones: what an incremental build stores."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection, transaction

from brain import models
from brain.markdown.problems import Problem
from brain.store import known
from brain.store.rows import (
    LINK_COLUMNS,
    NODE_COLUMNS,
    PROBLEM_COLUMNS,
    REF_COLUMNS,
    Row,
    node_row,
    problem_row,
    row_key,
)
from brain.store.staging import Staging
from brain.store.writing import copy_rows, note_ready, unmoved
from brain.tree.nodes import Node
from brain.tree.scope import LeftOut

type Noted = tuple[Node, bytes | None]  # a node with its digest, where it has one


@dataclass(frozen=True, slots=True, kw_only=True)
class Update:
    """How the stored tree becomes that of a commit: what goes, and what comes in its place."""

    source: models.Source  # as it was when the build began
    commit: str
    gone: Collection[str]  # ids of nodes
    made: Sequence[Noted]  # nodes that are new, or stood there otherwise
    links_gone: Collection[Row]
    links_made: Collection[Row]
    refs_gone: Collection[uuid.UUID]  # keys of documents
    refs_made: Sequence[Row]
    reworded: Collection[str]  # paths of documents whose words are staged, or that are gone
    problems_gone: Collection[int]  # ids of rows
    problems_made: Sequence[Problem]
    counts: dict[str, int]
    left_out: Sequence[LeftOut]
    broken: dict[str, Any]
    basis: dict[str, Any]


def update_tree(update: Update, staging: Staging) -> None:
    """Write what differs. Raises BuildFailed when the Brain or its tree changed since the build began."""
    with transaction.atomic():
        source = unmoved(update.source)
        keys = [*map(row_key, update.gone), *(row_key(node.id) for node, _ in update.made)]
        _delete("brain_node", "key", keys, source.pk)
        nodes = (node_row(source.pk, node, digest) for node, digest in update.made)
        copy_rows("brain_node", NODE_COLUMNS, nodes)
        _delete_links(source.pk, update.links_gone)
        copy_rows("brain_link", LINK_COLUMNS, update.links_made)
        _delete("brain_ref", "document", update.refs_gone, source.pk)
        copy_rows("brain_ref", REF_COLUMNS, update.refs_made)
        staging.replace(source.pk, [row_key(path) for path in update.reworded])
        models.Problem.objects.filter(source=source, pk__in=update.problems_gone).delete()
        problems = (problem_row(source.pk, problem) for problem in update.problems_made)
        copy_rows("brain_problem", PROBLEM_COLUMNS, problems)
        _note(source, update)


def _note(source: models.Source, update: Update) -> None:
    note_ready(source, commit=update.commit, counts=update.counts, left_out=update.left_out)
    source.last_build = "incremental"
    source.incremental_builds += 1
    source.tree_hash = known.tree_hash(source)
    source.broken, source.basis = update.broken, update.basis
    source.save()


def _delete(table: str, column: str, keys: Collection[uuid.UUID], source_id: int) -> None:
    if keys:
        with connection.cursor() as cursor:
            where = f"source_id = %s AND {column} = ANY(%s)"
            cursor.execute(f"DELETE FROM {table} WHERE {where}", [source_id, list(keys)])  # noqa: S608


def _delete_links(source_id: int, rows: Collection[Row]) -> None:
    if rows:
        with connection.cursor() as cursor:
            cursor.execute(
                "DELETE FROM brain_link USING unnest(%s::uuid[], %s::int[]) gone(from_node, position)"
                " WHERE source_id = %s AND brain_link.from_node = gone.from_node"
                " AND brain_link.position = gone.position",
                [[row[1] for row in rows], [row[2] for row in rows], source_id],
            )
