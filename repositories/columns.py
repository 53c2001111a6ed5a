"""Model instances from statements written by hand, where every request asks the same of the database."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from django.db import connection
from django.db.models import Model


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
