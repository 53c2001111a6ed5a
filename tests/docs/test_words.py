"""Every public word, code and address is explained."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator

import pytest
from django.urls import URLPattern, get_resolver

from brain.builds.reports import PHASES
from brain.markdown.summaries import RETIRED
from brain.models import State
from brain.store import OVERTAKEN
from brain.tree.nodes import Kind, LinkKind
from config.errors import ANSWERS, FORGED, UNKNOWN
from members.models import Role
from repositories.models import Repository
from tests.docs.conftest import Docs
from tests.environment import CHECKOUT

PROJECT = tomllib.loads((CHECKOUT / "pyproject.toml").read_text())
CONTRACTS = PROJECT["tool"]["importlinter"]["contracts"]
WORDS = [
    "alias",
    "anchor",
    "backlink",
    "behind",
    "broken-anchor",
    "broken-link",
    "build",
    "builder-version",
    "card",
    "citation",
    "default-branch",
    "document",
    "front-matter",
    "freshness",
    "generation",
    "home-page",
    "indexed-commit",
    "kind",
    "label",
    "layout",
    "left-out",
    "link",
    "look-up",
    "maintainer",
    "mcp",
    "member",
    "membership",
    "mention",
    "mirror",
    "never-indexed",
    "node",
    "node-id",
    "own-text",
    "pin",
    "problem",
    "project",
    "read",
    "reader",
    "reference",
    "reference-id",
    "remote",
    "repository",
    "reserved-anchor",
    "role",
    "root",
    "section",
    "size",
    "snapshot",
    "source",
    "space",
    "state",
    "status",
    "store",
    "subtree",
    "summary",
    "summary-source",
    "sync",
    "tip",
    "title",
    "title-heading",
    "tool",
    "tree-hash",
]  # that the public texts use in a meaning of their own


def modules() -> Iterator[ast.Module]:
    """Brain's own modules."""
    return (ast.parse(path.read_text()) for path in sorted((CHECKOUT / "brain").rglob("*.py")))


def given(name: str, position: int) -> set[str]:
    """The texts that calls of this name give for one of their arguments, by themselves or by a constant."""
    found = set()
    for module in modules():
        constants = {
            ast.unparse(one.targets[0]): one.value for one in module.body if isinstance(one, ast.Assign)
        }
        for call in ast.walk(module):
            if isinstance(call, ast.Call) and ast.unparse(call.func).rpartition(".")[2] == name:
                argument = call.args[position] if len(call.args) > position else ast.Constant(None)
                found |= texts(constants.get(ast.unparse(argument), argument))
    return found


def texts(expression: ast.expr) -> set[str]:
    """The texts that stand in an expression, but the empty one."""
    constants = (one.value for one in ast.walk(expression) if isinstance(one, ast.Constant))
    return {value for value in constants if isinstance(value, str) and value}


def in_code(text: str) -> set[str]:
    return set(re.findall(r"`([^`]+)`", text))


@pytest.mark.parametrize("word", WORDS)
def test_a_public_word_is_in_the_glossary(docs: Docs, word: str) -> None:
    assert docs.text(f"docs/glossary.md#{word}").count("\n") >= 2


def test_the_glossary_is_in_order_and_says_each_word_in_a_line(docs: Docs) -> None:
    titles = docs.titles("docs/glossary.md")
    assert titles == sorted(titles, key=str.casefold)
    for node in docs.store.children("docs/glossary.md", 0, 1_000):
        lines = docs.text(node.id).strip().split("\n")
        assert len([line for line in lines[1:] if line and not line.startswith("|")]) == 1, node.id


VALUES = {
    "kind": set(Kind),
    "link": set(LinkKind),
    "role": set(Role.values),
    "state": set(State.values),
    "status": set(RETIRED),
    "summary-source": given("Summary", 1),
    "problem": given("Problem", 2),
    "left-out": given("LeftOut", 1),
}


@pytest.mark.parametrize("word", VALUES)
def test_the_glossary_tells_every_value(docs: Docs, word: str) -> None:
    assert len(VALUES[word]) > 1
    assert VALUES[word] <= in_code(docs.text(f"docs/glossary.md#{word}"))


