"""What each read says of the handbook, through either door."""

from __future__ import annotations

import hashlib

import pytest

from tests.api.given_doors import a_citation
from tests.api.given_handbook import LONG, ONE_LINE, WIDE

VIEW = {"id", "kind", "title", "summary", "summarySource", "lineStart", "lineEnd", "subtreeEnd", "size",
        "hasChildren", "childCount", "outgoing"}  # fmt: skip


def test_a_node_view_says_what_every_node_has_and_what_this_one_has(door):
    view = door.answer("tree", node="rules/review.md")["node"]
    assert set(view) == VIEW | {"referenceId", "labels", "status", "changed"}
    assert (view["referenceId"], view["status"]) == ("ADR-007", "accepted")
    assert view["labels"] == ["safety-first", "review"]
    assert set(view["changed"]) == {"commit", "date", "subject"}
    home = door.answer("tree", node="wiki/eng/README.md")["node"]
    assert (home["space"], home["order"]) == ("ENG", 2)


def test_a_level_at_depth_two_shows_the_children_of_the_children(door):
    flat, deep = door.answer("tree"), door.answer("tree", depth=2)
    assert not any("children" in child for child in flat["children"])
    below = {child["id"]: len(child["children"]) for child in deep["children"]}
    assert below["wide/"] == 20
    assert below["rules/"] == 5
    assert [{**child, "children": None} for child in flat["children"]] == [
        {**child, "children": None} for child in deep["children"]
    ]


def test_words_order_a_level_and_leave_nobody_out(door):
    level = door.answer("tree", node="wide/", match="branch 77", limit=5)
    assert level["children"][0]["id"] == "wide/077.md"
    assert level["total"] == WIDE


@pytest.mark.parametrize("node", ["long.md", "line.md"])
@pytest.mark.parametrize("scope", ["subtree", "node", "auto"])
def test_the_pages_of_a_text_join_to_it(door, node, scope):
    whole = {"long.md": LONG, "line.md": ONE_LINE}[node]
    text, place, last = "", {}, (0, 0)
    while True:
        page = door.answer("read", node=node, scope=scope, **place)
        text += _written(page)
        if not page["truncated"]:
            break
        assert (page["nextLine"], page.get("nextColumn", 1)) > last  # it always gets on
        last = page["nextLine"], page.get("nextColumn", 1)
        place = {"fromLine": last[0], "fromColumn": last[1]}
    assert page["nextLine"] is None
    own = whole if scope == "subtree" else whole.partition("## Part")[0]
    assert text == own


def test_a_citation_can_be_checked_against_the_repository(door, world):
    reading = door.answer("read", node="rules/review.md#limits")
    cited = reading["citation"]
    lines = world.handbook.git.git("cat-file", "blob", cited["blob"]).split(b"\n")
    quote = b"\n".join(lines[cited["lineStart"] - 1 : cited["lineEnd"]]) + b"\n"
    assert cited["quoteHash"] == hashlib.sha256(quote).hexdigest()
    assert (cited["nodeId"], cited["path"]) == ("rules/review.md#limits", "rules/review.md")
    assert cited["commit"] == world.indexed


def test_a_read_shows_what_stands_below_and_the_links_both_ways(door):
    reading = door.answer("read", node="rules/review.md#scope", scope="node")
    assert [child["id"] for child in reading["children"]] == ["rules/review.md#RULE-REV-001"]
    links = reading["links"]
    assert [link["node"]["id"] for link in links["outgoing"]] == ["rules/review.md#RULE-REV-001"]
    assert [link["node"]["id"] for link in links["incoming"]] == ["README.md"]
    assert (links["outgoingTotal"], links["incomingTotal"]) == (1, 1)


def test_a_folder_without_a_readme_lists_what_it_holds_and_cites_nothing(door):
    reading = door.answer("read", node="wide/")
    assert reading["citation"] is None
    assert "Branch 0" in reading["text"]


@pytest.mark.parametrize(
    ("asked_for", "node", "by"),
    [
        ("rule-rev-001", "rules/review.md#RULE-REV-001", "referenceId"),
        ("ADR-007", "rules/review.md", "referenceId"),
        ("rules/review.md#limits", "rules/review.md#limits", "nodeId"),
        ("queue", "wiki/eng/queue.md", "fileName"),
        ("two reviewers", "rules/review.md#RULE-REV-001", "title"),
    ],
)
def test_a_name_leads_to_its_node_and_says_by_what(door, asked_for, node, by):
    match = door.answer("lookup", query=asked_for)["matches"][0]
    assert (match["id"], match["matchedBy"]) == (node, by)
    assert match["breadcrumb"][0]["id"] == "/"
    assert match["breadcrumb"][-1]["id"] == node


def test_a_name_that_leads_nowhere_comes_with_near_ones(door):
    told = door.answer("lookup", query="rules/reviews.md")
    assert told["matches"] == []
    assert "rules/review.md" in told["near"]


