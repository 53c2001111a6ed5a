"""A refusal is problem details, in one order, and tells nobody what is not theirs."""

from __future__ import annotations

import json
import logging

import pytest
from django.urls import reverse

from brain import models
from brain.catalogue import READS
from brain.forms import Door
from config.errors import ANSWERS, FORGED, UNKNOWN
from members.models import ReadCount
from tests.api.described import refused
from tests.api.given_doors import Entrance, a_citation, a_client, activities, an_example, asked, fresh_limits

API = "/api/member/v1/brain"
CODES = sorted({answer.code for answer in (*ANSWERS.values(), UNKNOWN, FORGED)})
CANARY = "ktb_Canary0000000000000000000000000_000000"


def source(world, **change):
    models.Source.objects.filter(project=world.handbook.project).update(**change)


def problem(response):
    told = refused(response).json()
    return told["status"], told["code"]


def nobody(door):
    return Entrance(door, a_client())


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


@pytest.mark.parametrize("header", [f"Bearer {CANARY}", "Bearer"])
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
    ("read", "given", "meant"),
    [
        ("tree", {"nod": "/"}, "node"),
        ("tree", {"Node": "/"}, "node"),
        ("tree", {"limits": 5}, "limit"),
        ("read", {"from_line": 1}, "fromLine"),
        ("lookup", {"query": "x", "nodes": "x"}, ""),
        ("search", {"queri": "x"}, "query"),
        ("grep", {"tekst": "x"}, "text"),
        ("changes", {"sinse": "abcd"}, "since"),
        ("backlinks", {"ofset": 1}, "offset"),
        ("status", {"verbose": 1}, ""),
    ],
)
def test_an_unknown_parameter_names_the_nearest(door, read, given, meant):
    response = door.ask(read, **given)
    assert problem(response) == (400, "invalid-argument")
    wrong = next(name for name in given if name != "query")
    assert response.json()["errors"][0]["field"] == wrong
    assert f"There is no parameter {wrong}." in response.json()["detail"]
    assert (f"Did you mean {meant}?" in response.json()["detail"]) == bool(meant)


@pytest.mark.parametrize("name", ["token", "access_token", "api_key", "authorization"])
@pytest.mark.parametrize("read", ["status", "tree"])
def test_a_token_in_the_address_is_refused_and_said_nowhere(door, name, read, caplog):
    with caplog.at_level(logging.DEBUG):
        response = door.ask(read, **{name: CANARY})
    assert problem(response) == (400, "invalid-argument")
    assert CANARY not in response.content.decode() + str(response.headers) + caplog.text
    assert not [row for row in activities() if CANARY in str(vars(row))]


@pytest.mark.parametrize(
    ("read", "given"),
    [
        ("tree", {"limit": 0}),
        ("tree", {"limit": -1}),
        ("tree", {"limit": "many"}),
        ("tree", {"limit": "1.5"}),
        ("tree", {"limit": "１"}),
        ("tree", {"limit": "9" * 400}),
        ("tree", {"offset": 20_001}),
        ("tree", {"offset": -1}),
        ("tree", {"depth": 0}),
        ("tree", {"depth": 3}),
        ("read", {"fromLine": 0}),
        ("read", {"fromLine": 2**31}),
        ("read", {"node": "README.md", "fromLine": 400}),
        ("read", {"fromColumn": 1}),
        ("read", {"node": "README.md", "fromLine": 1, "fromColumn": 500}),
        ("read", {"scope": "whole"}),
        ("tree", {"commit": "HEAD"}),
        ("tree", {"commit": "A" * 40}),
        ("tree", {"node": "x" * 2_001}),
        ("tree", {"node": "a\0b"}),
        ("grep", {"text": "x" * 257}),
        ("grep", {"text": " "}),
        ("grep", {"text": "a " * 33}),
        ("grep", {"text": "x", "ignoreCase": "perhaps"}),
        ("grep", {}),
        ("search", {"query": ""}),
        ("search", {"query": "x" * 1_001}),
        ("search", {"query": "x", "limit": 0}),
        ("problems", {"offset": 20_001}),
    ],
)  # fmt: skip
def test_a_value_of_another_form_is_refused_and_not_guessed(door, read, given):
    response = door.ask(read, **given)
    assert problem(response) == (400, "invalid-argument")
    (error,) = response.json()["errors"]
    assert error["field"] in {*given, "text", "query", "q"}
    assert error["message"] == response.json()["detail"]


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


