"""Statements written by hand, for what every request asks of the database, and models made of their rows."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import psycopg
from django.db import connection
from django.db.models import Model

type Values = Mapping[str, Any] | Sequence[Any]


def ask(sql: str, values: Values) -> list[tuple[Any, ...]]:
    """All rows of a statement that its session prepares once.

    PostgreSQL takes longer to plan one of these than to answer it, and Django longer to compile one than to
    send it. Raises what a cursor of Django's raises.
    """
    connection.ensure_connection()
    if connection.queries_logged:  # who counts queries counts these, too
        with connection.cursor() as logged:
            logged.execute(sql, values)
            rows: list[tuple[Any, ...]] = logged.fetchall()
        return rows
    with connection.wrap_database_errors, psycopg.Cursor(connection.connection) as cursor:
        cursor.execute(sql, values, prepare=True)
        return cursor.fetchall()


class Columns[M: Model]:
    """The columns of a model in such a statement, and the instance that their values make.

    Django takes longer to compile a query than PostgreSQL to answer it; a statement that stands here is never
    compiled. Fields `without` are fetched when somebody asks for them.
    """

    def __init__(self, model: type[M], table: str, *, without: Collection[str] = ()) -> None:
        fields = [field for field in model._meta.concrete_fields if field.attname not in without]  # noqa: SLF001 (Django's own word for it)
        self._model = model
        self._names = [field.attname for field in fields]
        self._converting = [
            (place, field) for place, field in enumerate(fields) if hasattr(field, "from_db_value")
        ]
        self.sql = ", ".join(f'{table}."{field.column}"' for field in fields)
        self.width = len(fields)

    def make(self, values: Sequence[Any]) -> M:
        """The instance of a row, given the values of these columns in order."""
        made = list(values)
        for place, field in self._converting:
            made[place] = field.from_db_value(made[place], None, connection)
        return self._model.from_db(connection.alias, self._names, made)
