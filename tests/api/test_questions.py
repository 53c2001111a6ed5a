"""What a question may be: methods, parameters, values and bodies; all else is refused and not guessed."""

from __future__ import annotations

import json

import pytest

from brain.catalogue import READS
from brain.forms import Door
from tests.api.described import problem, refused
from tests.api.given_doors import a_citation

API = "/api/member/v1/brain"


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


@pytest.mark.parametrize("accept", ["*/*", "application/json", "text/html,*/*;q=0.8", "application/*"])
def test_whoever_takes_json_gets_it(door, accept):
    assert door.ask("tree", headers={"Accept": accept}).status_code == 200


@pytest.mark.parametrize("accept", ["text/html", "application/xml", "image/*"])
def test_whoever_takes_no_json_gets_none(door, accept):
    assert problem(door.ask("tree", headers={"Accept": accept})) == (406, "not-acceptable")


@pytest.mark.parametrize("read", READS)
@pytest.mark.parametrize("method", ["post", "put", "patch", "delete", "options", "trace"])
def test_a_read_takes_no_other_method(door, world, read, method):
    takes = {(Door.MEMBER, "resolve"): "POST", (Door.PORTAL, "status"): "GET, HEAD, PUT"}
    allowed = takes.get((door.door, read), "GET, HEAD")
    if method.upper() in allowed:
        method = "get" if allowed == "POST" else "delete"
    response = getattr(door.client, method)(door.address(read))
    assert problem(response) == (405, "method-not-allowed")
    assert response["Allow"] == allowed


def test_an_address_below_a_read_does_not_exist(door):
    for address in (
        f"{door.address('tree')}/",
        f"{door.address('tree')}/x",
        "/api/",
        "/api/member/v2/brain/tree",
    ):
        assert problem(door.client.get(address)) == (404, "not-found")


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
