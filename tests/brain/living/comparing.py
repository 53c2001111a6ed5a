"""Two Brains of one commit compared: every row of every table, and what their sources say."""

from __future__ import annotations

from typing import Any

from django.db import connection
from django.db.models import Model

from brain import models, snapshots
from brain.store import Source

TABLES: tuple[type[Model], ...] = (models.Node, models.Link, models.Ref, models.Text, models.Problem)
TOLD = ("commit", "counts", "broken", "left_out", "tree_hash", "settings_hash", "builder", "refs_complete")
OWN = ("source_id", "id")  # columns in which two projects always differ
SHOWN = 6  # differing rows of a table


def differences(one: Source, other: Source) -> list[str]:
    """What differs between two Brains, a line each; both are read from the database first."""
    one.refresh_from_db()
    other.refresh_from_db()
    found = [
        f"source.{name}: {getattr(one, name)!r} | {getattr(other, name)!r}"
        for name in TOLD
        if getattr(one, name) != getattr(other, name)
    ]
    for model in TABLES:
        found += _differing_rows(model, one.pk, other.pk)
    return found + _differing_snapshots(one, other)


def _differing_rows(model: type[Model], one: int, other: int) -> list[str]:
    table = model._meta.db_table
    columns = [field.column for field in model._meta.concrete_fields if getattr(field, "column", None)]
    names = ", ".join(f'"{name}"' for name in columns if name not in OWN)
    rows = f"SELECT {names} FROM {table} WHERE source_id = %s"
    only = f"({rows} EXCEPT ALL {rows} LIMIT {SHOWN})"
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT 'one', * FROM {only} a UNION ALL SELECT 'other', * FROM {only} b",
            [one, other, other, one],
        )
        return [f"{table} only in {row[0]}: {_shown(columns, row[1:])}" for row in cursor.fetchall()]


def _shown(columns: list[str], row: tuple[Any, ...]) -> str:
    names = [name for name in columns if name not in OWN]
    said = (
        f"{name}={_plain(value)}" for name, value in zip(names, row, strict=True) if value not in (None, "")
    )
    return " ".join(said)[:900]


def _plain(value: Any) -> str:
    return bytes(value).hex()[:12] if isinstance(value, memoryview | bytes) else repr(value)


def _differing_snapshots(one: Source, other: Source) -> list[str]:
    kept = [snapshots.path_of(source.pk, source.commit) for source in (one, other)]
    if all(path.exists() for path in kept) and kept[0].read_bytes() != kept[1].read_bytes():
        return ["snapshots differ"]
    return []
