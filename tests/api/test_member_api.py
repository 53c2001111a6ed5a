"""The member API: a token, numbered lines, short answers, limits."""

from __future__ import annotations

import hashlib
import json
import re

import pytest

from brain.catalogue import READS
from brain.forms import Door
from members.models import ReadCount
from tests.api.given_doors import Entrance, a_citation, activities, an_example, asked, fresh_limits
from tests.api.given_world import a_client

LISTED = {"read", "grep", "search", "changes", "resolve"}
TINY = {"default": 3, "search": 2, "changes": 1, "auth": 3}


@pytest.fixture
def everywhere(db, world) -> Entrance:
    """The token of a maintainer for all her projects."""
    return Entrance(Door.MEMBER, world.bearer("ada"))


def test_a_text_comes_with_the_number_of_each_line(member):
    reading = member.answer("read", node="rules/review.md#limits")
    assert reading["text"] == "18\t## Limits\n19\t\n20\tNone today.\n"
    assert reading["lineNumbers"] is True


def test_a_small_node_is_read_whole_and_a_large_one_by_its_own_text(member):
    assert "Part 0" not in member.answer("read", node="long.md")["text"]
    assert "Limits" in member.answer("read", node="rules/review.md")["text"]
    assert member.answer("read", node="long.md", scope="subtree")["truncated"] is True


@pytest.mark.parametrize(("node", "line"), [("long.md", 1), ("line.md", 3)])
def test_an_answer_is_cut_at_24_000_characters_with_its_numbers(member, node, line):
    reading = member.answer("read", node=node, scope="subtree", fromLine=line)
    assert reading["truncated"] is True
    assert 20_000 < len(reading["text"]) <= 24_000


@pytest.mark.parametrize(
    ("read", "most"), [("tree", 100), ("search", 50), ("backlinks", 100), ("problems", 500)]
)
def test_a_limit_over_the_greatest_counts_as_it_and_says_so(member, world, read, most):
    assert member.answer(read, limit=100_000, **an_example(read, world))["limit"] == most


@pytest.mark.parametrize(
    ("read", "usual"), [("tree", 50), ("search", 5), ("backlinks", 20), ("problems", 100)]
)
def test_a_list_has_its_usual_length(member, world, read, usual):
    assert member.answer(read, **an_example(read, world))["limit"] == usual


def test_the_project_may_be_left_out_when_the_token_names_one(member, world):
    assert member.answer("status")["projectId"] == str(world.handbook.project.pk)


@pytest.mark.parametrize("read", READS)
def test_a_token_for_all_projects_asks_for_one_by_name(everywhere, world, read):
    refused = asked(everywhere, read, world)
    assert refused.status_code == 400
    assert refused.json()["errors"][0]["field"] == "projectId"
    assert asked(everywhere, read, world, projectId="handbook").status_code == 200


def test_a_token_for_one_project_opens_no_other(world, db):
    dora = Entrance(Door.MEMBER, world.bearer("dora vault"))
    assert dora.answer("status", projectId="vault")["state"] == "ready"
    assert dora.ask("status", projectId="handbook").status_code == 404
    ben = Entrance(Door.MEMBER, world.bearer("ben"))
    assert ben.ask("status", projectId="empty").status_code == 404  # Ben belongs to it, his token does not


def test_a_superuser_reads_any_project(world, db):
    root = Entrance(Door.MEMBER, world.bearer("root"))
    assert root.answer("tree", projectId="vault")["total"] == 1


@pytest.mark.parametrize("read", ["lookup", "search"])
@pytest.mark.parametrize("name", ["q", "query"])
def test_what_is_looked_for_has_two_names(member, read, name):
    assert member.answer(read, **{name: "refunds"})["query"] == "refunds"


@pytest.mark.parametrize("name", ["space", "label"])
def test_spaces_and_labels_restrict_the_portals_grep_alone(member, name):
    refused = member.ask("grep", text="refunds", **{name: "eng"})
    assert (refused.status_code, refused.json()["errors"][0]["field"]) == (400, name)


def test_many_citations_are_resolved_in_their_order(member, world):
    unknown = a_citation(world) | {"commit": "ffff" * 10}
    told = member.answer("resolve", citations=[unknown, a_citation(world), unknown])
    assert [result["status"] for result in told["results"]] == ["unknownCommit", "moved", "unknownCommit"]


@pytest.mark.parametrize("count", [0, 101])
def test_there_are_one_to_a_hundred_citations(member, world, count):
    refused = member.ask("resolve", citations=[a_citation(world)] * count)
    assert (refused.status_code, refused.json()["errors"][0]["field"]) == (400, "citations")
    assert len(member.answer("resolve", citations=[a_citation(world)] * 100)["results"]) == 100


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"lineStart": 0}, "citations[1].lineStart"),
        ({"lineEnd": 1}, "citations[1].lineEnd"),
        ({"lineEnd": True}, "citations[1].lineEnd"),
        ({"commit": None}, "citations[1].commit"),
        ({"path": ["a.md"]}, "citations[1].path"),
        ({"path": ""}, "citations[1].path"),
        ({"nodeId": "b.md"}, "citations[1].nodeId"),
        ({"lines": 3}, "citations[1].lines"),
    ],
)
def test_a_wrong_citation_is_named_by_its_place(member, world, wrong, field):
    refused = member.ask("resolve", citations=[a_citation(world), a_citation(world) | wrong])
    assert (refused.status_code, refused.json()["errors"][0]["field"]) == (400, field)


