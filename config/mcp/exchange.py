"""One HTTP request handed to the SDK's own transport, and its answer back.

The event loop lives as long as the request, and the tool itself runs in the thread that waits for it. So
there is one connection to the database, opened and closed as for any page, and nothing is left running.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

from asgiref.sync import async_to_sync
from django.http import HttpRequest, HttpResponse
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

from config.mcp.desks import Desk
from config.mcp.server import server_for

PATIENCE = 120  # seconds; reads have limits of their own far below


def exchange(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The SDK's answer to this request, with the tools of this desk. Raises TimeoutError."""
    return async_to_sync(_exchange)(_scope(request), request.body, desk)


async def _exchange(scope: dict[str, Any], body: bytes, desk: Desk) -> HttpResponse:
    response = HttpResponse()

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(event: Any) -> None:
        if event["type"] == "http.response.start":
            response.status_code = int(event["status"])
            _set_headers(response, event["headers"])
        else:
            response.write(event.get("body", b""))

    manager = StreamableHTTPSessionManager(app=server_for(desk), stateless=True, json_response=True)
    async with asyncio.timeout(PATIENCE), manager.run():
        await manager.handle_request(scope, receive, send)
    return response


def _scope(request: HttpRequest) -> dict[str, Any]:
    headers = [
        (name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in request.headers.items()
    ]
    return {
        "type": "http",
        "http_version": "1.1",
        "method": request.method,
        "scheme": request.scheme,
        "path": request.path,
        "query_string": b"",
        "headers": headers,
    }


def _set_headers(response: HttpResponse, headers: Iterable[tuple[bytes, bytes]]) -> None:
    del response["Content-Type"]
    for name, value in headers:
        if name.lower() != b"content-length":
            response[name.decode("latin-1")] = value.decode("latin-1")
