"""A refusal is problem details, in one order, and tells nobody what is not theirs."""

from __future__ import annotations

import pytest
from django.db import OperationalError
from django.urls import reverse

from brain import models
from brain.catalogue import READS
from brain.errors import CommitUnavailable
from brain.forms import Door
from config.errors import ANSWERS, FORGED, UNKNOWN
from members.models import ReadCount
from repositories.errors import MirrorDamaged, MirrorMissing
from tests.api.described import problem
from tests.api.given_doors import Entrance, a_citation, activities, an_example, asked, fresh_limits, nobody
from tests.api.given_world import a_client

API = "/api/member/v1/brain"
CODES = sorted({answer.code for answer in (*ANSWERS.values(), UNKNOWN, FORGED)})
UNKNOWN_TOKEN = "ktb_Canary0000000000000000000000000_000000"


def source(world, **change):
    models.Source.objects.filter(project=world.handbook.project).update(**change)


def raising(error):
    def broken(*_, **__):
        raise error

    return broken


def test_a_request_that_is_wrong_in_all_ways_is_refused_for_the_first(world, db):
    source(world, enabled=False)
    wrong, node = {"nod": "/"}, {"node": "nowhere.md"}
    token = {name: Entrance(Door.MEMBER, world.bearer(name)) for name in ("dora", "finn", "ben")}
    here = {"projectId": "handbook"}
    assert problem(nobody(Door.MEMBER).ask("tree", **wrong, **here)) == (400, "invalid-argument")
    assert problem(nobody(Door.MEMBER).ask("tree", **node, **here)) == (401, "token-missing")
    assert problem(token["dora"].ask("tree", **node, **here)) == (404, "project-not-found")
    assert problem(token["finn"].ask("tree", **node, **here)) == (403, "permission-denied")
    assert problem(token["ben"].ask("tree", **node, **here)) == (409, "brain-off")
    source(world, enabled=True)
    assert problem(token["ben"].ask("tree", **node, **here)) == (404, "node-not-found")


def test_the_portal_refuses_in_the_same_order(world, db):
    source(world, enabled=False)
    wrong, node = {"nod": "/"}, {"node": "nowhere.md"}
    session = {name: Entrance(Door.PORTAL, world.session(name)) for name in ("dora", "ben")}
    assert problem(nobody(Door.PORTAL).ask("tree", **wrong)) == (400, "invalid-argument")
    assert problem(nobody(Door.PORTAL).ask("tree", **node)) == (401, "not-signed-in")
    assert problem(session["dora"].ask("tree", **node)) == (404, "project-not-found")
    assert problem(session["ben"].ask("tree", **node)) == (409, "brain-off")
    source(world, enabled=True)
    assert problem(session["ben"].ask("tree", **node)) == (404, "node-not-found")


def test_a_question_in_a_body_is_refused_in_the_same_order(world, db):
    source(world, enabled=False)
    good = {"citations": [a_citation(world)], "projectId": "handbook"}
    token = {name: Entrance(Door.MEMBER, world.bearer(name)) for name in ("dora", "finn", "ben")}
    assert problem(nobody(Door.MEMBER).ask("resolve", citations=[])) == (400, "invalid-argument")
    assert problem(nobody(Door.MEMBER).ask("resolve", **good)) == (401, "token-missing")
    assert problem(token["dora"].ask("resolve", **good)) == (404, "project-not-found")
    assert problem(token["finn"].ask("resolve", **good)) == (403, "permission-denied")
    assert problem(token["ben"].ask("resolve", **good)) == (409, "brain-off")


def test_a_scope_that_is_missing_is_told_after_access_and_before_the_state(world, db):
    source(world, enabled=False)
    entrance = Entrance(Door.MEMBER, world.bearer("ben without scope"))
    response = entrance.ask("tree")
    assert problem(response) == (403, "insufficient-scope")
    told = 'Bearer realm="brain", error="insufficient_scope", scope="member.read"'
    assert response["WWW-Authenticate"] == told
    assert problem(entrance.ask("tree", projectId="vault")) == (404, "project-not-found")


@pytest.mark.parametrize("header", [f"Bearer {UNKNOWN_TOKEN}", "Bearer"])
def test_a_wrong_question_is_wrong_whoever_asks(world, db, header):
    response = a_client().get(f"{API}/tree", {"nod": "/"}, headers={"Authorization": header})
    assert problem(response) == (400, "invalid-argument")


@pytest.mark.parametrize("code", CODES)
def test_the_type_of_a_problem_opens_a_page_that_explains_it(db, code):
    page = a_client().get(reverse("problem", args=[code]))
    html = page.content.decode()
    assert page.status_code == 200
    assert page["Content-Type"].startswith("text/html")
    assert code in html
    assert len(html) > 500


