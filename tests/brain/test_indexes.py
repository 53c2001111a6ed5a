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
from brain.reads.page import open_page
from brain.reads.tree import read_tree
from brain.store import Store, database_store
from tests.given_db import Team, a_built_team

pytestmark = pytest.mark.django_db(transaction=True)

FILES = {
    f"folder{n % 7}/{n:03}-page.md": f"# Page {n}\n\n[next](../folder{(n + 1) % 7}/{(n + 1):03}-page.md#part)\n\n"
    f"## Part\n\nSee R-{n + 1:03}.\n\n### R-{n:03} Rule\n\nText.\n"
    for n in range(300)
}
BIG_TABLES = {"brain_node", "brain_link", "brain_ref"}


@pytest.mark.parametrize(
    "ask",
    [
        lambda store: read_tree(store, "folder1/", depth=2),
        lambda store: open_page(store, "folder1/001-page.md#part"),
        lambda store: read_backlinks(store, "folder1/001-page.md"),
        lambda store: [look_up(store, query) for query in ("R-001", "001", "page 7", "FOLDER1/001-page.md")],
    ],
    ids=["tree", "page", "backlinks", "lookup"],
)
def test_a_read_scans_no_table_from_end_to_end(tmp_path: Path, ask: Callable[[Store], object]) -> None:
    team = a_built_team(tmp_path, FILES)
    for number in range(3):
        _another(team, tmp_path, f"other-{number}")
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE brain_node, brain_link, brain_ref")
    with database_store(team.project) as store, CaptureQueriesContext(connection) as queries:
        ask(store)
    asked = [query["sql"] for query in queries if query["sql"].lstrip().startswith("SELECT")]
    assert asked
    assert {table: sql for sql in asked for table in _scanned(sql)} == {}


def _another(team: Team, folder: Path, slug: str) -> None:
    a_built_team(folder, FILES, slug)
    assert team.project.slug != slug


def _scanned(sql: str) -> list[str]:
    """The big tables that PostgreSQL would read whole for this query."""
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (FORMAT JSON) {sql}")
        plan = cursor.fetchone()[0]
    plan = json.loads(plan) if isinstance(plan, str) else plan
    return [table for table in _sequential(plan[0]["Plan"]) if table in BIG_TABLES]


def _sequential(plan: dict[str, object]) -> list[str]:
    own = [str(plan["Relation Name"])] if plan["Node Type"] == "Seq Scan" else []
    below = plan.get("Plans", [])
    assert isinstance(below, list)
    return own + [table for one in below for table in _sequential(one)]
