"""How a test is an agent: by bare messages, or by the SDK's own client."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from django.http import HttpResponse
from django.test import Client as Browser
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult, Implementation

from tests.api.given_world import World

ADDRESS = "/mcp"
KEPT = "kintsugi-brain/answer"
LEGACY, MODERN = "2025-11-25", "2026-07-28"
MODES = {LEGACY: "legacy", MODERN: "auto"}
HEADERS = {"Accept": "application/json, text/event-stream"}


def message(method: str, /, **params: Any) -> dict[str, Any]:
    """A request of the protocol that needs no handshake."""
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}


def modern() -> dict[str, object]:
    """What each message of the newer revision says of its sender, in `_meta`."""
    prefix = "io.modelcontextprotocol"
    return {
        f"{prefix}/protocolVersion": MODERN,
        f"{prefix}/clientInfo": {"name": "tester", "version": "7"},
        f"{prefix}/clientCapabilities": {},
    }


def posted(client: Browser, told: Any, **headers: str) -> HttpResponse:
    """The response to a message, or to bytes that are none."""
    body = told if isinstance(told, bytes) else json.dumps(told).encode()
    return client.post(ADDRESS, body, content_type="application/json", headers={**HEADERS, **headers})


class Agent:
    """Somebody with a token who calls tools, one request a call."""

    def __init__(self, client: Browser) -> None:
        self.client = client

    def call(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        """The result of a tool, as it came."""
        response = posted(self.client, message("tools/call", name=tool, arguments=arguments))
        assert response.status_code == 200, response.content
        result: dict[str, Any] = response.json()["result"]
        return result

    def text(self, tool: str, /, **arguments: Any) -> str:
        """What the model reads of an answer."""
        return text_of(self.call(tool, **arguments), refused=False)

    def kept(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        """What a program keeps of an answer."""
        result = self.call(tool, **arguments)
        assert not result.get("isError"), result
        kept: dict[str, Any] = result["_meta"][KEPT]
        return kept

    def refusal(self, tool: str, /, **arguments: Any) -> tuple[str, str]:
        """The code and the text of a refusal."""
        result = self.call(tool, **arguments)
        return result["_meta"][KEPT]["code"], text_of(result, refused=True)


def text_of(result: Mapping[str, Any], *, refused: bool) -> str:
    """The one text of a result, which holds nothing else for the model."""
    assert bool(result.get("isError")) is refused, result
    assert "structuredContent" not in result
    (block,) = result["content"]
    assert set(block) == {"type", "text"}
    text: str = block["text"]
    return text


def an_agent(world: World, name: str = "ben") -> Agent:
    """An agent with this token."""
    return Agent(world.bearer(name))


@asynccontextmanager
async def connected(address: str, raw: str, revision: str = MODERN) -> AsyncIterator[Client]:
    """The SDK's client, connected over HTTP by this revision of the protocol."""
    headers = {"Authorization": f"Bearer {raw}"}
    named = Implementation(name="tester", version="7")
    async with httpx2.AsyncClient(headers=headers) as http:
        transport = streamable_http_client(f"{address}{ADDRESS}", http_client=http)
        async with Client(transport, mode=MODES[revision], client_info=named) as client:
            yield client


def with_client[T](
    address: str, raw: str, revision: str, do: Callable[[Client], Awaitable[T]], timeout: float = 60
) -> T:
    """What comes of doing something with a connected client."""

    async def run() -> T:
        async with asyncio.timeout(timeout), connected(address, raw, revision) as client:
            return await do(client)

    return asyncio.run(run())


def told_by(result: CallToolResult) -> str:
    """The text of a result of the SDK's client."""
    (block,) = result.content
    assert block.type == "text"
    return block.text
