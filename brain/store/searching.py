"""Ranked search: the nodes whose words meet a question, best first, from the index of words.

Every node that holds one of the question's rarer words is ranked; its more common words only help to order
them, so that a question costs about the same in a project of any size. Nothing counts but the project itself.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

from django.db import connection

from brain import models
from brain.store.asked import Asked, any_of, ask
from brain.store.fetching import nodes_by_key
from brain.store.frequencies import Term, known_terms, worths
from brain.store.protocol import Ranked
from brain.store.remembering import Remembered
from brain.tree.names import text_key
from brain.tree.nodes import ROOT, Kind, Node, key_of

RANKED = 500  # nodes, fewer than which the rarer words of a question bring together
ENOUGH = 20  # nodes; while there are fewer, more common words bring theirs
FIRST = 50  # nodes of each answer that are remembered

# How much a place counts: side lexemes, text, headings below, title. Flat, for a title alone says little.
_WEIGHTS = "{0.5, 0.65, 0.7, 1}"
_PAGE = 0.25  # what the document itself says, for its sections and cards
_LONG, _USUAL = 0.3, 60  # the more words a text has, compared with so many, the less each counts

# Arrays of one: a vector is read from its place once, however often it is ranked.
_RANK = """
    WITH matching AS (
        SELECT text.key, text.document, text.key = ANY(%(named)s::uuid[]) AS named, ARRAY[text.vector] AS held
        FROM brain_text text {inside}
        WHERE text.source_id = %(source)s AND text.vector @@ %(candidates)s::tsquery
        UNION ALL
        SELECT text.key, text.document, TRUE, ARRAY[text.vector]
        FROM brain_text text {inside}
        WHERE text.source_id = %(source)s AND text.key = ANY(%(named)s::uuid[])
            AND NOT text.vector @@ %(candidates)s::tsquery {conditions}
        OFFSET 0
    ), own AS MATERIALIZED (
        SELECT key, document, named, long, worth / long AS score FROM (
            SELECT *, {worth} AS worth, 1 + {long} * ln(1 + length(held[1])::float8 / {usual}) AS long
            FROM matching
        ) weighed
    ), top AS MATERIALIZED (
        SELECT *, row_number() OVER () <= {ranked} AS ranked FROM (
            SELECT * FROM own ORDER BY named DESC, score DESC, key LIMIT %(most)s
        ) first
    ), page AS MATERIALIZED (
        SELECT key, {worth} AS worth FROM (
            SELECT key, ARRAY[vector] AS held FROM brain_text
            WHERE source_id = %(source)s
                AND key IN (SELECT document FROM top WHERE ranked AND document <> key)
            OFFSET 0
        ) documents
    ), best AS (
        SELECT top.key, named, ranked, score + {page} * coalesce(page.worth, 0) / long AS score
        FROM top LEFT JOIN page ON ranked AND page.key = top.document AND top.document <> top.key
        ORDER BY named DESC, ranked DESC, score DESC FETCH FIRST %(first)s ROWS WITH TIES
    ), shown AS (
        SELECT best.*, node.path, node.line_start, node.level
        FROM best JOIN brain_node node ON node.source_id = %(source)s AND node.key = best.key
        ORDER BY named DESC, ranked DESC, score DESC, path, line_start, level LIMIT %(first)s
    )
    SELECT counted.total, shown.key, shown.score
    FROM (SELECT count(*) AS total FROM own) counted LEFT JOIN shown ON TRUE
    ORDER BY named DESC, ranked DESC, score DESC, path, line_start, level
