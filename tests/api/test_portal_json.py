"""The portal's JSON: a session, the text as written, long answers."""

from __future__ import annotations

import pytest

from brain.catalogue import READS
from brain.forms import Door
from members.models import ReadCount
from tests.api.given_doors import Entrance, a_citation, activities, an_example, asked
from tests.api.given_handbook import REVIEW


def test_a_text_comes_as_it_is_written(portal):
    reading = portal.answer("read", node="rules/review.md")
    assert reading["text"] == REVIEW
    assert reading["lineNumbers"] is False


def test_a_node_is_read_with_all_under_it(portal):
    assert "Two reviewers approve" in portal.answer("read", node="rules/review.md#scope")["text"]
    own = portal.answer("read", node="rules/review.md#scope", scope="node")
    assert "Two reviewers approve" not in own["text"]


def test_an_answer_is_cut_at_200_000_characters(portal):
    reading = portal.answer("read", node="long.md")
    assert reading["truncated"] is True
    assert 190_000 < len(reading["text"]) <= 200_000
    assert portal.answer("read", node="line.md")["truncated"] is False


@pytest.mark.parametrize(
    ("read", "most"), [("tree", 200), ("search", 50), ("backlinks", 100), ("problems", 500)]
)
def test_a_limit_over_the_greatest_counts_as_it_and_says_so(portal, world, read, most):
    assert portal.answer(read, limit=100_000, **an_example(read, world))["limit"] == most


@pytest.mark.parametrize("read", ["lookup", "search"])
@pytest.mark.parametrize("name", ["q", "query"])
def test_what_is_looked_for_has_two_names(portal, read, name):
    assert portal.answer(read, **{name: "refunds"})["query"] == "refunds"


def test_a_space_and_a_label_restrict_what_is_found(portal):
    def found(**restricted):
        told = portal.answer("grep", text="refunds", **restricted)
        return {hit["path"] for hit in told["matches"]}, told.get("space"), told.get("label")

    home, queue = "wiki/eng/README.md", "wiki/eng/queue.md"
    assert found(space="eng") == ({home, queue}, "ENG", None)
    assert found(label="Queue") == ({queue}, None, "queue")
    assert found(space="ENG", label="queue") == ({queue}, "ENG", "queue")
    assert found(space="ops") == (set(), "OPS", None)


@pytest.mark.parametrize("wrong", [{"space": "no space"}, {"space": "1a"}, {"label": "—"}])
def test_a_malformed_space_or_label_is_refused(portal, wrong):
    refused = portal.ask("grep", text="refunds", **wrong)
    assert (refused.status_code, refused.json()["errors"][0]["field"]) == (400, next(iter(wrong)))


def test_one_citation_is_resolved_from_the_address(portal, world):
    (result,) = portal.answer("resolve", **a_citation(world))["results"]
    assert result["status"] == "moved"


def test_every_role_reads_and_nobody_else(world, db):
    for name, status in (("cleo", 200), ("ben", 200), ("ada", 200), ("root", 200), ("dora", 404), ("enzo", 404), ("gus", 404)):  # fmt: skip
        assert Entrance(Door.PORTAL, world.session(name)).ask("tree").status_code == status, name


def test_whoever_is_not_active_any_more_is_not_signed_in(world, portal):
    world.people["ben"].__class__.objects.filter(username="ben").update(is_active=False)
    assert portal.ask("tree").status_code == 401


def test_a_token_opens_nothing_here(world, db):
    entrance = Entrance(Door.PORTAL, world.bearer("ada"))
    refused = entrance.ask("tree")
    assert (refused.status_code, refused.json()["code"]) == (401, "not-signed-in")


@pytest.mark.parametrize("read", READS)
def test_a_read_in_the_portal_stands_in_the_log_with_the_member_alone(portal, world, read):
    asked(portal, read, world)
    rows = activities(action=f"brain.{read}")
    counted = ReadCount.objects.filter(action=f"brain.{read}")
    assert len(rows) + len(counted) == 1
    for row in rows:
        assert (row.door, row.actor_name, row.token_id) == ("portal", "ben", None)
    for count in counted:
        assert (count.member_id, count.token_id.int) == (world.people["ben"].pk, 0)


def test_a_refused_project_stands_in_the_log(world, db):
    Entrance(Door.PORTAL, world.session("dora")).ask("tree")
    (row,) = activities(action="access.denied")
    assert (row.actor_name, row.target, row.status) == ("dora", "handbook", 404)
