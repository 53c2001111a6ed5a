"""What docs/mcp.md says to agents and their people is what the product does."""

from __future__ import annotations

import re

import pytest

from brain.tools import FOLDER_TOOLS, TOOLS
from brain.tools.answers import MAX_BYTES, MAX_CHARACTERS
from config.mcp.messages import MAX_BODY, MAX_DEPTH, RATE_LIMITED
from config.mcp.server import KEPT
from members.clients import CLIENTS, PLACEHOLDER, configured
from tests.docs.conftest import Docs

ADDRESS = "https://brain.example.org/mcp"
ROW = re.compile(r"^\| `(brain_\w+)` \| (.+?) \|(.*)\|$", re.MULTILINE)
BLOCK = re.compile(r"```(\w+)\n(.*?)\n```", re.DOTALL)


def rows(docs: Docs) -> dict[str, str]:
    """Each tool of the table, with what it says of the arguments."""
    return {name: arguments for name, _, arguments in ROW.findall(docs.text("docs/mcp.md#the-tools"))}


def arguments_of(docs: Docs, name: str) -> list[str]:
    """How each argument is told, from its name on."""
    return re.findall(r"\*?`\w+`[^`]*", rows(docs)[name])


def test_the_table_lists_the_tools_in_the_order_of_the_server(docs: Docs) -> None:
    assert list(rows(docs)) == list(TOOLS)


@pytest.mark.parametrize("name", TOOLS)
def test_a_tool_is_told_with_its_arguments_in_order(docs: Docs, name: str) -> None:
    told = re.findall(r"`(\w+)`", rows(docs)[name])
    assert told == [parameter.name for parameter in TOOLS[name].parameters]


@pytest.mark.parametrize("name", TOOLS)
def test_what_has_to_be_given_is_told_apart(docs: Docs, name: str) -> None:
    told = re.findall(r"\*`(\w+)`\*", rows(docs)[name])
    assert told == TOOLS[name].schema(of_projects=False).get("required", [])


@pytest.mark.parametrize("name", TOOLS)
def test_a_number_is_told_with_its_bounds(docs: Docs, name: str) -> None:
    for told, parameter in zip(arguments_of(docs, name), TOOLS[name].parameters, strict=True):
        largest = parameter.clamp or parameter.most
        if parameter.kind == "number" and largest <= 20_000:
            assert f"{largest:,}" in told
            assert str(parameter.least) in told
            assert str(parameter.default) in told


@pytest.mark.parametrize("name", TOOLS)
def test_a_word_is_told_with_all_its_choices(docs: Docs, name: str) -> None:
    for told, parameter in zip(arguments_of(docs, name), TOOLS[name].parameters, strict=True):
        assert all(choice in told for choice in parameter.choices or ())


def test_the_tools_of_a_folder_are_named(docs: Docs) -> None:
    text = docs.text("docs/mcp.md#two-ways-in")
    assert sorted(re.findall(r"`(brain_\w+)`", text)) == sorted(FOLDER_TOOLS)


@pytest.mark.parametrize("client", CLIENTS, ids=[client.key for client in CLIENTS])
def test_a_client_is_told_what_the_page_of_tokens_tells(docs: Docs, client) -> None:
    section = docs.text(f"docs/mcp.md#{client.key}")
    texts = next(texts for one, texts in configured(ADDRESS, PLACEHOLDER) if one is client)
    assert BLOCK.findall(section) == [(part.language, text) for part, text in texts]
    assert client.note in " ".join(section.split("\n"))


def test_no_client_is_told_of_that_the_page_does_not_have(docs: Docs) -> None:
    assert docs.titles("docs/mcp.md#clients") == [*(client.name for client in CLIENTS), "Any other"]


def test_the_limits_are_those_of_the_server(docs: Docs) -> None:
    text = docs.text("docs/mcp.md#limits")
    assert f"{MAX_BODY >> 10} KiB" in text
    assert f"at most {MAX_DEPTH} deep" in text
    assert "at most 25,000 tokens" in text
    assert MAX_BYTES <= 4 * 25_000
    assert "fewer than 50,000 characters" in text
    assert MAX_CHARACTERS < 50_000


def test_where_a_program_finds_its_part_is_told(docs: Docs) -> None:
    assert f"`{KEPT}`" in docs.text("docs/mcp.md#an-answer")


def test_the_code_of_too_many_messages_is_told(docs: Docs) -> None:
    assert str(RATE_LIMITED) in docs.text("docs/mcp.md#refusals")