def test_a_read_that_gives_text_stands_in_the_log_without_it(member, world):
    member.answer("read", node="rules/review.md#limits")
    (row,) = activities(action="brain.read")
    assert (row.actor_name, row.door, row.status) == ("ben", "api", 200)
    assert (row.project, row.target) == ("handbook", "rules/review.md#limits")
    assert json.loads(row.details) == {"commit": world.indexed, "lines": "18-20"}
    assert (row.token_name, row.token_hash) == ("ben", world.tokens["ben"].digest[:8])


@pytest.mark.parametrize("read", ["grep", "search"])
def test_of_a_question_in_words_the_log_keeps_a_hash(member, world, read):
    words = next(iter(an_example(read, world).values()))
    asked(member, read, world)
    (row,) = activities(action=f"brain.{read}")
    details = json.loads(row.details)
    assert set(details) == {"commit", "queryHash", "hits"}
    assert details["queryHash"] == hashlib.sha256(words.encode()).hexdigest()
    assert words not in str(vars(row))


def test_of_changes_and_citations_the_log_keeps_commits_and_counts(member, world):
    asked(member, "changes", world)
    asked(member, "resolve", world)
    (changes,), (resolve,) = activities(action="brain.changes"), activities(action="brain.resolve")
    told = {"since": world.first, "commit": world.indexed, "documents": 3}
    assert json.loads(changes.details) == told
    assert json.loads(resolve.details) == {"commit": world.indexed, "citations": 1}


@pytest.mark.parametrize("read", READS)
def test_every_read_is_either_listed_or_counted(member, world, read):
    for _ in range(2):
        asked(member, read, world)
    rows = activities(action=f"brain.{read}")
    counted = ReadCount.objects.filter(action=f"brain.{read}").values_list("count", "token_id")
    if read in LISTED:
        assert (len(rows), list(counted)) == (2, [])
    else:
        assert (len(rows), list(counted)) == (0, [(2, world.tokens["ben"].pk)])


def test_the_row_of_a_read_has_the_number_of_its_request(member):
    response = member.ask("read", node="README.md")
    (row,) = activities(action="brain.read")
    assert str(row.request_id) == response["X-Request-Id"]


@pytest.mark.parametrize(
    ("read", "policy"), [("tree", "default"), ("grep", "search"), ("changes", "changes")]
)
def test_an_answer_tells_what_is_left_of_its_limit(member, world, settings, read, policy):
    settings.RATE_LIMITS = TINY
    fresh_limits()
    response = asked(member, read, world)
    left = TINY[policy] - 1
    assert response["X-RateLimit-Limit"] == str(TINY[policy])
    assert response["X-RateLimit-Remaining"] == str(left)
    assert int(response["X-RateLimit-Reset"]) > 0
    assert response["RateLimit-Policy"] == f'"{policy}";q={TINY[policy]};w=60'
    assert re.fullmatch(rf'"{policy}";r={left};t=\d+', response["RateLimit"])


@pytest.mark.parametrize(
    ("read", "policy"), [("tree", "default"), ("grep", "search"), ("resolve", "changes")]
)
def test_too_many_questions_wait(member, world, settings, read, policy):
    settings.RATE_LIMITS = TINY
    fresh_limits()
    answers = [asked(member, read, world) for _ in range(TINY[policy] + 1)]
    assert [answer.status_code for answer in answers] == [200] * TINY[policy] + [429]
    assert answers[-1].json()["code"] == "rate-limited"
    assert 1 <= int(answers[-1]["Retry-After"]) <= 60
    assert answers[-1]["X-RateLimit-Remaining"] == "0"


def test_a_limit_is_each_tokens_own(member, world, settings):
    settings.RATE_LIMITS = TINY
    fresh_limits()
    while member.ask("tree").status_code == 200:
        pass
    other = Entrance(Door.MEMBER, world.bearer("ada"))
    assert other.ask("tree", projectId="handbook").status_code == 200


def test_nobody_without_a_token_learns_of_limits(world, db):
    response = a_client().get("/api/member/v1/brain/tree")
    assert response.status_code == 401
    assert not [name for name in response.headers if "ratelimit" in name.lower()]


def test_a_cookie_opens_nothing_here(world, db):
    assert world.session("ada").get("/api/member/v1/brain/tree?projectId=handbook").status_code == 401


def test_a_token_grants_no_more_than_its_member_has_now(world, db):
    for name, status in (
        ("finn", 403),
        ("cleo", 403),
        ("gus", 404),
        ("ben revoked", 401),
        ("ben expired", 401),
    ):
        entrance = Entrance(Door.MEMBER, world.bearer(name))
        assert entrance.ask("tree", projectId="handbook").status_code == status, name
