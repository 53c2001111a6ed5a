"""Tokens and sessions: what they open, and that nobody reads them in an answer or a log."""

from __future__ import annotations

import logging

import pytest

from brain.forms import Door
from tests.api.described import problem
from tests.api.given_doors import activities, nobody
from tests.api.given_world import a_client

API = "/api/member/v1/brain"
CANARY = "ktb_Canary0000000000000000000000000_000000"


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


@pytest.mark.parametrize("name", ["token", "access_token", "api_key", "authorization"])
@pytest.mark.parametrize("read", ["status", "tree"])
def test_a_token_in_the_address_is_refused_and_said_nowhere(door, name, read, caplog):
    with caplog.at_level(logging.DEBUG):
        response = door.ask(read, **{name: CANARY})
    assert problem(response) == (400, "invalid-argument")
    assert CANARY not in response.content.decode() + str(response.headers) + caplog.text
    assert not [row for row in activities() if CANARY in str(vars(row))]


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
        answers.append(world.bearer("ben", raise_request_exception=False).get(f"{API}/status"))
    assert answers[-1].status_code == 500
    said = caplog.text + "".join(f"{answer.content.decode()} {answer.headers}" for answer in answers)
    assert session not in said
    told = said.replace(f"KeyError: '{raw}'", "")  # the error of this test is what the log is for
    assert raw not in told
    assert world.tokens["ben"].digest not in told
    assert not [row for row in activities() if raw in str(vars(row))]


def _sent(header):
    return a_client().get(f"{API}/tree", headers={"Authorization": header} if header else {})
