"""The programs that people connect with a token, and what each wants to be told."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

SERVER = "kintsugi-brain"
PLACEHOLDER = "ktb_…"
VARIABLE = "KTB_TOKEN"
SHELL, ENVIRONMENT = "Shell", "Environment"  # what is typed, and what no file of a project holds

type Written = Callable[[str, str], str]  # of the address and the token


class Part(NamedTuple):
    """One text that is ready to be pasted."""

    place: str  # the file that holds it, SHELL or ENVIRONMENT
    language: str  # "sh", "json" or "toml"
    written: Written


class Client(NamedTuple):
    """One program; where it can, it finds the token outside of every file that might be committed."""

    key: str
    name: str
    note: str  # what its texts can't say
    parts: tuple[Part, ...]


def configured(address: str, token: str = PLACEHOLDER) -> list[tuple[Client, list[tuple[Part, str]]]]:
    """Every client, and its texts for the server at this address."""
    return [(client, [(part, part.written(address, token)) for part in client.parts]) for client in CLIENTS]


def _added(address: str, token: str) -> str:
    header = f'--header "Authorization: Bearer {token}"'
    return f"claude mcp add --transport http {SERVER} {address} \\\n  {header}"


def _exported(_address: str, token: str) -> str:
    return f'export {VARIABLE}="{token}"'


def _claude_code(address: str, _token: str) -> str:
    return _servers({"type": "http", "url": address, "headers": _bearer(f"${{{VARIABLE}}}")})


def _claude_desktop(address: str, token: str) -> str:
    # A space in an argument is lost on the way through npx on Windows, in the environment it is not.
    plain = ["--allow-http"] if address.startswith("http://") else []
    return _servers(
        {
            "command": "npx",
            "args": ["-y", "mcp-remote", address, *plain, "--header", "Authorization:${AUTHORIZATION}"],
            "env": {"AUTHORIZATION": f"Bearer {token}"},
        }
    )


def _cursor(address: str, _token: str) -> str:
    return _servers({"url": address, "headers": _bearer(f"${{env:{VARIABLE}}}")})


def _vs_code(address: str, _token: str) -> str:
    asked = {
        "type": "promptString",
        "id": "token",
        "description": "Token of Kintsugi Brain",
        "password": True,
    }
    server = {"type": "http", "url": address, "headers": _bearer("${input:token}")}
    return _json({"inputs": [asked], "servers": {SERVER: server}})


def _codex(address: str, _token: str) -> str:
    # A text of JSON is one of TOML, too.
    return "\n".join(
        [
            f"[mcp_servers.{SERVER}]",
            f"url = {json.dumps(address)}",
            f"bearer_token_env_var = {json.dumps(VARIABLE)}",
        ]
    )


def _gemini(address: str, _token: str) -> str:
    return _servers({"httpUrl": address, "headers": _bearer(f"${{{VARIABLE}}}")})


def _bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def _servers(server: Mapping[str, Any]) -> str:
    return _json({"mcpServers": {SERVER: server}})


def _json(told: Any) -> str:
    return json.dumps(told, indent=2, ensure_ascii=False)


EXPORT = Part(ENVIRONMENT, "sh", _exported)
CLIENTS = (
    Client(
        "claude-code",
        "Claude Code",
        "The command is for you alone, in the folder where you type it. The file is for everybody who works "
        "in a repository; each of them sets the variable.",
        (Part(SHELL, "sh", _added), Part(".mcp.json", "json", _claude_code), EXPORT),
    ),
    Client(
        "claude-desktop",
        "Claude Desktop",
        "Its file names local programs only, so mcp-remote, which needs Node.js, stands between the two.",
        (Part("claude_desktop_config.json", "json", _claude_desktop),),
    ),
    Client(
        "cursor",
        "Cursor",
        "Start Cursor from a shell that has the variable.",
        (Part(".cursor/mcp.json", "json", _cursor), EXPORT),
    ),
    Client(
        "vs-code",
        "VS Code",
        "VS Code asks for the token once and keeps it among its secrets.",
        (Part(".vscode/mcp.json", "json", _vs_code),),
    ),
    Client(
        "codex",
        "Codex",
        "Codex takes the token from the variable; its file never holds one.",
        (Part("~/.codex/config.toml", "toml", _codex), EXPORT),
    ),
    Client(
        "gemini-cli",
        "Gemini CLI",
        "Gemini CLI takes the token from the variable, in folders that you trust.",
        (Part("~/.gemini/settings.json", "json", _gemini), EXPORT),
    ),
)
