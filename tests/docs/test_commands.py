"""What docs/cli.md says of the commands is what their parsers take."""

from __future__ import annotations

import argparse
import re
import shlex
from collections.abc import Iterator

import pytest
from django.core.management import load_command_class
from django.core.management.base import BaseCommand
from django.db import connections

from tests.docs.conftest import Docs
from tests.environment import CHECKOUT

COMMANDS = {
    "project": "brain",
    "member": "members",
    "token": "members",
    "brain": "brain",
    "mcp": "config",
    "verify_activity": "members",
    "serve": "config",
    "work": "config",
    "quickstart": "config",
}
EXAMPLES = re.findall(r"^\| `([^`]+)` \| (\d+) \|$", (CHECKOUT / "docs/cli.md").read_text(), re.MULTILINE)


def parsers() -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """Each command, and each verb with its command, with the parser of its arguments."""
    for name, app in COMMANDS.items():
        parser = load_command_class(app, name).create_parser("manage.py", name)
        yield name, parser
        for action in parser._actions:
            if isinstance(action, argparse._SubParsersAction):
                yield from ((f"{name} {verb}", one) for verb, one in action.choices.items())


def options(parser: argparse.ArgumentParser) -> set[str]:
    """Its long options but those that every command has."""
    usual = {
        option
        for action in BaseCommand().create_parser("manage.py", "x")._actions
        for option in action.option_strings
    }
    usual -= {"--skip-checks"}
    return {
        option
        for action in parser._actions
        for option in action.option_strings
        if option.startswith("--") and action.help != argparse.SUPPRESS
    } - usual


PARSERS = dict(parsers())


@pytest.mark.parametrize("name", PARSERS)
def test_every_command_and_verb_has_a_section_with_all_its_options(docs: Docs, name: str) -> None:
    section = docs.text(f"docs/cli.md#{name.replace(' ', '-')}")
    told = set(re.findall(r"`(--[a-z-]+)`", section))
    assert options(PARSERS[name]) <= told


@pytest.mark.parametrize(
    "name", [name for name in PARSERS if " " in name or name in ("mcp", "serve", "work", "quickstart")]
)
def test_no_option_is_told_that_there_is_not(docs: Docs, name: str) -> None:
    told = set(re.findall(r"^- .*", docs.text(f"docs/cli.md#{name.replace(' ', '-')}"), re.MULTILINE))
    named = {option for line in told for option in re.findall(r"`(--[a-z-]+)`", line.partition(";")[0])}
    assert named <= options(PARSERS[name])


def test_no_verb_is_told_that_there_is_not(docs: Docs) -> None:
    told = [
        title
        for command in docs.titles("docs/cli.md")
        for title in [command, *docs.titles(f"docs/cli.md#{command}")]
    ]
    assert set(told) - {"Exit codes"} == set(PARSERS)


def test_there_are_examples_of_exit_codes() -> None:
    assert len(EXAMPLES) >= 10


@pytest.mark.parametrize(("line", "code"), EXAMPLES)
def test_the_examples_end_with_the_codes_they_name(
    line: str, code: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(CHECKOUT)
    monkeypatch.setattr(connections, "close_all", lambda: None)
    name, *arguments = shlex.split(line)
    assert ended(["manage.py", name, *arguments]) == int(code)


def ended(argv: list[str]) -> int:
    try:
        load_command_class(COMMANDS[argv[1]], argv[1]).run_from_argv(argv)
    except SystemExit as end:
        return int(end.code or 0)
    return 0