@pytest.mark.parametrize("word", ["summary-source", "problem", "left-out"])
def test_the_glossary_tells_no_value_that_there_is_not(docs: Docs, word: str) -> None:
    section = docs.text(f"docs/glossary.md#{word}")
    told = set(re.findall(r"^\| `([^`]+)` \|", section, re.MULTILINE)) or in_code(section)
    assert told == VALUES[word]


def test_every_error_code_has_a_section_that_names_its_status(docs: Docs) -> None:
    for answer in (*ANSWERS.values(), UNKNOWN, FORGED):
        assert f"Status {answer.status}" in docs.text(f"docs/errors.md#{answer.code}"), answer.code


def test_no_error_code_is_told_that_there_is_not(docs: Docs) -> None:
    codes = {answer.code for answer in (*ANSWERS.values(), UNKNOWN, FORGED)}
    assert {title for title in docs.titles("docs/errors.md") if not title.startswith("When ")} == codes


def rows(section: str) -> list[str]:
    return re.findall(r"^\| `([^`]+)` \|", section, re.MULTILINE)


def test_every_failure_of_a_build_is_explained(docs: Docs) -> None:
    assert sorted(rows(docs.text("docs/errors.md#when-a-build-fails"))) == sorted(
        given("BuildFailed", 0) | OVERTAKEN
    )


def test_every_outcome_of_a_sync_is_explained(docs: Docs) -> None:
    assert sorted(rows(docs.text("docs/errors.md#when-a-sync-fails"))) == sorted(Repository.Outcome.values)


def test_every_phase_of_a_build_is_described(docs: Docs) -> None:
    described = set(re.findall(r"\*\*(\w+)\*\*", docs.text("docs/architecture.md#a-build")))
    assert set(PHASES) <= described


def rooms() -> list[tuple[str, str]]:
    """Each app, and each room of an app, with the section that has to describe it."""
    layered = [contract for contract in CONTRACTS if contract["type"] == "layers"]
    return [
        (SECTIONS.get(container, container), room)
        for contract in layered
        for container in contract.get("containers", ["the-apps"])
        for room in re.findall(r"\w+", " ".join(contract["layers"]))
    ]


SECTIONS = {"brain": "the-rooms-of-brain"}


@pytest.mark.parametrize(("section", "room"), rooms())
def test_every_app_and_room_of_the_import_contracts_is_described(docs: Docs, section: str, room: str) -> None:
    described = docs.text(f"docs/architecture.md#{section}")
    assert {f"`{room}.py`", f"`{room}/`", f"### {room}"} & set(
        re.findall(r"`[\w./]+`|^### \w+$", described, re.MULTILINE)
    )


def test_every_import_contract_is_a_rule(docs: Docs) -> None:
    assert set(docs.titles("docs/architecture.md#import-rules")) == {
        contract["name"] for contract in CONTRACTS
    }


def test_every_file_that_the_architecture_names_is_there(docs: Docs) -> None:
    text = docs.text("docs/architecture.md")
    files = {
        path.name
        for app in ("brain", "members", "repositories", "wiki", "config")
        for path in (CHECKOUT / app).rglob("*.py")
    }
    assert set(re.findall(r"`(?:\w+/)*(\w+\.py)`", text)) <= files


def addresses() -> list[str]:
    found = []
    for pattern in get_resolver().url_patterns:
        below = [pattern] if isinstance(pattern, URLPattern) else pattern.url_patterns
        prefix = "" if isinstance(pattern, URLPattern) else str(pattern.pattern)
        found += (
            [f"/{prefix}"] if prefix else [f"/{one.pattern}".replace("<str:slug>", "<slug>") for one in below]
        )
    return [address.replace("<slug:code>", "<code>") for address in found]


def test_every_address_of_the_portal_is_told(docs: Docs) -> None:
    pages = {address for address in addresses() if not address.startswith("/api/")}
    assert pages <= in_code(docs.text("docs/portal.md#addresses"))


def test_the_changelog_knows_this_version(docs: Docs) -> None:
    assert any(title.startswith(PROJECT["project"]["version"]) for title in docs.titles("docs/changelog.md"))
