"""The server of the official SDK: it lists a desk's tools and hands their calls on."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import mcp_types as types
from asgiref.sync import sync_to_async
from django.conf import settings
from mcp.server.caching import CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError

from brain.tools import INSTRUCTIONS, Tool
from config.mcp.desks import Desk
from config.mcp.refusals import refusal

NAME = "kintsugi-brain"
KEPT = f"{NAME}/answer"  # in _meta: what a program keeps of an answer
READS_ONLY = types.ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)
# The list is the same for everybody and changes with a release; still nobody shares what a token got.
CACHED = CacheHint(ttl_ms=300_000, scope="private")

type Context = ServerRequestContext[Any, Any]


def server_for(desk: Desk) -> Server[Any]:
    """A server whose tools are answered at the desk."""

    async def list_tools(_: Context, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        if params is not None and params.cursor:
            raise MCPError(types.INVALID_PARAMS, "There is one page of tools, and no cursor.")
        listed = [_listed(tool, of_projects=desk.of_projects) for tool in desk.tools.values()]
        return types.ListToolsResult(tools=listed)

    async def call_tool(context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        tool = desk.tools.get(params.name)
        if tool is None:
            names = ", ".join(desk.tools)
            raise MCPError(types.INVALID_PARAMS, f"There is no such tool. There are: {names}.")
        return await sync_to_async(_called)(desk, tool, params.arguments or {}, _agent_of(context))

    server: Server[Any] = Server(
        NAME,
        version=str(settings.SPECTACULAR_SETTINGS["VERSION"]),
        title="Kintsugi Brain",
        instructions=INSTRUCTIONS,
        cache_hints={"tools/list": CACHED, "server/discover": CACHED},
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )
    server.middleware.clear()  # the SDK's tracing; nothing here exports it
    return server


def serve_stdio(desk: Desk) -> None:
    """Serve one client on standard input and output, until it closes them."""

    async def serve() -> None:
        server = server_for(desk)
        async with stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())

    asyncio.run(serve())


def _listed(tool: Tool, *, of_projects: bool) -> types.Tool:
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.about,
        input_schema=tool.schema(of_projects=of_projects),
        annotations=READS_ONLY,
    )


def _called(desk: Desk, tool: Tool, arguments: Mapping[str, Any], agent: str) -> types.CallToolResult:
    try:
        told = desk.answer(tool, arguments, agent)
        text, kept, failed = told.text, told.kept, False
    except Exception as error:  # noqa: BLE001 -- the agent is told; what nobody foresaw is logged
        (text, kept), failed = refusal(error, tool, of_projects=desk.of_projects), True
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=text)], is_error=failed, _meta={KEPT: kept}
    )


def _agent_of(context: Context) -> str:
    """How the client calls itself, where the protocol tells it."""
    params = context.session.client_params
    return f"{params.client_info.name} {params.client_info.version}" if params else ""