"""
_INSIDE = "JOIN brain_node inside ON inside.source_id = text.source_id AND inside.key = text.key"
_IN_FOLDER = f"{_INSIDE} AND starts_with(inside.path, %(path)s)"
_IN_DOCUMENT = f"""{_INSIDE} AND text.document = %(document)s AND inside.level >= %(level)s
    AND inside.line_start BETWEEN %(from)s AND %(to)s"""


class _Found(NamedTuple):
    """The first nodes by key, each with its score, and how many there are in all."""

    scores: tuple[tuple[Any, float], ...]
    total: int


_remembered = Remembered[tuple[str, str], _Found](500)  # by query and node


def ranked(
    source: models.Source, query: str, under: Node | None, offset: int, limit: int
) -> tuple[list[Ranked], int]:
    """A window of the nodes that meet the words, best first, and how many there are.

    Nodes that the query names by id or path come first; then the score decides, then path and line.
    """
    question = query, under.id if under else ROOT
    end = offset + limit
    found = _remembered.get(source, question)
    if found is None or len(found.scores) < min(end, found.total):
        found = _found(source, query, under, max(end, FIRST))
        if end <= FIRST:
            _remembered.keep(source, question, found)
    window = dict(found.scores[offset:end])
    nodes = nodes_by_key(source.pk, list(window))
    return [Ranked(nodes[key], score) for key, score in window.items()], found.total


def _found(source: models.Source, query: str, under: Node | None, first: int) -> _Found:
    asked = ask(query)
    terms = known_terms(source, asked.words)
    if not terms:
        return _Found((), 0)
    values = {
        "source": source.pk,
        "named": _named(source, asked.names),
        "first": first,
        "most": RANKED if first <= RANKED else None,
        "conditions": _all_of(asked.required, asked.excluded),
    }
    for candidates in _candidates(asked, terms):
        rows = _rows(source, values | {"candidates": candidates}, terms, under)
        if rows[0][0] >= ENOUGH:
            break
    return _Found(tuple((key, score) for _, key, score in rows if key), rows[0][0])


def _candidates(asked: Asked, terms: Sequence[Term]) -> Iterator[str]:
    """Which nodes are ranked; each time more of them, for when there are not enough.

    Those with one of the rarer words; then also those with all, half, a quarter of the common ones.
    """
    each = [any_of(term.lexemes) for term in terms]
    if asked.required:
        yield _all_of(asked.required, asked.excluded)
        return
    rarer, nodes = _rarer(terms)
    common = each[rarer:]
    if nodes >= ENOUGH or not common:
        yield _all_of([" | ".join(each[:rarer])], asked.excluded)
    together = len(common)
    while together:
        ways = [*each[:rarer], _all_of(common[:together], ())]
        yield _all_of([" | ".join(ways)], asked.excluded)
        together //= 2
    if len(common) > 1:
        yield _all_of([" | ".join(each)], asked.excluded)


def _rarer(terms: Sequence[Term]) -> tuple[int, int]:
    """How many of the terms are rare enough to bring all their nodes, and how many nodes these are."""
    nodes = list(accumulate(term.nodes for term in terms))
    rarer = bisect_left(nodes, RANKED)
    return rarer, nodes[rarer - 1] if rarer else 0


def _all_of(required: Iterable[str], excluded: Iterable[str]) -> str:
    return " & ".join([*(f"({one})" for one in required), *(f"!({one})" for one in excluded)])


def _named(source: models.Source, names: Sequence[str]) -> list[Any]:
    """The keys of the nodes that these words may name: by reference id, or by node id."""
    if not names:
        return []
    defining = models.Node.objects.filter(source=source, reference_key__in=[text_key(name) for name in names])
    return [*defining.values_list("key", flat=True), *map(key_of, names)]


def _rows(
    source: models.Source, values: dict[str, Any], terms: Iterable[Term], under: Node | None
) -> list[tuple[int, Any, float]]:
    """Total, key and score of each of the first nodes; the total alone when there is none."""
    inside, place = _place(under)
    parts, conditions = [], dict[str, str]()
    for worth, lexemes in sorted(worths(source, terms).items()):
        name = f"worth{worth}"
        # `ts_rank` gives the mean over the words.
        parts.append(f"{worth * len(lexemes)} * ts_rank('{_WEIGHTS}', held[1], %({name})s::tsquery)")
        conditions[name] = any_of(lexemes)
    sql = _RANK.format(
        inside=inside,
        conditions="AND text.vector @@ %(conditions)s::tsquery" if values["conditions"] else "",
        worth=f"({' + '.join(parts)})",
        long=_LONG,
        usual=_USUAL,
        page=_PAGE,
        ranked=RANKED,
    )
    with connection.cursor() as cursor:
        cursor.execute(sql, values | place | conditions)
        rows: list[tuple[int, Any, float]] = cursor.fetchall()
    return rows


def _place(under: Node | None) -> tuple[str, dict[str, Any]]:
    """What keeps a search at a node and under it, with its values."""
    if under is None or under.id == ROOT:
        return "", {}
    if under.kind is Kind.FOLDER or under.lines is None:
        return _IN_FOLDER, {"path": under.path}
    return _IN_DOCUMENT, {
        "document": key_of(under.path),
        "level": under.level,
        "from": under.lines.start,
        "to": under.subtree_end,
    }