def test_a_refusal_names_the_page_of_its_own_host(member):
    told = member.ask("tree", node="nowhere.md").json()
    assert told["type"] == "http://testserver/problems/node-not-found"
    assert a_client().get(told["type"].removeprefix("http://testserver")).status_code == 200


def test_a_request_that_calls_the_server_by_another_name_is_refused_as_any_other(world, db):
    response = a_client().get(f"{API}/tree", headers={"Host": "evil.example"})
    assert problem(response) == (400, "invalid-argument")
    assert "evil" not in response.content.decode()


@pytest.mark.parametrize("code", ["nope", "a-when-a-build-fails"])
def test_what_is_no_code_has_no_page(db, code):
    assert a_client().get(f"/problems/{code}").status_code == 404


@pytest.mark.parametrize("read", READS)
@pytest.mark.parametrize("door", Door)
def test_a_foreign_project_and_an_unknown_one_are_the_same_to_the_byte(world, db, settings, read, door):
    settings.RATE_LIMITS = {"default": 9, "search": 9, "changes": 9, "auth": 9}
    told = []
    for project in ("vault", "nobody", str(world.vault.project.pk), "5f0c9f2e-0000-4000-8000-000000000000"):
        fresh_limits()
        if door is Door.PORTAL:
            response = asked(Entrance(door, world.session("ben"), project), read, world)
        else:
            response = asked(Entrance(door, world.bearer("ada")), read, world, projectId=project)
        number = response["X-Request-Id"]
        headers = {name: value for name, value in response.items() if name != "X-Request-Id"}
        told.append((response.status_code, response.content.replace(number.encode(), b""), headers))
    assert told[0][0] == 404
    assert told[1:] == told[:-1]


def test_a_foreign_project_without_a_brain_is_no_409(world, db):
    assert Entrance(Door.PORTAL, world.session("dora"), "empty").ask("tree").status_code == 404


@pytest.mark.parametrize(
    ("state", "says"),
    [
        (models.State.NOT_BUILT, "A maintainer starts one"),
        (models.State.QUEUED, "ask again in half a minute"),
        (models.State.INDEXING, "ask again in half a minute"),
        (models.State.FAILED, "The status says why"),
    ],
)
def test_a_brain_without_a_tree_says_its_state_and_what_to_do(door, world, state, says):
    source(world, commit="", state=state)
    for read in set(READS) - {"status"}:
        response = asked(door, read, world)
        assert problem(response) == (409, "brain-not-built"), read
        assert response.json()["state"] == state
        assert says in response.json()["detail"]


def test_a_brain_that_is_off_says_so_and_what_to_do(door, world):
    source(world, enabled=False)
    for read in set(READS) - {"status"}:
        response = asked(door, read, world)
        assert problem(response) == (409, "brain-off"), read
        assert response.json()["state"] == "off"
        assert "turn it on" in response.json()["detail"]
    assert door.answer("status")["state"] == "off"


def test_an_error_that_nobody_foresaw_is_a_problem_without_details(door, monkeypatch, caplog):
    monkeypatch.setattr("brain.catalogue.listing.read_status", raising(KeyError("a secret of the server")))
    door.client.raise_request_exception = False
    response = door.ask("status")
    assert problem(response) == (500, "internal")
    assert "secret" not in response.content.decode()
    assert response["X-Request-Id"] in caplog.text


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (OperationalError("connection refused at 10.0.0.1"), "unavailable"),
        (MirrorMissing("The mirror is not there."), "mirror-missing"),
        (MirrorDamaged("The mirror can't be read."), "mirror-damaged"),
        (CommitUnavailable("The mirror lacks the commit."), "commit-unavailable"),
    ],
)
def test_what_is_away_for_the_moment_says_when_to_ask_again(door, monkeypatch, error, code):
    monkeypatch.setattr("brain.catalogue.listing.read_node", raising(error))
    response = door.ask("read", node="README.md")
    assert problem(response) == (503, code)
    assert response["Retry-After"] == "30"
    assert "10.0.0.1" not in response.content.decode()


@pytest.mark.parametrize("wrong", [{"projectId": "vault"}, {"node": "nowhere.md"}])
def test_a_refusal_tells_what_is_left_of_the_limit_too(member, settings, wrong):
    settings.RATE_LIMITS = {"default": 5}
    response = member.ask("tree", **wrong)
    assert response.status_code == 404
    assert response["X-RateLimit-Remaining"] == "4"


@pytest.mark.parametrize("read", READS)
def test_a_refused_read_leaves_no_row_of_a_read(door, world, read):
    source(world, enabled=False)
    if read != "status":
        asked(door, read, world)
    door.ask(read, **{**an_example(read, world), "nope": 1})
    assert activities(action__startswith="brain.") == []
    assert not ReadCount.objects.exists()
