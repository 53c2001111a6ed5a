"""Which way to go at a fork: how well the title, name and summary of each child meet a question's words."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from brain.markdown.lexemes import words
from brain.tree.names import stem_of
from brain.tree.nodes import Kind

# What English asks with, whatever it asks for: 99 words that point nowhere.
_FUNCTION_WORDS = """
    a about all also am an and any are as at be because been between but by can could did do does doing
    during each for from had has have having he her here him his how i if in into is it its just
    may me might must my no nor not of on only or our shall she should so some such s t than that the
    their them then there these they this those to too until us very was we were what when where which
    while who whom whose why will with would you your
"""
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())
SHARED = 4  # letters that two forms of one word begin with at least
ENDING = 3  # letters that each of them may go on for
LIKE = 0.7  # what another form of the word counts
TITLE = 2  # how much more a title or a name says than a summary


class Sign(NamedTuple):
    """What a child shows to someone who has not read it."""

    title: str
    name: str  # of its file or folder; "" for a section or card
    summary: str
    size: int  # estimated tokens of its subtree


def sign_of(kind: str, path: str, title: str, summary: str, size: int) -> Sign:
    """What a node of this kind at this path shows."""
    named = kind in (Kind.DOCUMENT, Kind.FOLDER)
    name = stem_of(path.rstrip("/").rpartition("/")[2]) if named else ""
    return Sign(title, name, summary, size)


def question_words(question: str) -> tuple[str, ...]:
    """The words of a question in order, each once, without function words unless it has no others."""
    every = words(question)
    return tuple(word for word in every if word not in FUNCTION_WORDS) or every


def match(word: str, other: str) -> float:
    """How well two words, both lower case, are one: 1 when equal, 0.7 for forms of one word, else 0.

    It stands in for a stemmer in every alphabet: forms share their first four letters or more, neither goes
    on for more than three, and neither holds a digit.
    """
    if word == other:
        return 1.0
    shorter = min(len(word), len(other))
    shared = next((at for at in range(shorter) if word[at] != other[at]), shorter)
    if shared < SHARED or max(len(word), len(other)) - shared > ENDING:
        return 0.0
    return 0.0 if any(letter.isdigit() for letter in word + other) else LIKE


def fork_scores(question: str, signs: Sequence[Sign]) -> list[float]:
    """How well each of these siblings meets the question, in their order.

    Of each question word, by how few of the siblings show it; titles and names count double.
    """
    asked = question_words(question)
    shows = _shows(asked)
    known = [_Known(sign) if shows(sign) else None for sign in signs]
    vocabulary = set().union(*(one.title | one.summary for one in known if one))
    scores = [0.0] * len(signs)
    for word in asked:
        forms = frozenset(other for other in vocabulary if match(word, other) == LIKE)
        found = [one.match(word, forms) if one else 0.0 for one in known]
        weight = rarity(len(signs), sum(1 for one in found if one))
        scores = [score + weight * 2 * one / (one + 1) for score, one in zip(scores, found, strict=True)]
    return scores


def best_first(question: str, signs: Sequence[Sign]) -> list[int]:
    """The places of these siblings, best first: by score, then the larger subtree, then as they stand."""
    scores = fork_scores(question, signs)
    return sorted(range(len(signs)), key=lambda place: (-scores[place], -signs[place].size, place))


def rarity(of: int, holding: int) -> float:
    """What a word is worth that so many of these many show; 0 when none does."""
    return math.log(1 + (of - holding + 0.5) / (holding + 0.5)) if holding else 0.0


class _Known:
    """The words of a sign."""

    def __init__(self, sign: Sign) -> None:
        self.title = frozenset(words(f"{sign.title}\n{sign.name}"))
        self.summary = frozenset(words(sign.summary))

    def match(self, word: str, forms: frozenset[str]) -> float:
        """How well the sign shows a word, given the other forms of it that are known."""
        return max(TITLE * _best(self.title, word, forms), _best(self.summary, word, forms))


def _best(shown: frozenset[str], word: str, forms: frozenset[str]) -> float:
    if word in shown:
        return 1.0
    return 0.0 if forms.isdisjoint(shown) else LIKE


def _shows(asked: Iterable[str]) -> Callable[[Sign], bool]:
    """Whether a sign can show one of these words at all: most of 20,000 siblings show none.

    Every word of an ASCII text stands in it as it is; others have forms without accents.
    """
    beginnings = re.compile("|".join(re.escape(word[:SHARED]) for word in asked) or r"(?!)")

    def shows(sign: Sign) -> bool:
        text = f"{sign.title}\n{sign.name}\n{sign.summary}".removesuffix("…")  # of a summary that was cut
        return not text.isascii() or beginnings.search(text.lower()) is not None

    return shows
