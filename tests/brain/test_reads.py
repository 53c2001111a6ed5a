"""The reads: one answer, whether the tree stands in the database or in memory."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from brain import wire
from brain.errors import BrainOff, InvalidArgument, NodeNotFound, NotBuilt
from brain.folder import open_folder
from brain.reads.backlinks import read_backlinks
from brain.reads.broken import read_broken
from brain.reads.lookup import look_up
from brain.reads.read import read_node
from brain.reads.status import read_status
from brain.reads.tree import read_tree
from brain.store import Source, Store, database_store, source_of
from brain.tree.assembly import RULES_VERSION
from tests.given_db import STORES, Team, a_built_team, a_store

pytestmark = pytest.mark.django_db(transaction=True)

FILES = {
    "README.md": "# Handbook\n\nStart with [the rules](rules/) or [the scope](rules/1327-review.md#scope).\n",
    "rules/README.md": "# All rules\n\nEvery rule we have.\n",
    "rules/1327-review.md": "---\nid: RVW\nstatus: deprecated\n---\n# Review\n\nTwo pairs of eyes.\n\n## Scope\n\nAll.\n\n"
    "### RULE-A-001 Be kind\n\nAlways.\n\n## Limits\n\nNone.\n",
    "rules/other.md": "# Other\n\nSee RULE-A-001 and [gone](gone.md), [scop](1327-review.md#scop).\n\n## Scope\n\nx\n",
    "wide/a.md": "# A\r\n\r\nOne\u2028two\rthree.\r\n",
} | {f"many/{n:03}.md": f"# Number {n}\n\n[up](../README.md)\n" for n in range(60)}


@pytest.fixture(params=STORES)
def stored(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """One world, asked through each store."""
    team = a_built_team(tmp_path, FILES)
    with a_store(team, request.param) as store:
        yield store


def test_a_level_holds_folders_before_documents_and_a_readme_first(stored: Store) -> None:
    level = read_tree(stored, "/")
    assert [branch.node.id for branch in level.children] == ["many/", "rules/", "wide/", "README.md"]
    below = read_tree(stored, "rules/")
    assert [branch.node.id for branch in below.children] == [
        "rules/README.md",
        "rules/1327-review.md",
        "rules/other.md",
    ]


def test_a_level_is_a_window_that_says_where_the_next_one_starts(stored: Store) -> None:
    first = read_tree(stored, "many/", limit=50)
    assert (len(first.children), first.total, first.next_offset) == (50, 60, 50)
    rest = read_tree(stored, "many/", offset=50, limit=50)
    assert (len(rest.children), rest.next_offset) == (10, None)


def test_depth_two_shows_the_first_twenty_grandchildren(stored: Store) -> None:
    level = read_tree(stored, "/", depth=2)
    assert [len(branch.children) for branch in level.children] == [20, 3, 1, 0]


def test_a_breadcrumb_leads_from_the_root_through_folders_document_and_sections(stored: Store) -> None:
    level = read_tree(stored, "rules/1327-review.md#RULE-A-001")
    assert [crumb.id for crumb in level.breadcrumb] == [
        "/",
        "rules/",
        "rules/1327-review.md",
        "rules/1327-review.md#scope",
        "rules/1327-review.md#RULE-A-001",
    ]


def test_a_read_gives_the_text_with_all_under_it_or_its_own_alone(stored: Store) -> None:
    whole = read_node(stored, "rules/1327-review.md#scope", scope="subtree")
    assert whole.text == "## Scope\n\nAll.\n\n### RULE-A-001 Be kind\n\nAlways.\n\n"
    own = read_node(stored, "rules/1327-review.md#scope", scope="node")
    assert own.text == "## Scope\n\nAll.\n\n"
    assert [node.id for node in own.children] == ["rules/1327-review.md#RULE-A-001"]


def test_a_citation_names_path_lines_commit_blob_and_the_hash_of_the_lines(stored: Store) -> None:
    reading = read_node(stored, "rules/1327-review.md#limits")
    citation = reading.citation
    assert citation is not None
    assert (citation.path, citation.line_start, citation.line_end) == ("rules/1327-review.md", 17, 19)
    assert citation.commit == stored.envelope.commit
    assert citation.quote_hash == hashlib.sha256(b"## Limits\n\nNone.\n").hexdigest()
    assert len(citation.blob) == 40


def test_numbered_lines_count_line_feeds_only_and_show_other_line_ends(stored: Store) -> None:
    reading = read_node(stored, "wide/a.md", line_numbers=True)
    assert reading.text == "1\t# A␍\n2\t␍\n3\tOne\u2028two␍three.␍\n"


@pytest.mark.parametrize("cut", [1, 2, 7, 23, 24_000])
def test_pages_of_a_read_join_to_the_bytes_of_the_blob(stored: Store, cut: int) -> None:
    for path in ("wide/a.md", "rules/1327-review.md"):
        text, line, column = "", None, None
        for _ in range(400):
            page = read_node(stored, path, scope="subtree", from_line=line, from_column=column, cut=cut)
            text += page.text
            line, column = page.next_line, page.next_column
            if not page.truncated:
                break
        assert text.encode() == FILES[path].encode()


def test_a_folder_reads_its_readme_and_without_one_lists_what_it_holds(stored: Store) -> None:
    reading = read_node(stored, "rules/")
    assert reading.text == "# All rules\n\nEvery rule we have.\n"
    assert reading.citation is not None
    assert reading.citation.node_id == "rules/README.md"
    listing = read_node(stored, "wide/")
    assert listing.citation is None
    assert listing.text.startswith("- A")


def test_auto_reads_a_small_node_whole(stored: Store) -> None:
    assert read_node(stored, "rules/1327-review.md", scope="auto").text == FILES["rules/1327-review.md"]


def test_links_are_told_both_ways_with_their_totals(stored: Store) -> None:
    readme = read_node(stored, "README.md")
    assert [link.node.id for link in readme.outgoing] == ["rules/", "rules/1327-review.md#scope"]
    assert (readme.incoming_total, len(readme.incoming)) == (60, 20)
    card = read_node(stored, "rules/1327-review.md#RULE-A-001")
    assert [(link.node.id, link.kind.value) for link in card.incoming] == [("rules/other.md", "mention")]


def test_backlinks_of_a_page_count_its_headings_and_not_its_own_links(stored: Store) -> None:
    page = read_backlinks(stored, "rules/1327-review.md")
    assert [(item.node.id, item.target.id) for item in page.items] == [
        ("README.md", "rules/1327-review.md#scope"),
        ("rules/other.md", "rules/1327-review.md#RULE-A-001"),
        ("rules/other.md", "rules/1327-review.md"),
    ]
    assert [item.node.id for item in read_backlinks(stored, "rules/1327-review.md#scope").items] == [
        "README.md"
    ]


def test_backlinks_come_in_windows(stored: Store) -> None:
    first = read_backlinks(stored, "README.md", limit=25)
    assert (len(first.items), first.total, first.next_offset) == (25, 60, 25)
    last = read_backlinks(stored, "README.md", offset=50, limit=25)
    assert (len(last.items), last.next_offset) == (10, None)


def test_backlinks_of_a_folder_are_refused(stored: Store) -> None:
    with pytest.raises(InvalidArgument):
        read_backlinks(stored, "rules/")


def test_broken_lists_links_and_anchors_apart(stored: Store) -> None:
    broken = read_broken(stored)
    assert [(link.source, link.target, link.line) for link in broken.links] == [
        ("rules/other.md", "gone.md", 3)
    ]
    assert [(one.target, one.suggestion) for one in broken.anchors] == [("1327-review.md#scop", "scope")]


@pytest.mark.parametrize(
    ("query", "found", "by"),
    [
        ("rules/other.md", "rules/other.md", "nodeId"),
        ("rules/other.md#scope", "rules/other.md#scope", "nodeId"),
        ("/rules/other.md", "rules/other.md", "path"),
        ("rules", "rules/", "path"),
        ("RULES/Other.md", "rules/other.md", "path"),
        ("rules/1327-review.md#rule-a-001-be-kind", "rules/1327-review.md#RULE-A-001", "anchor"),
        ("rule-a-001", "rules/1327-review.md#RULE-A-001", "referenceId"),
        ("rvw", "rules/1327-review.md", "referenceId"),
        ("1327-review", "rules/1327-review.md", "fileName"),
        ("RFC 1327", "rules/1327-review.md", "fileName"),
        ("1327", "rules/1327-review.md", "fileName"),
        ("all RULES", "rules/README.md", "title"),
    ],
)
def test_a_look_up_finds_a_node_by_any_of_its_names(stored: Store, query: str, found: str, by: str) -> None:
    match = look_up(stored, query).matches[0]
    assert (match.node.id, match.matched_by) == (found, by)
    assert match.breadcrumb[-1].id == found


def test_a_look_up_of_nothing_finds_nothing(stored: Store) -> None:
    assert look_up(stored, "no such thing").matches == ()


def test_a_node_the_commit_does_not_have_is_refused(stored: Store) -> None:
    with pytest.raises(NodeNotFound):
        read_tree(stored, "rules/none.md")


@pytest.mark.parametrize("line", [0, 99])
def test_a_line_outside_the_node_is_refused_with_the_lines_it_has(stored: Store, line: int) -> None:
    with pytest.raises(InvalidArgument, match="1 to 3"):
        read_node(stored, "wide/a.md", from_line=line)


def test_both_stores_give_the_same_answers_for_every_node(tmp_path: Path) -> None:
    team = a_built_team(tmp_path, FILES)
    folder = open_folder(team.git.path)
    with database_store(team.project) as database:
        for node in folder.held.tree.nodes:
            for ask in _questions(node.id):
                assert _answer(database, ask) == _answer(folder, ask)


def test_a_brain_that_was_never_built_tells_its_state_and_refuses_reads(tmp_path: Path) -> None:
    team = Team(tmp_path, FILES)
    with database_store(team.project) as store:
        assert read_status(store).envelope.state == "not-built"
        with pytest.raises(NotBuilt, match="not-built"):
            read_tree(store, "/")


def test_reading_a_project_that_has_no_brain_yet_stores_nothing(tmp_path: Path) -> None:
    team = Team(tmp_path, FILES)
    with database_store(team.project) as store, CaptureQueriesContext(connection) as queries:
        read_status(store)
    assert [query["sql"] for query in queries if not query["sql"].lstrip().startswith("SELECT")] == []


def test_a_brain_that_is_off_tells_its_state_and_refuses_reads(tmp_path: Path) -> None:
    team = a_built_team(tmp_path, FILES)
    source = source_of(team.project)
    source.enabled = False
    source.save()
    with database_store(team.project) as store:
        assert read_status(store).envelope.state == "off"
        with pytest.raises(BrainOff):
            read_node(store, "README.md")


def test_every_answer_says_how_far_it_is_behind(tmp_path: Path) -> None:
    team = a_built_team(tmp_path, FILES)
    for number in range(3):
        team.git.commit({"README.md": f"# Version {number}\n"})
    team.sync()
    with database_store(team.project) as store:
        envelope = read_tree(store, "/").envelope
    assert (envelope.commit, envelope.tip, envelope.behind) == (team.first, team.git.tip(), 3)
    assert envelope.synced_at is not None


def test_reads_of_one_store_stay_on_one_commit_while_a_build_replaces_the_tree(tmp_path: Path) -> None:
    team = a_built_team(tmp_path, FILES)
    with database_store(team.project) as store:
        before = read_tree(store, "/")
        _build_elsewhere(team)
        assert read_tree(store, "/") == before
    with database_store(team.project) as store:
        assert read_tree(store, "/").node.children == 1


def _build_elsewhere(team: Team) -> None:
    from threading import Thread

    from django.db import connections

    def work() -> None:
        team.git.commit({path: None for path in FILES if path != "README.md"})
        team.build()
        connections.close_all()

    thread = Thread(target=work)
    thread.start()
    thread.join(60)


def _questions(node_id: str) -> list[Callable[[Store], Any]]:
    return [
        lambda store: wire.level_json(read_tree(store, node_id, depth=2)),
        lambda store: wire.reading_json(read_node(store, node_id, line_numbers=True)),
        lambda store: wire.matches_json(look_up(store, node_id)),
        lambda store: wire.backlinks_json(read_backlinks(store, node_id)),
    ]


def _answer(store: Store, ask: Callable[[Store], Any]) -> Any:
    try:
        answer = ask(store)
    except InvalidArgument as refusal:
        return str(refusal)
    own = ("projectId", "branch", "tipCommit", "behind", "builtAt", "syncedAt", "state")
    return _without_titles({key: value for key, value in answer.items() if key not in own})


def _without_titles(answer: Any) -> Any:
    """The root's title is the repository's name, which a folder has another of."""
    if isinstance(answer, dict):
        is_root = answer.get("id") == "/"
        return {
            key: _without_titles(value) for key, value in answer.items() if not (is_root and key == "title")
        }
    return [_without_titles(one) for one in answer] if isinstance(answer, list) else answer


def test_rows_from_before_the_rules_of_what_is_never_indexed_changed_are_not_shown(tmp_path: Path) -> None:
    team = a_built_team(tmp_path, FILES)
    Source.objects.update(builder=RULES_VERSION - 1)
    with database_store(team.project) as store, pytest.raises(NotBuilt, match="never indexed has changed"):
        read_tree(store)
    team.build()
    with database_store(team.project) as store:
        assert read_tree(store).total
