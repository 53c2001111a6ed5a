"""The protocol over HTTP: what a client sends, and the answer or the refusal that it gets."""

from __future__ import annotations

import json

import pytest
from django.test import override_settings

from brain.tools import INSTRUCTIONS, TOOLS
from config.mcp.messages import MAX_BODY, MAX_DEPTH
from tests.api.described import problem
from tests.api.given_world import a_client
from tests.mcp.given_agents import (
    ADDRESS,
    HEADERS,
    LEGACY,
    MODERN,
    MODES,
    message,
    modern,
    posted,
    told_by,
    with_client,
)

INITIALIZE = message(
    "initialize",
    protocolVersion=LEGACY,
    capabilities={},
    clientInfo={"name": "tester", "version": "7"},
)


@pytest.fixture
def bearer(db, world):
    return world.bearer("ben")


@pytest.mark.parametrize("revision", MODES)
def test_a_client_of_either_revision_learns_how_to_work_and_gets_answers(server, world, revision):
    async def work(client):
        tools = await client.list_tools()
        return client.protocol_version, client.instructions, tools, await client.call_tool("brain_tree")

    version, instructions, listed, result = with_client(server, world.raw["ben"], revision, work)
    assert (version, instructions) == (revision, INSTRUCTIONS)
    assert [tool.name for tool in listed.tools] == list(TOOLS)
    assert all(tool.annotations.read_only_hint for tool in listed.tools)
    assert "rules/" in told_by(result)


@pytest.mark.parametrize("revision", MODES)
def test_no_request_needs_another_before_it(bearer, revision):
    """Any process may answer any request, so that a server is restarted without anybody noticing."""
    headers = {} if revision == LEGACY else {"Mcp-Protocol-Version": MODERN, "Mcp-Method": "tools/list"}
    params = {} if revision == LEGACY else {"_meta": modern()}
    response = posted(bearer, message("tools/list", **params), **headers)
    assert response.status_code == 200, response.content
    assert "Mcp-Session-Id" not in response.headers
    assert len(response.json()["result"]["tools"]) == len(TOOLS)


def test_the_list_may_be_kept_for_a_while_but_not_shared(bearer):
    headers = {"Mcp-Protocol-Version": MODERN, "Mcp-Method": "tools/list"}
    result = posted(bearer, message("tools/list", _meta=modern()), **headers).json()["result"]
    assert (result["ttlMs"], result["cacheScope"]) == (300_000, "private")


def test_a_session_of_another_server_is_no_obstacle(bearer):
    assert posted(bearer, message("tools/list"), **{"Mcp-Session-Id": "of-another"}).status_code == 200


def test_a_notification_is_taken_without_an_answer(bearer):
    response = posted(bearer, {"jsonrpc": "2.0", "method": "notifications/initialized"})
    assert (response.status_code, response.content) == (202, b"")


@pytest.mark.parametrize("method", ["get", "delete", "put", "patch"])
def test_there_is_no_stream_to_open_and_no_session_to_end(bearer, method):
    response = getattr(bearer, method)(ADDRESS, headers={"Accept": "text/event-stream"})
    assert (response.status_code, response["Allow"]) == (405, "POST")


@pytest.mark.parametrize(("name", "code"), [("", "token-missing"), ("ben expired", "token-invalid")])
def test_who_has_no_good_token_is_told_where_tokens_are_described(world, db, name, code):
    client = world.bearer(name) if name else a_client()
    response = posted(client, INITIALIZE)
    assert problem(response) == (401, code)
    described = 'resource_metadata="http://testserver/.well-known/oauth-protected-resource/mcp"'
    assert response["WWW-Authenticate"].startswith('Bearer realm="brain"')
    assert described in response["WWW-Authenticate"]


def test_the_description_of_the_resource_is_open_to_everybody(db):
    told = a_client().get("/.well-known/oauth-protected-resource/mcp").json()
    assert told["resource"] == "http://testserver/mcp"
    assert told["bearer_methods_supported"] == ["header"]


def test_a_token_without_the_scope_opens_nothing(world, db):
    response = posted(world.bearer("ben without scope"), INITIALIZE)
    assert problem(response) == (403, "insufficient-scope")


@pytest.mark.parametrize("origin", ["https://evil.example", "http://testserver.evil.example", "null", "x"])
def test_a_page_of_another_host_can_have_no_browser_ask_here(bearer, origin):
    assert posted(bearer, INITIALIZE, Origin=origin).status_code == 403


