"""What docs/operations.md promises about the settings."""

from __future__ import annotations

import ast
import re

from tests.environment import CHECKOUT


def settings_read() -> set[str]:
    """The names that settings.py asks the environment for: env("NAME") and env.bool("NAME")."""
    tree = ast.parse((CHECKOUT / "config" / "settings.py").read_text())
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and "env" in called(node.func)]
    return {call.args[0].value for call in calls if call.args and isinstance(call.args[0], ast.Constant)}


def called(function: ast.expr) -> list[str]:
    return ast.unparse(function).split(".")[:1]


def settings_told() -> list[str]:
    return re.findall(r"^\| `([A-Z_]+)` \|", (CHECKOUT / "docs" / "operations.md").read_text(), re.MULTILINE)


def test_every_setting_is_told_once_and_none_that_is_not_read() -> None:
    assert sorted(settings_told()) == sorted(settings_read())