def test_whoever_is_not_signed_in_is_told_how_to_prove_who_they_are(world, db):
    assert nobody(Door.PORTAL).ask("tree")["WWW-Authenticate"] == 'Session realm="brain"'
    assert nobody(Door.MEMBER).ask("tree")["WWW-Authenticate"] == 'Bearer realm="brain"'


@pytest.mark.parametrize("name", ["ben expired", "ben revoked"])
def test_tokens_that_open_nothing_any_more_are_never_told_apart(world, db, name):
    unknown = _sent(f"Bearer {CANARY}")
    known = _sent(f"Bearer {world.raw[name]}")
    number = [response["X-Request-Id"].encode() for response in (unknown, known)]
    assert unknown.content.replace(number[0], b"") == known.content.replace(number[1], b"")
    assert problem(known) == (401, "token-invalid")
    assert known["WWW-Authenticate"] == 'Bearer realm="brain", error="invalid_token"'


@pytest.mark.parametrize(
    ("header", "code"),
    [
        ("", "token-missing"),
        ("Bearer", "token-invalid"),
        ("Bearer ", "token-invalid"),
        ("Basic {raw}", "token-missing"),
        ("Token {raw}", "token-missing"),
        ("{raw}", "token-missing"),
        ("Bearer {raw} {raw}", "token-invalid"),
        ("Bearer {raw}x", "token-invalid"),
        ("Bearer x{raw}", "token-invalid"),
        ("Bearer ktb_é", "token-invalid"),
        ("Bearer {lower}", "token-invalid"),
    ],
)
def test_a_header_of_another_form_opens_nothing(world, db, header, code):
    raw = world.raw["ben"]
    response = _sent(header.format(raw=raw, lower=raw.lower()))
    assert response.status_code == 401
    assert problem(response)[1] in {code, "token-missing", "token-invalid"}
    assert raw not in response.content.decode()


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER"])
def test_the_word_bearer_may_be_written_as_one_likes(world, db, scheme):
    assert _sent(f"{scheme} {world.raw['ben']}").status_code == 200


def test_no_secret_is_logged_or_answered(world, db, caplog, monkeypatch):
    raw, session = world.raw["ben"], world.sessions["ben"]

    def broken(*_):
        raise KeyError(raw)

    with caplog.at_level(logging.DEBUG):
        answers = [
            _sent(f"Bearer {raw}"),
            _sent(f"Bearer {raw[:-1]}!"),
            _sent(f"Bearer {world.raw['ben revoked']}"),
            _sent(f"Basic {raw}"),
            a_client().get(f"{API}/tree", {"token": raw}),
            a_client().get(f"{API}/tree", {"node": "/", raw: "x"}),
            a_client().post(f"{API}/resolve", {"token": raw}, content_type="application/json"),
            a_client().post(f"{API}/resolve", raw, content_type="text/plain"),
            a_client().post("/signin", {"username": "ben", "password": raw}),
            world.session("ben").get("/api/projects/vault/brain/tree"),
        ]
        monkeypatch.setattr("brain.catalogue.listing.read_status", broken)
        answers.append(_lenient(raw).get(f"{API}/status"))
    assert answers[-1].status_code == 500
    said = caplog.text + "".join(f"{answer.content.decode()} {answer.headers}" for answer in answers)
    assert session not in said
    told = said.replace(f"KeyError: '{raw}'", "")  # the error of this test is what the log is for
    assert raw not in told
    assert world.tokens["ben"].digest not in told
    assert not [row for row in activities() if raw in str(vars(row))]


@pytest.mark.parametrize("read", READS)
@pytest.mark.parametrize("method", ["post", "put", "patch", "delete", "options", "trace"])
def test_a_read_takes_no_other_method(door, world, read, method):
    asks_by_post = (door.door, read) == (Door.MEMBER, "resolve")
    if asks_by_post and method == "post":
        method = "get"
    response = getattr(door.client, method)(door.address(read))
    assert problem(response) == (405, "method-not-allowed")
    assert response["Allow"] == ("POST" if asks_by_post else "GET, HEAD")


