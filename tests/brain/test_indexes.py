"""Every query of the reads is answered from an index, however many projects share the tables."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from brain.reads.backlinks import read_backlinks
from brain.reads.lookup import look_up
from brain.reads.nearness import near
from brain.reads.page import open_page
from brain.reads.search import search
from brain.reads.tree import read_tree
from brain.store import Store, database_store
from tests.given_db import Team, a_built_team

pytestmark = pytest.mark.django_db(transaction=True)

FILES = {
    f"folder{n % 7}/{n:03}-page.md": f"# Page {n}\n\n[next](../folder{(n + 1) % 7}/{(n + 1):03}-page.md#part)\n\n"
    f"## Part\n\nSee R-{n + 1:03}.\n\n### R-{n:03} Rule\n\nText.\n"
    for n in range(300)
}
BIG_TABLES = {"brain_node", "brain_link", "brain_ref", "brain_text"}


@pytest.mark.parametrize(
    "ask",
    [
        lambda store: read_tree(store, "folder1/", depth=2),
        lambda store: open_page(store, "folder1/001-page.md#part"),
        lambda store: read_backlinks(store, "folder1/001-page.md"),
        lambda store: [look_up(store, query) for query in ("R-001", "001", "page 7", "FOLDER1/001-page.md")],
        lambda store: read_tree(store, "folder1/", match="page 8"),
        lambda store: [
            near(store, asked) for asked in ("folder1/1-page.md", "folder1/001-page.md#x", "R-9999")
        ],
        lambda store: [
            search(store, "007", under=under) for under in ("", "folder0/", "folder0/007-page.md")
        ],
    ],
    ids=["tree", "page", "backlinks", "lookup", "match", "near", "search"],
)
def test_a_read_scans_no_table_from_end_to_end(tmp_path: Path, ask: Callable[[Store], object]) -> None:
    team = a_built_team(tmp_path, FILES)
    for number in range(3):
        _another(team, tmp_path, f"other-{number}")
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE brain_node, brain_link, brain_ref, brain_text")
    with database_store(team.project) as store, CaptureQueriesContext(connection) as queries:
        ask(store)
    asked = [query["sql"] for query in queries if query["sql"].lstrip().startswith(("SELECT", "WITH"))]
    assert asked
    assert {table: sql for sql in asked for table in _scanned(sql)} == {}


def test_a_search_finds_and_counts_its_nodes_in_the_index_of_words(tmp_path: Path) -> None:
    team = a_built_team(tmp_path, FILES)
    _another(team, tmp_path, "other")
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE brain_node, brain_text")
        cursor.execute("SELECT gin_clean_pending_list('text_vector')")  # as autovacuum does in its time
    with database_store(team.project) as store, CaptureQueriesContext(connection) as queries:
        search(store, "007")
    asked = [query["sql"] for query in queries if "brain_text" in query["sql"]]
    assert ["text_vector" in json.dumps(_plan(sql)) for sql in asked] == [True, True]


def _another(team: Team, folder: Path, slug: str) -> None:
    a_built_team(folder, FILES, slug)
    assert team.project.slug != slug


def _scanned(sql: str) -> list[str]:
    """The big tables that PostgreSQL would read whole for this query."""
    return [table for table in _sequential(_plan(sql)) if table in BIG_TABLES]


def _plan(sql: str) -> dict[str, object]:
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (FORMAT JSON) {sql}")
        plan = cursor.fetchone()[0]
    plans = json.loads(plan) if isinstance(plan, str) else plan
    found: dict[str, object] = plans[0]["Plan"]
    return found


def _sequential(plan: dict[str, object]) -> list[str]:
    own = [str(plan["Relation Name"])] if plan["Node Type"] == "Seq Scan" else []
    below = plan.get("Plans", [])
    assert isinstance(below, list)
    return own + [table for one in below for table in _sequential(one)]
