"""Where the twins of a world look unlike."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import takewhile
from typing import NamedTuple

from brain import models
from tests.brain.interference.asking import Question, questions_of
from tests.brain.interference.observing import Seen, answers_of, rows_of
from tests.brain.interference.pages import pages_of
from tests.brain.interference.standing import Twins

SHOWN = 6  # differences in a message
AROUND = 160  # characters shown on either side of where two texts part


class Difference(NamedTuple):
    """One thing that was seen in both twins, and is not the same."""

    where: str
    whole: str
    stripped: str

    def __str__(self) -> str:
        whole, stripped = _first_unlike(self.whole, self.stripped), _first_unlike(self.stripped, self.whole)
        pairs = zip(whole, stripped, strict=False)
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        part = slice(max(0, same - AROUND), same + AROUND)
        return f"{self.where}\n  as it is: …{whole[part]}…\n  stripped: …{stripped[part]}…"


def report(found: Sequence[Difference]) -> str:
    """The first differences, in words for whoever has to find the leak."""
    return "\n".join([f"{len(found)} differences", *map(str, found[:SHOWN])])


def _first_unlike(text: str, other: str) -> str:
    """The first line that the other lacks; of rows in order the others say nothing."""
    lines = set(other.split("\n"))
    return next((line for line in text.split("\n") if line not in lines), "")


def differences(twins: Twins) -> list[Difference]:
    """All of them, in rows first, then in answers."""
    return [*row_differences(twins), *answer_differences(twins, asked_of(twins))]


def row_differences(twins: Twins) -> list[Difference]:
    """The tables that are not the same."""
    return parted(rows_of(standing) for standing in twins.both)


def answer_differences(twins: Twins, questions: list[Question]) -> list[Difference]:
    """The questions whose answers are not the same."""
    return parted(answers_of(standing, questions) for standing in twins.both)


def page_differences(twins: Twins, places: Iterable[str] = ()) -> list[Difference]:
    """The pages that are not the same, of these places or of all."""
    asked = list(places) or [*(node for node in _nodes(twins) if "#" not in node), *twins.world.paths()]
    printable = dict.fromkeys(place for place in asked if place.isprintable())
    return parted(pages_of(standing, printable) for standing in twins.both)


def parted(seen: Iterable[Iterable[Seen]]) -> list[Difference]:
    """Where the one of two observations parts from the other."""
    # Each whole: a twin is asked within one transaction of its own.
    whole, stripped = map(list, seen)
    assert [place for place, _ in whole] == [place for place, _ in stripped]
    pairs = zip(whole, stripped, strict=True)
    return [Difference(place, one, other) for (place, one), (_, other) in pairs if one != other]


def asked_of(twins: Twins) -> list[Question]:
    """Every question about the world."""
    return questions_of(twins.world, _nodes(twins))


def _nodes(twins: Twins) -> list[str]:
    rows = models.Node.objects.filter(source=twins.whole.source).order_by("path", "line_start", "level")
    return list(rows.values_list("node_id", flat=True))
