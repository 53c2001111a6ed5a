"""What the tools answer: what the member API answers, in words, and within an agent's budget."""

from __future__ import annotations

import json
import random

import pytest

from brain.markdown.lines import estimated_tokens
from brain.tools import INSTRUCTIONS, TOOLS
from brain.tools.keeping import COUNTS, ENVELOPE
from config.mcp.server import KEPT
from tests.api.given_doors import a_citation, activities
from tests.mcp.given_agents import MODERN, an_agent, message, modern, posted, text_of

BUDGET = 2_500  # tokens, of all that an agent is told before its first call
MAX_TOKENS, MAX_LENGTH = 25_000, 50_000
NODES = ("/", "rules/", "wide/", "README.md", "rules/review.md", "line.md", "long.md", "odd.md", "nowhere.md")
ANSWERED = {
    "brain_status": {},
    "brain_tree": {"node": "wide/", "limit": 1_000},
    "brain_read": {"node": "rules/review.md"},
    "brain_lookup": {"query": "RULE-REV-001"},
    "brain_grep": {"text": "reviewers merge"},
    "brain_search_text": {"query": "refunds"},
    "brain_backlinks": {"node": "rules/review.md"},
}


def asks(world) -> dict[str, dict]:
    """A question for every tool."""
    cited = a_citation(world)
    return ANSWERED | {
        "brain_changes": {"since": world.first},
        "brain_resolve": {"citations": [cited, "rules/old-name.md:3-4@{}".format(cited["commit"])]},
    }


@pytest.fixture
def bearer_of_modern(db, world):
    """Calls a tool by the newer revision, which tells with each message who asks."""
    client = world.bearer("ben")

    def call(name, **arguments):
        told = message("tools/call", name=name, arguments=arguments, _meta=modern())
        headers = {"Mcp-Protocol-Version": MODERN, "Mcp-Method": "tools/call", "Mcp-Name": name}
        response = posted(client, told, **headers)
        assert response.status_code == 200, response.content

    return call


def rest(world, name, arguments):
    client, read = world.bearer("ben"), TOOLS[name].read.name
    address = f"/api/member/v1/brain/{read}"
    if read == "resolve":
        return client.post(address, arguments, content_type="application/json")
    return client.get(address, arguments)


def test_what_an_agent_is_told_at_first_fits_its_budget(world, db):
    listed = posted(world.bearer("ben"), message("tools/list")).json()["result"]["tools"]
    told = INSTRUCTIONS + json.dumps(listed, ensure_ascii=False, separators=(",", ":"))
    assert estimated_tokens(len(told.encode())) <= BUDGET


def test_the_list_of_tools_holds_nothing_of_a_project(world, db):
    lists = {posted(world.bearer(name), message("tools/list")).content for name in ("ben", "dora", "root")}
    assert len(lists) == 1


@pytest.mark.parametrize("name", TOOLS)
def test_a_tool_says_which_project_and_commit_it_read(world, agent, name):
    first = agent.text(name, **asks(world)[name]).splitlines()[0]
    assert str(world.handbook.project.pk) in first
    assert f"commit {world.indexed}" in first
    assert "1 commit behind the mirror" in first


@pytest.mark.parametrize("name", TOOLS)
def test_a_program_keeps_what_the_member_api_answers(world, agent, name):
    arguments = asks(world)[name]
    kept, told = agent.kept(name, **arguments), rest(world, name, arguments).json()
    assert {key: kept[key] for key in kept if key in (*ENVELOPE, *COUNTS)} == {
        key: told[key] for key in told if key in (*ENVELOPE, *COUNTS)
    }
    assert kept.get("citation") == told.get("citation")


def test_random_calls_are_answered_or_refused_as_by_the_member_api(world, agent):
    chance = random.Random(5)
    for _ in range(60):
        name = chance.choice(["brain_tree", "brain_read", "brain_backlinks", "brain_lookup", "brain_grep"])
        key = {"brain_lookup": "query", "brain_grep": "text"}.get(name, "node")
        arguments = {key: chance.choice(NODES)}
        if name in {"brain_tree", "brain_backlinks"}:
            arguments |= {"limit": chance.choice([0, 1, 7, 100]), "offset": chance.choice([0, 3, 200])}
        result, response = agent.call(name, **arguments), rest(world, name, arguments)
        assert bool(result.get("isError")) is (response.status_code != 200), (name, arguments)
        kept, told = result["_meta"][KEPT], json.loads(response.content)
        if response.status_code != 200:
            assert kept["code"] == told["code"]
        elif name == "brain_read":
            assert not told["citation"] or told["text"].rstrip("\n") in text_of(result, refused=False)
            assert kept["citation"] == told["citation"]
        elif name == "brain_tree":
            assert kept["children"] == [child["id"] for child in told["children"]]


