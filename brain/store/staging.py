"""Search words on their way into the index: staged as documents are parsed, so that the two overlap."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from django.db import DataError, OperationalError, connection, transaction

from brain.markdown.documents import Parsed, Words
from brain.markdown.lexemes import parsable
from brain.markdown.problems import Problem
from brain.store.rows import row_key
from brain.tree.targets import node_id

LONG_TEXT = 200_000  # bytes; a shorter text always fits into a vector
SMALLEST = 1_000  # characters that a text is cut down to before it is given up

# PostgreSQL's `simple` configuration: no stemming, no stop words.
_VECTOR = """
    setweight(to_tsvector('simple', title), 'A') || setweight(to_tsvector('simple', below), 'B')
    || setweight(to_tsvector('simple', text), 'C') || array_to_tsvector(side)
"""
_MOVE = """
    INSERT INTO brain_text (source_id, key, document, vector)
    SELECT %s, key, document, vector FROM staged_vectors
"""
_FORGET = """
    DELETE FROM brain_text WHERE source_id = %s AND document = ANY(%s) AND NOT EXISTS (
        SELECT FROM staged_vectors staged
        WHERE staged.key = brain_text.key AND staged.vector = brain_text.vector
    )
"""
_ADD = """
    INSERT INTO brain_text (source_id, key, document, vector)
    SELECT %s, key, document, vector FROM staged_vectors staged
    WHERE NOT EXISTS (SELECT FROM brain_text WHERE source_id = %s AND brain_text.key = staged.key)
"""
_COLUMNS = "key, document, title, below, text, side"
_TYPES = ["uuid", "uuid", "text", "text", "text", "text[]"]

type _Row = tuple[object, ...]


class Staging:
    """A table of vectors that lives as long as the build's connection."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        with connection.cursor() as cursor:
            cursor.execute("DROP TABLE IF EXISTS staged_words, staged_vectors")
            cursor.execute(
                "CREATE TEMP TABLE staged_words (key uuid, document uuid, title text, below text, text text,"
                " side text[]) ON COMMIT DELETE ROWS"
            )
            cursor.execute("CREATE TEMP TABLE staged_vectors (key uuid, document uuid, vector tsvector)")

    def add(self, parsed: Iterable[Parsed]) -> None:
        """Stage the words of these documents; a text too long for a vector is cut, with a problem."""
        rows: list[_Row] = []
        for document, words in parsed:
            for part in words:
                row = _row(document.path, part)
                if len(part.text) * 4 < LONG_TEXT or len(part.text.encode()) < LONG_TEXT:
                    rows.append(row)
                else:
                    self._add_long(document.path, part)
        if rows:
            _insert(rows)

    @contextmanager
    def moving(self, source_id: int) -> Iterator[None]:
        """Put the staged vectors into the index, inside the caller's transaction.

        PostgreSQL needs seconds for that; the caller does meanwhile what needs no database.
        """
        connection.ensure_connection()
        with ThreadPoolExecutor(1) as beside:
            # The driver's own connection: Django's belongs to this thread.
            moved = beside.submit(connection.connection.execute, _MOVE, [source_id])
            yield
            with connection.wrap_database_errors:
                moved.result()
        with connection.cursor() as cursor:
            cursor.execute("DROP TABLE staged_words, staged_vectors")

    def replace(self, source_id: int, documents: Sequence[uuid.UUID]) -> None:
        """Put the staged vectors in place of those of these documents, inside the caller's transaction.

        Rows that stay as they are are not touched.
        """
        with connection.cursor() as cursor:
            if documents:
                cursor.execute(_FORGET, [source_id, list(documents)])
                cursor.execute(_ADD, [source_id, source_id])
            cursor.execute("DROP TABLE staged_words, staged_vectors")

    def _add_long(self, path: str, part: Words) -> None:
        whole = len(part.text)
        while True:
            try:
                _insert([_row(path, part)])
                break
            except (DataError, OperationalError):
                if len(part.text) <= SMALLEST:
                    part = part._replace(text="", side=[])
                else:
                    half = len(part.text) // 2
                    part = part._replace(text=part.text[:half], side=part.side[: len(part.side) // 2])
        if len(part.text) < whole:
            where = f" under #{part.anchor}" if part.anchor else ""
            message = f"Search knows only the first {len(part.text):,} characters of the text{where}."
            self.problems.append(Problem(path, None, "text-cut", message[:500]))


def _insert(rows: Iterable[_Row]) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        words = cursor.copy(f"COPY staged_words ({_COLUMNS}) FROM STDIN (FORMAT BINARY)")
        with connection.wrap_database_errors, words as copy:
            copy.set_types(_TYPES)
            for row in rows:
                copy.write_row(row)
        cursor.execute(f"INSERT INTO staged_vectors SELECT key, document, {_VECTOR} FROM staged_words")  # noqa: S608


def _row(path: str, part: Words) -> _Row:
    key = row_key(node_id(path, part.anchor))
    return key, row_key(path), parsable(part.title), parsable(part.below), parsable(part.text), part.side


def batches(parsed: Iterable[Parsed], characters: int) -> Iterator[list[Parsed]]:
    """The documents in groups with about so many characters of words."""
    group: list[Parsed] = []
    size = 0
    for document in parsed:
        group.append(document)
        size += sum(len(part.text) for part in document.words)
        if size >= characters:
            yield group
            group, size = [], 0
    if group:
        yield group
