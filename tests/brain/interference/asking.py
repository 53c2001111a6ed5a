"""The questions that are asked of both twins: every read, about what is there, hidden and nowhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import batched, cycle
from typing import Any, NamedTuple

from brain.forms import Door
from tests.brain.interference.phrasing import IDS, LABELS, SECRET_IDS, SECRET_LABEL, SECRETS, SPACES, WORDS
from tests.brain.interference.worlds import World

NOWHERE = (
    "nowhere/at/all.md",
    "restricted/none.md",
    "nowhere/",
    "restricted/",
    "plugins/",
    ".hidden/",
    "empty/",
)
PLACES = ("guides/", "rules/plan.md", *NOWHERE)
ASKED_WORDS = (
    WORDS[0],
    "ferry harbour",
    *SECRETS,
    "layoff",
    "restricted/plan.md",
    '"see CASE-9"',
    *SECRET_IDS,
)
MEMBER, PORTAL = Door.MEMBER, Door.PORTAL


class At(NamedTuple):
    """The id of the commit at this position, as many digits of it."""

    position: int
    digits: int = 40


@dataclass(frozen=True, slots=True)
class Question:
    """A read, the door it is asked at, and its arguments."""

    read: str
    door: Door
    arguments: dict[str, Any]


def questions_of(world: World, nodes: Iterable[str]) -> list[Question]:
    """Every question; `nodes` are the ids of the tree."""
    known = list(nodes)
    paths = [path for path in world.paths() if path.isprintable() and path not in known]
    return [
        *_of_the_whole(),
        *(question for node in known for question in _of_a_node(node)),
        *map(_of_nothing, (*paths, *NOWHERE), cycle(("read", "tree", "backlinks"))),
        *(Question("lookup", MEMBER, {"query": name}) for name in _names([*paths, *NOWHERE])),
        *_of_words(),
        *_of_history(world),
    ]


def _of_the_whole() -> Iterator[Question]:
    for door in Door:
        yield Question("status", door, {})
        yield Question("broken", door, {})
        yield Question("problems", door, {})
    yield Question("tree", PORTAL, {"node": "/", "offset": 1, "limit": 3})


def _of_a_node(node: str) -> Iterator[Question]:
    yield Question("read", MEMBER, {"node": node})
    if "#" not in node:
        yield Question("tree", MEMBER, {"node": node, "depth": 2})
        yield Question("backlinks", MEMBER, {"node": node})
        yield Question("read", PORTAL, {"node": node, "scope": "node"})
    if node.endswith("/"):
        yield Question("tree", PORTAL, {"node": node, "match": f"{WORDS[1]} {SECRETS[0]} plan"})


def _of_nothing(path: str, read: str) -> Question:
    """About a path that is hidden, gone or never was: every read refuses it in one way."""
    return Question(read, MEMBER, {"node": path})


def _names(paths: list[str]) -> Iterator[str]:
    """Paths and what is left of them when people are lazy; public pages have the same file names."""
    yield from dict.fromkeys([*paths, *(path.rpartition("/")[2] for path in paths if path[-1] != "/")])
    yield from (
        *IDS,
        *SECRET_IDS,
        "case-10",
        "7",
        "12",
        "pier-guide",
        "restricted/plan.md#scope",
        "plan",
        "HUSH",
    )
    yield from (
        "restricted/pla.md",
        "ＲＥＳＴＲＩＣＴＥＤ/plan",
        "plugins",
        "Restricted",
        "restricted/plam.md",
        *SECRETS,
    )


def _of_words() -> Iterator[Question]:
    for text in ASKED_WORDS:
        yield Question("grep", MEMBER, {"text": text})
        yield Question("search", MEMBER, {"query": text})
        yield Question("search", PORTAL, {"q": f"{text} plan", "limit": "50"})
    for under in PLACES:
        yield Question("grep", MEMBER, {"text": WORDS[1], "under": under, "ignoreCase": "false"})
        yield Question("search", MEMBER, {"query": WORDS[1], "under": under})
    for narrowed in ({"space": space} for space in SPACES):
        yield Question("grep", PORTAL, {"text": WORDS[2], **narrowed})
    for label in (*LABELS, SECRET_LABEL):
        yield Question("grep", PORTAL, {"text": WORDS[2], "label": label})


def _of_history(world: World) -> Iterator[Question]:
    for position in range(len(world.commits)):
        yield Question("changes", MEMBER, {"since": At(position)})
        yield Question("changes", PORTAL, {"since": At(position, 12), "under": "guides/"})
    for under in PLACES:
        yield Question("changes", MEMBER, {"since": At(0), "under": under})
    for citations in batched(_citations(world), 100):
        yield Question("resolve", MEMBER, {"citations": list(citations)})


def _citations(world: World) -> Iterator[dict[str, Any]]:
    """A citation of every path at every commit, there at that time or not."""
    for position in range(len(world.commits)):
        for path in (*(path for path in world.paths() if path.isprintable()), *NOWHERE):
            yield {"path": path, "lineStart": 1, "lineEnd": 3, "commit": At(position)}
