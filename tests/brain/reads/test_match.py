"""A level ordered by words: how 640 siblings are narrowed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from brain.reads.answers import Level
from brain.reads.tree import read_tree
from brain.store import Store
from tests.given_db import STORES, a_built_team, a_store

pytestmark = pytest.mark.django_db(transaction=True)

FILES = {
    "a/zebra.md": "# Black and white\n\nStripes.\n",
    "a/stamps.md": "# Paper\n\nSmall.\n",
    "a/album.md": "# Stamp album\n\nHolds them.\n\n## Pages\n\nTwenty.\n\n## Stamps of birds\n\nMany.\n",
    "a/post.md": "# Post\n\nSells stamps.\n",
    "a/birds/one.md": "# One\n\n" + "A bird. " * 40 + "\n",
    "a/tiny.md": "# T\n",
} | {f"wide/{n:03}.md": f"# Page {n:03}\n\nAbout {'even' if n % 2 else 'some'} things.\n" for n in range(120)}


@pytest.fixture(params=STORES)
def stored(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    team = a_built_team(tmp_path, FILES)
    with a_store(team, request.param) as store:
        yield store


def ids(level: Level) -> list[str]:
    return [branch.node.id for branch in level.children]


def test_children_that_meet_the_words_come_first_then_the_larger_ones(stored: Store) -> None:
    level = read_tree(stored, "a/", match="Which stamps are there?")
    assert ids(level)[:3] == [
        "a/stamps.md",
        "a/album.md",
        "a/post.md",
    ]  # its name, a form in its title, its summary
    assert ids(level)[3:] == ["a/birds/", "a/zebra.md", "a/tiny.md"]
    assert level.total == 6


def test_without_words_a_level_stands_in_its_own_order(stored: Store) -> None:
    assert ids(read_tree(stored, "a/", match="")) == ids(read_tree(stored, "a/"))


def test_a_window_is_cut_from_the_ordered_level(stored: Store) -> None:
    whole = ids(read_tree(stored, "wide/", match="even", limit=200))
    assert whole == [f"wide/{n:03}.md" for n in (*range(1, 120, 2), *range(0, 120, 2))]
    second = read_tree(stored, "wide/", match="even", offset=50, limit=50)
    assert (ids(second), second.total, second.next_offset) == (whole[50:100], 120, 100)
    assert ids(read_tree(stored, "wide/", match="even", offset=500)) == []


def test_sections_are_ordered_too_and_show_their_children(stored: Store) -> None:
    level = read_tree(stored, "a/album.md", match="birds", depth=2)
    assert ids(level) == ["a/album.md#stamps-of-birds", "a/album.md#pages"]
    assert [len(branch.children) for branch in read_tree(stored, "/", match="wide", depth=2).children] == [
        20,
        6,
    ]


def test_words_that_nothing_shows_leave_the_larger_before_the_smaller(stored: Store) -> None:
    level = read_tree(stored, "a/", match="dragons", limit=50)
    sizes = [branch.node.size for branch in level.children]
    assert sizes == sorted(sizes, reverse=True)