def test_an_argument_of_another_name_is_refused_with_the_nearest(agent):
    code, said = agent.refusal("brain_read", nod="/")
    assert code == "invalid-argument"
    assert "Did you mean node?" in said
    assert "It takes: node, scope, fromLine, fromColumn, projectId." in said


@pytest.mark.parametrize(
    ("tool", "arguments", "code", "next_step"),
    [
        ("brain_read", {"node": "rules/reviw.md"}, "node-not-found", "rules/review.md"),
        ("brain_read", {"node": 7}, "invalid-argument", "brain_read"),
        ("brain_tree", {"limit": 0}, "invalid-argument", "brain_tree"),
        ("brain_changes", {"since": "ffffffff"}, "commit-not-found", "citation"),
        ("brain_resolve", {"citations": ["nonsense"]}, "invalid-argument", "path:start-end@commit"),
        ("brain_tree", {"projectId": "vault"}, "project-not-found", "Leave projectId out"),
    ],
)
def test_a_refusal_says_what_was_wrong_and_what_to_do_next(agent, tool, arguments, code, next_step):
    found, said = agent.refusal(tool, **arguments)
    assert (found, next_step in said) == (code, True), said


def test_a_token_of_many_projects_has_to_name_one(world, db):
    code, said = an_agent(world, "ada").refusal("brain_tree")
    assert code == "invalid-argument"
    assert "handbook" in said
    assert "vault" not in said
    assert an_agent(world, "ada").kept("brain_tree", projectId="handbook")["node"] == "/"


def test_no_answer_is_larger_than_an_agent_takes_in(agent):
    for node in NODES[:-1]:
        for tool, arguments in (("brain_tree", {"limit": 100, "depth": 2}), ("brain_read", {})):
            result = agent.call(tool, node=node, **arguments)
            whole = text_of(result, refused=False) + json.dumps(result["_meta"], ensure_ascii=False)
            assert (estimated_tokens(len(whole.encode())) <= MAX_TOKENS, len(whole) <= MAX_LENGTH) == (
                True,
                True,
            ), (tool, node)


@pytest.mark.parametrize("node", ["long.md", "line.md"])
def test_a_long_text_is_read_to_its_end(world, agent, node):
    asked, lines, last = {"node": node, "scope": "subtree"}, 0, None
    while True:
        kept = agent.kept("brain_read", **asked)
        here = (kept["nextLine"], kept.get("nextColumn"))
        assert here != last  # it goes on
        last, lines = here, kept["citation"]["lineEnd"]
        if not kept["truncated"]:
            break
        asked |= {"fromLine": kept["nextLine"], "fromColumn": kept.get("nextColumn") or 1}
    assert lines == kept["totalLines"]


def test_a_read_is_in_the_log_with_the_token_and_the_agent(world, agent):
    agent.kept("brain_read", node="rules/review.md")
    row = activities(action="brain.read")[-1]
    assert (row.token_name, row.door, row.target) == ("ben", "mcp", "rules/review.md")


def test_an_agent_is_known_by_the_name_that_it_gives_itself(world, bearer_of_modern):
    bearer_of_modern("brain_read", node="rules/")
    assert activities(action="brain.read")[-1].agent == "tester 7"


def test_what_was_refused_is_in_the_log(world, agent):
    agent.refusal("brain_read", node="/", projectId="vault")
    row = activities()[-1]
    assert (row.action, row.door, row.token_name) == ("access.denied", "mcp", "ben")


def test_a_text_that_gives_orders_stays_a_text(world, agent):
    """Whatever a document says comes after the line that says where it is from, and in no other field."""
    result = agent.call("brain_read", node="rules/review.md")
    assert "Two reviewers approve" not in json.dumps(result["_meta"])
    assert text_of(result, refused=False).startswith("[project ")
