"""Bodies that nobody would send: each is answered, none breaks the server, and none tells of its insides."""

from __future__ import annotations

import json
import os
import random
import string

from brain.tools import TOOLS
from tests.mcp.given_agents import MODERN, message, posted

ROUNDS = int(os.environ.get("MCP_FUZZ", "1000"))
ODD = (
    None,
    True,
    0,
    -1,
    1.5,
    2**63,
    "",
    "/",
    "\x00",
    "\ud800",
    "é" * 50,
    [],
    {},
    [[]],
    {"a": None},
    "a" * 5_000,
)
NAMES = (*TOOLS, "brain_", "initialize", "")
METHODS = ("tools/call", "tools/list", "initialize", "ping", "server/discover", "x", "")


def a_body(chance: random.Random) -> bytes:
    """A message, somewhere between right and noise."""
    match chance.randrange(10):
        case 0:
            return bytes(chance.randrange(256) for _ in range(chance.randrange(200)))
        case 1:
            return json.dumps(chance.choice(ODD)).encode()
        case 2:
            whole = json.dumps(message("tools/call", name="brain_tree", arguments={})).encode()
            at = chance.randrange(len(whole))
            return whole[:at] + bytes([chance.randrange(256)]) + whole[at + chance.randrange(3) :]
        case _:
            return json.dumps(_a_message(chance)).encode()


def _a_message(chance: random.Random) -> dict[str, object]:
    keys = (
        "node",
        "query",
        "text",
        "limit",
        "offset",
        "since",
        "citations",
        "scope",
        "fromLine",
        "projectId",
    )
    arguments = {chance.choice((*keys, "".join(chance.choices(string.printable, k=5)))): chance.choice(ODD)}
    params = {"name": chance.choice(NAMES), "arguments": chance.choice((arguments, arguments, *ODD))}
    told = message(chance.choice((*METHODS[:1] * 8, *METHODS)), **params)
    if chance.random() < 0.3:
        told[chance.choice(("id", "method", "params", "jsonrpc"))] = chance.choice(ODD)
    return told


def test_no_body_breaks_the_server(world, db, caplog):
    chance, client = random.Random(11), world.bearer("ben")
    for _ in range(ROUNDS):
        body = a_body(chance)
        headers = {"Mcp-Protocol-Version": MODERN} if chance.random() < 0.2 else {}
        response = posted(client, body, **headers)
        assert response.status_code < 500, body
        assert b"Traceback" not in response.content, body
        assert b"site-packages" not in response.content, body
        if response.status_code == 200:
            assert set(response.json()) <= {"jsonrpc", "id", "result", "error"}, body
    assert not [row for row in caplog.records if row.levelname == "ERROR"]
