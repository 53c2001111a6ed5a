"""What each client is told of a server and a token, in the form that the client reads."""

from __future__ import annotations

import json
import shlex
import tomllib

import pytest

from members.clients import CLIENTS, ENVIRONMENT, PLACEHOLDER, SHELL, VARIABLE, Part, configured

ADDRESS = "https://brain.example.org/mcp"
TOKEN = "ktb_0123456789ABCDEFGHIJKLMNOPQRSTUV_aB3dE5"
PROMPT = "${input:token}"
TEXTS = [
    pytest.param(part, text, id=f"{client.key} {part.place}")
    for client, texts in configured(ADDRESS, TOKEN)
    for part, text in texts
]


def texts_of(key: str, address: str = ADDRESS) -> list[tuple[Part, str]]:
    """All that a client is told."""
    return next(texts for client, texts in configured(address, TOKEN) if client.key == key)


def text_of(key: str, place: str, address: str = ADDRESS) -> str:
    """The first that stands in this place."""
    return next(text for part, text in texts_of(key, address) if part.place == place)


def read(language: str, text: str) -> object:
    return {"json": json.loads, "toml": tomllib.loads, "sh": shlex.split}[language](text)


def server_of(key: str, place: str, under: str = "mcpServers", **given: str) -> dict[str, object]:
    """The one server that a file names."""
    told = json.loads(text_of(key, place, **given))[under]
    assert list(told) == ["kintsugi-brain"]
    return told["kintsugi-brain"]


@pytest.mark.parametrize(("part", "text"), TEXTS)
def test_a_text_is_of_its_language(part, text):
    assert read(part.language, text)


@pytest.mark.parametrize("key", [client.key for client in CLIENTS])
def test_a_client_learns_the_address(key):
    assert any(ADDRESS in text for _, text in texts_of(key))


@pytest.mark.parametrize("key", [client.key for client in CLIENTS])
def test_a_client_gets_the_token_or_asks_a_person_for_it(key):
    assert any(TOKEN in text or PROMPT in text for _, text in texts_of(key))


def test_no_file_of_a_project_holds_the_token():
    """Such a file is committed with the project's other files; a shell and a person's own files are not."""
    shared = {part.place: text for client in CLIENTS for part, text in texts_of(client.key)}
    places = [place for place in shared if place.startswith(".")]
    assert places == [".mcp.json", ".cursor/mcp.json", ".vscode/mcp.json"]
    assert [place for place in places if TOKEN in shared[place]] == []


@pytest.mark.parametrize("key", [client.key for client in CLIENTS])
def test_whoever_reads_a_variable_is_told_how_to_set_it(key):
    told = {part.place: text for part, text in texts_of(key)}
    set_by = told.pop(ENVIRONMENT, "")
    assert set_by == (f'export {VARIABLE}="{TOKEN}"' if VARIABLE in str(told) else "")


def test_the_command_of_claude_code_is_one_command():
    words = shlex.split(text_of("claude-code", SHELL).replace("\\\n", ""))
    assert words == [
        *("claude", "mcp", "add", "--transport", "http", "kintsugi-brain", ADDRESS),
        *("--header", f"Authorization: Bearer {TOKEN}"),
    ]


@pytest.mark.parametrize(
    ("key", "place", "under", "address", "token"),
    [
        ("claude-code", ".mcp.json", "mcpServers", "url", f"${{{VARIABLE}}}"),
        ("cursor", ".cursor/mcp.json", "mcpServers", "url", f"${{env:{VARIABLE}}}"),
        ("vs-code", ".vscode/mcp.json", "servers", "url", PROMPT),
        ("gemini-cli", "~/.gemini/settings.json", "mcpServers", "httpUrl", f"${{{VARIABLE}}}"),
    ],
)
def test_who_speaks_http_sends_a_header(key, place, under, address, token):
    server = server_of(key, place, under)
    assert server[address] == ADDRESS
    assert server["headers"] == {"Authorization": f"Bearer {token}"}


def test_vs_code_hides_the_token_that_it_asks_for():
    (asked,) = json.loads(text_of("vs-code", ".vscode/mcp.json"))["inputs"]
    assert (asked["type"], asked["id"], asked["password"]) == ("promptString", "token", True)


def test_codex_names_the_variable():
    told = tomllib.loads(text_of("codex", "~/.codex/config.toml"))
    assert told == {"mcp_servers": {"kintsugi-brain": {"url": ADDRESS, "bearer_token_env_var": VARIABLE}}}


def test_no_argument_of_claude_desktop_has_a_space():
    server = server_of("claude-desktop", "claude_desktop_config.json")
    assert (server["command"], server["args"][1]) == ("npx", "mcp-remote")
    assert not [word for word in server["args"] if " " in word]
    assert server["env"] == {"AUTHORIZATION": f"Bearer {TOKEN}"}


@pytest.mark.parametrize(("address", "is_told"), [("http://brain:8000/mcp", True), (ADDRESS, False)])
def test_plain_http_has_to_be_allowed_on_purpose(address, is_told):
    server = server_of("claude-desktop", "claude_desktop_config.json", address=address)
    assert ("--allow-http" in server["args"]) == is_told


def test_without_a_token_its_place_is_marked():
    marked = [text for _, texts in configured(ADDRESS) for _, text in texts if PLACEHOLDER in text]
    held = [text for client in CLIENTS for _, text in texts_of(client.key) if TOKEN in text]
    assert [text.replace(PLACEHOLDER, TOKEN) for text in marked] == held
