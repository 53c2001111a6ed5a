"""How many nodes of a project hold the words of a question, and what a word is worth by that."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple

from django.db import connection

from brain import models
from brain.store.asked import any_of, forms
from brain.store.remembering import Remembered
from brain.tree.forks import rarity

# Nodes at least (as many as search ranks), and share of all: a word that more nodes hold counts like one
# that so many hold.
COUNTED = 500, 0.015
FINE = 4  # worths above it are rounded to even numbers: words of one worth are ranked in one go
FORM = 0.6  # what another form of a word is worth

_COUNT = """
    SELECT word.lexeme, (
        SELECT count(*) FROM (
            SELECT FROM brain_text WHERE source_id = %(source)s AND vector @@ word.condition LIMIT %(most)s
        ) holding
    )
    FROM unnest(%(lexemes)s::text[], %(conditions)s::tsquery[]) word(lexeme, condition)
"""
_counted = Remembered[str, int](50_000)  # by lexeme


class Term(NamedTuple):
    """A word of a question with its other forms, of which the project knows one at least."""

    words: tuple[str, ...]  # as asked; none when only other forms are known
    forms: tuple[str, ...]
    nodes: int  # that hold one of them, at most

    @property
    def lexemes(self) -> tuple[str, ...]:
        """All of them."""
        return (*self.words, *self.forms)


def known_terms(source: models.Source, words: Sequence[str]) -> list[Term]:
    """The words of a question that the project knows, the rarest first."""
    alike = {word: sorted(forms(word)) for word in words}
    counts = _counts(source, {*words, *(form for found in alike.values() for form in found)})
    terms = []
    for word, found in alike.items():
        known = tuple(form for form in found if counts[form])
        nodes = counts[word] + sum(counts[form] for form in known)
        if nodes:
            terms.append(Term((word,) if counts[word] else (), known, nodes))
    return sorted(terms, key=lambda term: term.nodes)


def worths(source: models.Source, terms: Iterable[Term]) -> dict[int, list[str]]:
    """The lexemes of these terms by what each is worth."""
    texts = sum(source.counts.get(kind, 0) for kind in ("documents", "sections", "cards"))
    found: dict[str, int] = {}
    for term in terms:
        rare = rarity(texts, min(term.nodes, texts))
        for lexemes, share in ((term.words, 1), (term.forms, FORM)):
            worth = _rounded(share * rare)
            found |= {lexeme: max(worth, found.get(lexeme, 0)) for lexeme in lexemes}
    return {worth: sorted(one for one in found if found[one] == worth) for worth in set(found.values())}


def _rounded(worth: float) -> int:
    return max(1, round(worth)) if worth < FINE else 2 * round(worth / 2)


def _counts(source: models.Source, lexemes: Collection[str]) -> dict[str, int]:
    """How many nodes hold each of these lexemes, up to the most that is counted."""
    counts = {lexeme: _counted.get(source, lexeme) for lexeme in lexemes}
    unknown = sorted(lexeme for lexeme, count in counts.items() if count is None)
    if unknown:
        for lexeme, count in _counts_in_index(source, unknown).items():
            _counted.keep(source, lexeme, count)
            counts[lexeme] = count
    return {lexeme: count or 0 for lexeme, count in counts.items()}


def _counts_in_index(source: models.Source, lexemes: Sequence[str]) -> dict[str, int]:
    least, share = COUNTED
    values: dict[str, Any] = {
        "source": source.pk,
        "most": max(least, int(share * source.counts.get("sections", 0))),
        "lexemes": lexemes,
        "conditions": [any_of([lexeme]) for lexeme in lexemes],
    }
    with connection.cursor() as cursor:
        cursor.execute(_COUNT, values)
        return dict(cursor.fetchall())