@override_settings(CSRF_TRUSTED_ORIGINS=["https://brain.example"])
@pytest.mark.parametrize("origin", ["http://testserver", "https://brain.example"])
def test_a_page_of_this_host_may(bearer, origin):
    assert posted(bearer, INITIALIZE, Origin=origin).status_code == 200


def test_another_host_is_not_served_here(bearer):
    assert posted(bearer, INITIALIZE, Host="evil.example").status_code == 400


def test_a_message_may_be_so_large_and_no_larger(bearer):
    def sized(size: int) -> bytes:
        body = json.dumps(message("tools/list", _meta={"pad": ""})).encode()
        return body.replace(b'"pad": ""', b'"pad": "%s"' % (b"x" * (size - len(body))))

    assert posted(bearer, sized(MAX_BODY)).status_code == 200
    assert problem(posted(bearer, sized(MAX_BODY + 1))) == (413, "body-too-large")


def test_a_message_may_be_nested_so_deep_and_no_deeper(bearer):
    def nested(depth: int) -> bytes:
        lists = "[" * (depth - 3) + "]" * (depth - 3)  # in params, in _meta
        return b'{"jsonrpc": "2.0", "id": 5, "method": "tools/list", "params": {"_meta": {"x": %s}}}' % (
            lists.encode()
        )

    assert posted(bearer, nested(MAX_DEPTH)).status_code == 200
    refused = posted(bearer, nested(MAX_DEPTH + 1))
    assert (refused.status_code, refused.json()["id"], refused.json()["error"]["code"]) == (400, 5, -32_600)
    assert posted(bearer, b"[" * 60_000).status_code == 400


@pytest.mark.parametrize(
    ("told", "status", "code"),
    [
        (b"", 400, -32_700),
        (b"{", 400, -32_700),
        (b"\xff\xfe", 400, -32_700),
        (b"[]", 400, -32_602),
        ([message("tools/list"), message("tools/list")], 400, -32_602),
        (message("tools/destroy"), 200, -32_601),
        (message("resources/list"), 200, -32_601),
        (message("tools/call", name="brain_write"), 200, -32_602),
        (message("tools/call"), 200, -32_602),
        (message("tools/list", cursor="b3RoZXI="), 200, -32_602),
        ({"jsonrpc": "1.0", "id": 1, "method": "tools/list"}, 400, -32_602),
    ],
)
def test_what_is_no_question_gets_the_error_that_the_protocol_has_for_it(bearer, told, status, code):
    response = posted(bearer, told)
    assert (response.status_code, response.json()["error"]["code"]) == (status, code)


def test_who_asks_for_a_tool_that_is_not_there_is_told_what_is(bearer):
    said = posted(bearer, message("tools/call", name="brain_write")).json()["error"]["message"]
    assert all(name in said for name in TOOLS)


@pytest.mark.parametrize("headers", [{"Accept": "text/html"}, {"Mcp-Protocol-Version": "1999-01-01"}])
def test_headers_of_another_protocol_are_refused(bearer, headers):
    assert 400 <= posted(bearer, message("tools/list"), **headers).status_code < 500


def test_a_body_that_is_no_json_by_its_header_is_refused(bearer):
    response = bearer.post(ADDRESS, b"{}", content_type="text/plain", headers=HEADERS)
    assert 400 <= response.status_code < 500


def test_a_header_that_contradicts_its_message_is_refused(bearer):
    headers = {"Mcp-Protocol-Version": MODERN, "Mcp-Method": "tools/call", "Mcp-Name": "brain_tree"}
    response = posted(bearer, message("tools/list", _meta=modern()), **headers)
    assert response.status_code == 400


@override_settings(RATE_LIMITS={"default": 2, "search": 1})
def test_whoever_asks_too_often_is_told_when_to_come_back(bearer):
    def grep():
        return posted(bearer, message("tools/call", name="brain_grep", arguments={"text": "merge"}))

    assert "RateLimit" in grep().headers
    refused = grep()
    assert (refused.status_code, refused.json()["error"]["code"]) == (429, -32_000)
    assert 0 < int(refused["Retry-After"]) <= 60
    assert posted(bearer, message("tools/list")).status_code == 200  # another policy counts it