def test_an_address_below_a_read_does_not_exist(door):
    for address in (
        f"{door.address('tree')}/",
        f"{door.address('tree')}/x",
        "/api/",
        "/api/member/v2/brain/tree",
    ):
        assert problem(door.client.get(address)) == (404, "not-found")


@pytest.mark.parametrize("accept", ["*/*", "application/json", "text/html,*/*;q=0.8", "application/*"])
def test_whoever_takes_json_gets_it(door, accept):
    assert door.ask("tree", headers={"Accept": accept}).status_code == 200


@pytest.mark.parametrize("accept", ["text/html", "application/xml", "image/*"])
def test_whoever_takes_no_json_gets_none(door, accept):
    assert problem(door.ask("tree", headers={"Accept": accept})) == (406, "not-acceptable")


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "application/xml", "multipart/form-data; boundary=x"])  # fmt: skip
def test_a_body_of_another_kind_is_refused(member, kind):
    response = member.client.post(member.address("resolve"), b"citations=1", content_type=kind)
    assert problem(response) == (415, "unsupported-media-type")


@pytest.mark.parametrize(
    "body",
    [b"{", b"", b"\xff\xfe", b"[]", b"1", b"null", b'"x"', b'{"citations": NaN}', b"[" * 100_000, b'{"a":' * 100_000, b"1" * 10_000, b'{"projectId": "\\ud800"}'],
    ids=["cut", "empty", "bytes", "list", "number", "null", "text", "nan", "deep", "deep-object", "long", "surrogate"],
)  # fmt: skip
def test_a_body_that_is_no_json_object_is_refused(member, body):
    response = member.client.post(member.address("resolve"), body, content_type="application/json")
    assert problem(response) == (400, "invalid-argument")


@pytest.mark.parametrize("size", [(1 << 20) + 1, 3 << 20])
def test_a_body_that_is_too_large_is_refused(member, size):
    body = b'{"citations": "' + b"x" * (size - 17) + b'"}'
    response = member.client.post(member.address("resolve"), body, content_type="application/json")
    assert problem(response) == (413, "body-too-large")


def test_an_argument_of_a_body_belongs_into_the_body(member, world):
    body = json.dumps({"citations": [a_citation(world)]})
    address = f"{member.address('resolve')}?projectId=handbook"
    response = member.client.post(address, body, content_type="application/json")
    assert problem(response) == (400, "invalid-argument")


@pytest.mark.parametrize("reference", ["a%00b", "%ff", "..", "%2e%2e%2fx", "x" * 5_000, "%F0%9F%9A%80"])
def test_a_project_of_no_possible_name_is_not_found(portal, member, reference):
    response = portal.client.get(f"/api/projects/{reference}/brain/tree")
    assert response.status_code in (400, 404)
    refused(response)
    response = member.client.get(f"{API}/tree?projectId={reference}")
    assert response.status_code in (400, 404)
    refused(response)


@pytest.mark.parametrize("door_", Door)
def test_an_error_that_nobody_foresaw_is_a_problem_without_details(world, db, monkeypatch, caplog, door_):
    def broken(*_):
        raise KeyError("a secret of the server")

    monkeypatch.setattr("brain.catalogue.listing.read_status", broken)
    client = (
        _lenient(world.raw["ben"])
        if door_ is Door.MEMBER
        else world.session("ben", raise_request_exception=False)
    )
    response = client.get(Entrance(door_, client).address("status"))
    assert problem(response) == (500, "internal")
    assert "secret" not in response.content.decode()
    assert response["X-Request-Id"] in caplog.text


@pytest.mark.parametrize("read", READS)
def test_a_refused_read_leaves_no_row_of_a_read(door, world, read):
    source(world, enabled=False)
    if read != "status":
        asked(door, read, world)
    door.ask(read, **{**an_example(read, world), "nope": 1})
    assert activities(action__startswith="brain.") == []
    assert not ReadCount.objects.exists()


def _sent(header):
    return a_client().get(f"{API}/tree", headers={"Authorization": header} if header else {})


def _lenient(raw):
    return a_client(raise_request_exception=False, headers={"Authorization": f"Bearer {raw}"})
