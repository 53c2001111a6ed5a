"""What every read answers, whichever of the two doors it is asked through."""

from __future__ import annotations

import datetime

import pytest

from brain.catalogue import READS
from brain.forms import Door
from tests.api.given_doors import Entrance, an_example, asked
from tests.api.given_handbook import SECRET, WIDE

ENVELOPE = {"projectId", "branch", "commit", "tipCommit", "behind", "builtAt", "syncedAt", "state"}
WINDOW = {"total", "limit", "offset", "nextOffset"}
KEYS = {
    "status": {"enabled", "wiki", "counts", "error", "attemptedCommit", "branches"},
    "tree": {"node", "breadcrumb", "children"} | WINDOW,
    "read": {"node", "breadcrumb", "text", "citation", "truncated", "nextLine", "totalLines", "children",
             "links", "lineNumbers"},
    "lookup": {"query", "matches"},
    "grep": {"text", "matches", "truncated", "total"},
    "search": {"query", "results", "mode"} | WINDOW,
    "backlinks": {"items"} | WINDOW,
    "broken": {"links", "truncated", "anchors", "anchorsTruncated"},
    "changes": {"since", "changes", "truncated"},
    "resolve": {"results"},
    "problems": {"problems", "leftOut"} | WINDOW,
}  # fmt: skip
PAGES = {"tree": ("children", "wide/"), "backlinks": ("items", "README.md"), "problems": ("problems", None)}


@pytest.mark.parametrize("read", READS)
def test_an_answer_has_its_members_and_the_facts_of_freshness(door, world, read):
    told = asked(door, read, world).json()
    assert set(told) == ENVELOPE | KEYS[read]
    assert told["projectId"] == str(world.handbook.project.pk)
    assert (told["branch"], told["state"]) == ("main", "ready")
    assert (told["commit"], told["tipCommit"], told["behind"]) == (world.indexed, world.tip, 1)
    for moment in (told["builtAt"], told["syncedAt"]):
        assert datetime.datetime.fromisoformat(moment).utcoffset() == datetime.timedelta()


@pytest.mark.parametrize("read", [read for read in READS if read != "read"])
def test_both_doors_give_one_answer(portal, member, world, read):
    assert asked(portal, read, world).json() == asked(member, read, world).json()


@pytest.mark.parametrize("read", READS)
def test_a_project_is_named_by_its_slug_or_its_id(portal, member, world, read):
    key = str(world.handbook.project.pk)
    by_slug = [asked(portal, read, world), asked(member, read, world, projectId="handbook")]
    by_id = [
        asked(Entrance(Door.PORTAL, portal.client, key), read, world),
        asked(member, read, world, projectId=key),
    ]
    assert {answer.status_code for answer in (*by_slug, *by_id)} == {200}
    assert [answer.json() for answer in by_slug] == [answer.json() for answer in by_id]


@pytest.mark.parametrize("read", READS)
def test_no_answer_holds_what_is_never_indexed(door, world, read):
    assert SECRET not in asked(door, read, world).content.decode()


@pytest.mark.parametrize(
    ("door", "read"),
    # The member API's resolve is asked by POST alone.
    [(door, read) for door in Door for read in READS if (door, read) != (Door.MEMBER, "resolve")],
    indirect=["door"],
)
def test_a_head_request_has_the_headers_of_the_answer_alone(door, world, read):
    response = door.client.head(door.address(read), an_example(read, world))
    assert (response.status_code, response.content) == (200, b"")


@pytest.mark.parametrize("read", PAGES)
@pytest.mark.parametrize("limit", [9, 100])
def test_the_windows_of_a_list_join_to_the_whole(door, read, limit):
    name, node = PAGES[read]
    arguments = {} if node is None else {"node": node}
    whole = door.answer(read, limit=1_000_000, **arguments)
    found, offset = [], 0
    while offset is not None:
        window = door.answer(read, offset=offset, limit=limit, **arguments)
        assert (window["offset"], window["limit"], window["total"]) == (offset, limit, whole["total"])
        found += window[name]
        offset = window["nextOffset"]
    assert found[: len(whole[name])] == whole[name]
    assert len(found) == whole["total"]


def test_the_windows_of_a_search_join_without_a_node_twice(door):
    found, offset = [], 0
    while offset is not None:
        window = door.answer("search", query="refunds", offset=offset, limit=1)
        found += [result["id"] for result in window["results"]]
        offset = window["nextOffset"]
    assert len(found) == len(set(found)) == window["total"] >= 2


def test_a_window_behind_the_end_is_empty(door):
    level = door.answer("tree", node="wide/", offset=20_000)
    assert (level["children"], level["total"], level["nextOffset"]) == ([], WIDE, None)


@pytest.mark.parametrize("read", ["lookup", "grep", "search"])
def test_nothing_found_while_newer_commits_wait_says_so(door, read):
    wanted = {"grep": {"text": "zebras"}}.get(read, {"query": "zebras"})
    told = door.answer(read, **wanted)
    assert told[READS[read].found] == []
    assert "ahead of what is read" in told["note"]


def test_nothing_found_at_the_tip_is_no_matter_of_time(world, db):
    dora = Entrance(Door.PORTAL, world.session("dora"), "vault")  # nobody wrote in it since
    told = dora.answer("grep", text="zebras")
    assert (told["matches"], told["behind"]) == ([], 0)
    assert "note" not in told


@pytest.mark.parametrize("read", ["tree", "read", "backlinks", "problems"])
def test_a_commit_is_a_guard(door, world, read):
    example = an_example(read, world)
    assert door.ask(read, commit=world.indexed, **example).status_code == 200
    refused = door.ask(read, commit="0" * 40, **example)
    assert (refused.status_code, refused.json()["code"]) == (409, "commit-moved")
    assert refused.json()["commit"] == world.indexed


def test_the_state_of_a_brain_that_was_never_built_is_told_too(world, db):
    in_portal = Entrance(Door.PORTAL, world.session("ada"), "empty").answer("status")
    by_token = Entrance(Door.MEMBER, world.bearer("ada")).answer("status", projectId="empty")
    assert in_portal == by_token
    assert (in_portal["state"], in_portal["commit"], in_portal["builtAt"]) == ("not-built", None, None)
    assert in_portal["branches"] == ["main"]
