"""Everything that can be seen of a built world: its rows, and the answer to every question."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from django.db import connection

from brain import snapshots
from brain.catalogue import READS
from brain.errors import Refusal
from brain.store import Store, database_store
from tests.brain.interference.asking import At, Question
from tests.brain.interference.standing import Standing

TABLES = ("brain_node", "brain_link", "brain_ref", "brain_text", "brain_problem", "brain_build")
OF_THIS_ROW = "'id,source_id,project_id,started_at,seconds'"  # identities, and times of the clock
SOURCE = "branch, enabled, wiki, state, error, progress, attempts, counts, left_out, broken, tree_hash, basis"
FRESHNESS = ("projectId", "builtAt", "syncedAt")
_HEX = re.compile(r"\b[0-9a-f]{7,40}\b")

type Seen = tuple[str, str]  # what was looked at, what was seen


def rows_of(standing: Standing) -> Iterator[Seen]:
    """Every row of the Brain's tables, and the text that exact search reads."""
    source, names = standing.source, Names.of(standing)
    with connection.cursor() as cursor:
        for table in TABLES:
            cursor.execute(
                f"SELECT (to_jsonb(one) - string_to_array({OF_THIS_ROW}, ','))::text FROM {table} one"
                " WHERE source_id = %s ORDER BY 1",
                [source.pk],
            )
            yield table, "\n".join(sorted(names.hide(row[0]) for row in cursor.fetchall()))
        cursor.execute(
            f"SELECT to_jsonb(one)::text FROM (SELECT {SOURCE} FROM brain_source WHERE id = %s) one",
            [source.pk],
        )
        yield "brain_source", names.hide(cursor.fetchone()[0])
    snapshot = snapshots.path_of(source.pk, source.commit)
    yield "snapshot", snapshot.read_bytes().hex() if snapshot.exists() else ""


def answers_of(standing: Standing, questions: Iterable[Question]) -> Iterator[Seen]:
    """The answer or refusal to each question, in one transaction."""
    with database_store(standing.project) as store:
        yield from told_by(store, questions, Names.of(standing))


def told_by(store: Store, questions: Iterable[Question], names: Names) -> Iterator[Seen]:
    """What a store answers or refuses; commits by position."""
    for question in questions:
        told = _answer(store, question, names)
        yield repr(question), names.hide(json.dumps(told, ensure_ascii=False, sort_keys=True))


class Names:
    """What differs between twins because it is made of chance: commit ids and the slug, by position."""

    def __init__(self, commits: Sequence[str], own: Sequence[str] = ()) -> None:
        self._commits = commits
        self._own = own

    @classmethod
    def of(cls, standing: Standing) -> Names:
        """Those of a built world."""
        return cls(standing.commits, (str(standing.project.pk), standing.project.slug))

    def commit(self, position: int) -> str:
        """The id of the commit at this position."""
        return self._commits[position]

    def hide(self, text: str) -> str:
        """The text with every commit id, whole or cut, as its position."""
        for own in self._own:
            text = text.replace(own, "<this project>")
        return _HEX.sub(self._position, text)

    def _position(self, found: re.Match[str]) -> str:
        at = [number for number, commit in enumerate(self._commits) if commit.startswith(found[0])]
        return f"<commit {at[0]}>" if at else found[0]


def _answer(store: Store, question: Question, names: Names) -> Any:
    read = READS[question.read]
    try:
        query = read.query.parse(_placed(question.arguments, names), question.door)
        told = read.told(read.answer(store, query))
    except Refusal as refusal:
        return {"refused": type(refusal).__name__, "text": str(refusal), "told": refusal.told}
    return timeless(told)


def timeless(told: dict[str, Any]) -> dict[str, Any]:
    """An answer without what is never the same: whose it is, and when it was built and synced."""
    return {key: value for key, value in told.items() if key not in FRESHNESS}


def _placed(value: Any, names: Names) -> Any:
    """The arguments with the ids of this twin's commits."""
    match value:
        case At(position, digits):
            return names.commit(position)[:digits]
        case dict():
            return {key: _placed(one, names) for key, one in value.items()}
        case list():
            return [_placed(one, names) for one in value]
    return value
