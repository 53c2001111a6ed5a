"""How a leak is planted: a function that patches one place of the real code, for as long as a test asks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

import pytest
from django.conf import settings

from brain import snapshots
from brain.builds import whole
from brain.contents import Contents
from brain.markdown.documents import Parsed, parse
from brain.store.remembering import Remembered
from brain.tree.scope import MAX_DOCUMENT_BYTES, Scope, is_markdown
from repositories import reader
from tests.brain.interference.standing import Twins

type Plant = Callable[[pytest.MonkeyPatch], None]


@dataclass(frozen=True, slots=True)
class Mutant:
    """A leak, and the reads in which it may show beside the rows."""

    name: str
    plant: Plant
    built: bool  # it leaks into a tree that is built with it
    reads: tuple[str, ...]


MUTANTS: list[Mutant] = []


def leak(*reads: str, built: bool = False) -> Callable[[Plant], Plant]:
    """Register a leak that shows in these reads; `built`: in the rows of another build."""

    def register(plant: Plant) -> Plant:
        MUTANTS.append(Mutant(plant.__name__, plant, built, reads))
        return plant

    return register


@contextmanager
def planted(mutant: Mutant, twins: Twins) -> Iterator[None]:
    """The twins with the leak, built with it where it needs that; rows go with the test's transaction."""
    with pytest.MonkeyPatch.context() as patch:
        mutant.plant(patch)
        patch.setattr(Remembered, "get", lambda *_: None)  # an honest answer must not cover up a leak
        patch.setattr(Remembered, "keep", lambda *_: None)  # nor a leak stand in for an honest answer
        try:
            if mutant.built:
                for standing in twins.both:
                    standing.rebuild()
            yield
        finally:
            for standing in twins.both:
                snapshots.drop_all(standing.source.pk)


class Hidden(NamedTuple):
    """A hidden document of the commit that is built: what an honest build never opens."""

    blob: bytes
    parsed: Parsed


def knowing(patch: pytest.MonkeyPatch) -> dict[str, Hidden]:
    """Let builds open what is hidden; it stands in this mapping, by path, while the tree is made."""
    known: dict[str, Hidden] = {}

    def learn(contents: Contents, mirror: Any, commit: str, scope: Scope) -> Contents:
        known.clear()
        for entry in reader.tree_of(mirror, commit).files:
            if is_markdown(entry.path) and scope.hides(entry.path) and entry.size <= MAX_DOCUMENT_BYTES:
                blob = reader.blob(mirror, entry.blob)
                parsed = parse(entry.path, blob, not_prefixes=settings.BRAIN_NOT_ID_PREFIXES)
                known[entry.path] = Hidden(blob, parsed)
        return contents

    among_contents(patch, learn)
    return known


def among_contents(
    patch: pytest.MonkeyPatch, change: Callable[[Contents, Any, str, Scope], Contents]
) -> None:
    """Let a build work on changed contents of its commit."""
    honest = whole.contents_of

    def contents_of(mirror: Any, commit: str, scope: Scope) -> Contents:
        return change(honest(mirror, commit, scope), mirror, commit, scope)

    patch.setattr(whole, "contents_of", contents_of)


def beside(patch: pytest.MonkeyPatch, owner: Any, name: str, other: Callable[..., Any]) -> None:
    """Put `other` in the place of a function; it gets the honest one first, then all arguments."""
    honest = getattr(owner, name)
    patch.setattr(owner, name, lambda *args, **named: other(honest, *args, **named))