def test_an_unknown_node_comes_with_near_ones(door):
    response = door.ask("read", node="rules/reviews.md")
    assert (response.status_code, response.json()["code"]) == (404, "node-not-found")
    assert "rules/review.md" in response.json()["near"]


def test_lines_are_found_where_they_stand(door):
    (hit,) = door.answer("grep", text="reviewers merge")["matches"]
    assert (hit["path"], hit["line"]) == ("rules/review.md", 16)
    assert hit["node"]["id"] == "rules/review.md#RULE-REV-001"
    assert hit["text"] == "Two reviewers approve before a merge."
    assert hit["breadcrumb"][-1]["id"] == hit["node"]["id"]


@pytest.mark.parametrize(("ignore", "hits"), [("true", 1), ("false", 0)])
def test_letters_count_as_asked(door, ignore, hits):
    assert len(door.answer("grep", text="REVIEWERS MERGE", ignoreCase=ignore)["matches"]) == hits


def test_a_search_stays_under_a_node(door):
    everywhere = {hit["path"] for hit in door.answer("grep", text="refunds")["matches"]}
    below = {hit["path"] for hit in door.answer("grep", text="refunds", under="wiki/")["matches"]}
    assert below < everywhere
    assert {path.partition("/")[0] for path in below} == {"wiki"}
    results = door.answer("search", query="refunds", under="wiki/")["results"]
    assert results
    assert all(result["id"].startswith("wiki/") for result in results)


@pytest.mark.parametrize("read", ["grep", "search", "changes"])
def test_a_place_that_does_not_exist_holds_nothing_to_search(door, world, read):
    wanted = {"grep": {"text": "x"}, "search": {"query": "x"}, "changes": {"since": world.first}}[read]
    assert door.ask(read, under="nowhere/", **wanted).json()["code"] == "node-not-found"


def test_a_reference_id_puts_its_card_first(door):
    told = door.answer("search", query="RULE-REV-001")
    assert told["results"][0]["id"] == "rules/review.md#RULE-REV-001"
    assert told["mode"] == "text"


def test_backlinks_are_the_links_of_other_pages(door):
    told = door.answer("backlinks", node="rules/review.md")
    found = {(item["node"]["id"], item["target"]["id"], item["linkKind"]) for item in told["items"]}
    assert found == {
        ("README.md", "rules/review.md#scope", "link"),
        ("rules/other.md", "rules/review.md", "link"),
        ("rules/other.md", "rules/review.md#RULE-REV-001", "mention"),
    }


@pytest.mark.parametrize("node", ["/", "rules/"])
def test_a_folder_has_no_backlinks(door, node):
    assert door.ask("backlinks", node=node).json()["code"] == "invalid-argument"


def test_what_leads_nowhere_is_listed(door):
    told = door.answer("broken")
    assert told["links"] == [{"from": "rules/other.md", "target": "gone.md"}]
    (anchor,) = told["anchors"]
    assert (anchor["from"], anchor["target"]) == ("rules/other.md", "review.md#scop")
    assert "scope" in anchor["suggestion"]


def test_changes_name_documents_and_their_parts(door, world):
    told = door.answer("changes", since=world.first)
    found = {each["path"]: each for each in told["changes"]}
    assert set(found) == {"rules/added.md", "rules/new-name.md", "rules/review.md"}
    assert found["rules/new-name.md"]["oldPath"] == "rules/old-name.md"
    assert [found[path]["status"] for path in sorted(found)] == ["added", "renamed", "modified"]
    (part,) = found["rules/review.md"]["nodes"]
    assert (part["id"], part["status"]) == ("rules/review.md#limits", "modified")


@pytest.mark.parametrize("digits", [4, 7, 40])
def test_changes_take_the_first_digits_of_a_commit(door, world, digits):
    assert door.answer("changes", since=world.first[:digits])["since"] == world.first


def test_changes_know_no_commit_after_the_indexed_one(door, world):
    assert door.ask("changes", since=world.tip).json()["code"] == "commit-not-found"


def test_an_old_citation_leads_to_the_lines_of_today(door, world):
    (found,) = door.resolve(a_citation(world)).json()["results"]
    assert (found["status"], found["path"]) == ("moved", "rules/new-name.md")
    assert (found["lineStart"], found["lineEnd"], found["commit"]) == (3, 4, world.indexed)


def test_a_citation_is_taken_as_a_read_gave_it(member):
    cited = member.answer("read", node="rules/review.md#limits")["citation"]
    (found,) = member.resolve(cited).json()["results"]
    assert (found["status"], found["nodeId"]) == ("unchanged", "rules/review.md#limits")


def test_problems_tell_what_a_writer_can_mend(door):
    (problem,) = door.answer("problems")["problems"]
    assert problem["path"] == "odd.md"
    assert set(problem) == {"path", "line", "code", "severity", "message"}


def _written(page):
    """The text of a page as it is written in the file."""
    if not page["lineNumbers"]:
        return page["text"]
    *ended, last = page["text"].split("\n")
    lines = [f"{line}\n" for line in ended] + ([last] if last else [])
    return "".join(line.partition("\t")[2] for line in lines)
