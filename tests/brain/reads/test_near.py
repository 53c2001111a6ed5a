"""Near ids: what comes close to an id, a path or a name that the indexed commit does not have."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from brain.errors import NodeNotFound
from brain.folder import open_folder
from brain.reads.lookup import look_up
from brain.reads.nearness import NEAR, closest, near
from brain.reads.tree import read_tree
from brain.store import Store, database_store
from tests.given_db import STORES, a_built_team, a_store

FILES = {
    "README.md": "# Library\n\nOf the town.\n",
    "rules/lending.md": "# Lending\n\n## Scope\n\nAll.\n\n## Late returns\n\nx\n\n## RULE-LEN-0012 Fees\n\nx\n\n"
    "### Limits\n\nNone.\n",
    "rules/1327-review.md": "# Review\n\n## Scope\n\nx\n",
    "rules/stamps.md": "# Stamps\n\n## RULE-STA-0012 Ink\n\nx\n\n## RULE-STA-0120 Paper\n\nx\n",
    "archive/2019/lending.md": "# Old lending\n\n## Scope\n\nx\n",
    "archive/2019/opening-hours.md": "# Opening hours\n\nWhen doors open.\n",
}
CLOSE = {
    "rules/lending.md#scop": ["rules/lending.md#scope", "rules/lending.md"],
    "rules/lending.md#late-return": ["rules/lending.md#late-returns", "rules/lending.md"],
    "rules/lending.md#rule-len-0012-fes": ["rules/lending.md#RULE-LEN-0012", "rules/lending.md"],
    "rules/lending.md#zzz": ["rules/lending.md"],
    "rule/lending.md": ["rules/lending.md", "archive/2019/lending.md", "rules/"],
    "archive/lending.md#scope": ["archive/2019/lending.md#scope", "rules/lending.md#scope", "archive/"],
    "rules/lendng.md": ["rules/lending.md", "rules/"],
    "rules/lendng.md#scop": ["rules/lending.md#scope", "rules/"],
    "RULES/lending.md": ["rules/lending.md", "archive/2019/lending.md", "rules/"],
    "ruels/stamps.md": ["rules/stamps.md", "rules/"],
    "archive/2018/": ["archive/2019/", "archive/"],
    "archive/2018/opening-hours.md": ["archive/2019/opening-hours.md", "archive/2019/", "archive/"],
    "rules/1327-rv.md": ["rules/1327-review.md", "rules/"],
    "rules": ["rules/"],
    "lending": ["rules/lending.md", "archive/2019/lending.md"],
    "RULE-LEN-0013": ["rules/lending.md#RULE-LEN-0012"],
    "RULE-LEN-0021": ["rules/lending.md#RULE-LEN-0012"],
    "rule-len-12": ["rules/lending.md#RULE-LEN-0012"],
    "RULE-LEN-00123": ["rules/lending.md#RULE-LEN-0012"],
    "RULE-ELN-0012": ["rules/lending.md#RULE-LEN-0012"],
    "RULE-STA-0102": ["rules/stamps.md#RULE-STA-0120", "rules/stamps.md#RULE-STA-0012"],
    "rules/gone.md#RULE-STA-0012": ["rules/stamps.md#RULE-STA-0012", "rules/"],
    "nowhere/openinghours.md": ["archive/2019/opening-hours.md"],
    "": ["/"],
    "zzz/qqq.md": [],
}


@pytest.fixture(params=STORES)
def stored(request: pytest.FixtureRequest, tmp_path: Path, transactional_db: None) -> Iterator[Store]:
    team = a_built_team(tmp_path, FILES)
    with a_store(team, request.param) as store:
        yield store


def test_what_comes_close_is_told_the_closest_first(stored: Store) -> None:
    assert {asked: list(near(stored, asked)) for asked in CLOSE} == CLOSE


def test_an_unknown_node_is_refused_with_them(stored: Store) -> None:
    with pytest.raises(NodeNotFound) as refused:
        read_tree(stored, "rules/lendng.md")
    assert refused.value.told["near"] == ["rules/lending.md", "rules/"]


def test_a_look_up_tells_them_only_when_it_finds_nothing(stored: Store) -> None:
    assert look_up(stored, "RULE-LEN-0013").near == ("rules/lending.md#RULE-LEN-0012",)
    assert look_up(stored, "RULE-LEN-0012").near == ()


def test_words_are_searched_for_when_no_name_is_close(tmp_path: Path, transactional_db: None) -> None:
    team = a_built_team(tmp_path, FILES)
    with database_store(team.project) as store:
        assert look_up(store, "when do the doors open").near == ("archive/2019/opening-hours.md",)


HOSTILE = [
    "#",
    "##",
    "a#b#c",
    "/" * 500,
    "a/" * 900,
    "x" * 2_000,
    "..",
    "../../etc/passwd",
    "%2e%2e/%00",
    "-" * 200,
]
HOSTILE += [
    "RULE-LEN-99999999",
    "A1-" * 600 + "1",
    '" or -"',
    "字/字.md#字",
    "\u2028",
    ".md",
    "/.md",
    "rules/#scope",
]


def test_whatever_is_asked_only_ids_that_exist_are_told(stored: Store) -> None:
    for asked in HOSTILE:
        found = near(stored, asked)
        assert len(found) == len(set(found)) <= NEAR
        assert set(stored.nodes(found)) == set(found)


def test_both_stores_tell_the_same(tmp_path: Path, transactional_db: None) -> None:
    team = a_built_team(tmp_path, FILES)
    folder = open_folder(team.git.path)
    with database_store(team.project) as database:
        assert [near(database, asked) for asked in CLOSE] == [near(folder, asked) for asked in CLOSE]


def test_a_restricted_path_tells_what_a_path_of_chance_would(tmp_path: Path, transactional_db: None) -> None:
    secret = {"restricted/plan.md": "# Plan\n\nRULE-LEN-0013\n", "restricted/lending.md": "# Lending\n"}
    plain = a_built_team(tmp_path, FILES, "plain")
    holding = a_built_team(tmp_path, FILES | secret, "holding")
    asked = [*secret, "restricted/", "restricted/pln.md", "RULE-LEN-0013", "plan", "restricted"]
    answers = []
    for team in (plain, holding):
        with database_store(team.project) as store:
            answers.append([(near(store, one), look_up(store, one).matches) for one in asked])
    assert [near for near, _ in answers[0]] == [near for near, _ in answers[1]]
    assert all(node_id in FILES or "restricted" not in node_id for near, _ in answers[1] for node_id in near)


@pytest.mark.parametrize(
    ("asked", "names", "found"),
    [
        ("lendng", ["lending", "landing", "opening"], ["lending", "landing"]),
        ("LENDING", ["lending"], ["lending"]),
        ("1327-dropck", ["1327-dropck-param-eyepatch", "1328-panic"], ["1327-dropck-param-eyepatch"]),
        ("ab", ["abcdefgh"], []),
        ("anything", [], []),
        ("", ["a"], []),
    ],
)
def test_the_closest_names_are_those_that_share_most(asked: str, names: list[str], found: list[str]) -> None:
    assert closest(asked, names) == found


def test_names_that_are_equally_close_stand_in_their_own_order() -> None:
    names = [f"page-{n:05}" for n in range(3_000)]
    assert closest("page-99999x", names) == closest("page-99999x", names[::-1])
