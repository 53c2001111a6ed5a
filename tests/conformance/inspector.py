"""The Inspector, as a client that lists the tools and calls each of them."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from tests.conformance.node import Tools
from tests.conformance.product import MEMBER, PROJECT, Product
from tests.conformance.questions import NOWHERE, OF_FOLDERS, Question, questions
from tests.conformance.tally import Check, check
from tests.environment import CHECKOUT

PACKAGE = "@modelcontextprotocol/inspector"
DONE, UNAUTHORISED, REFUSED = 0, 3, 5  # its exit codes
ERAS = {"2025-11-25": "legacy", "2026-07-28": "modern"}


@dataclass(frozen=True, slots=True)
class Inspector:
    """One way to the server, by one revision of the protocol."""

    tools: Tools
    home: Path
    way: tuple[str, ...]  # its arguments

    def asked(self, method: str, *arguments: str, ends: int = DONE) -> dict[str, Any]:
        """The result of a method. Raises AssertionError for another end than this."""
        argv = ["--cli", *self.way, "--method", method, *arguments, "--format", "json"]
        done = self.tools.run("mcp-inspector", argv, self.home, MCP_INSPECTOR_SECRET_STORE="memory")
        said = f"ended with {done.returncode}: {done.stdout[-500:]}{done.stderr[-1500:]}"
        assert done.returncode == ends, said
        result: dict[str, Any] = json.loads(done.stdout)["result"] if done.stdout else {}
        return result

    def called(self, tool: str, question: Question, *, ends: int = DONE) -> None:
        """Call a tool. Raises AssertionError for another answer than the question has."""
        arguments = ("--tool-name", tool, "--tool-args-json", json.dumps(question.arguments))
        result = self.asked("tools/call", *arguments, ends=ends)
        (block,) = result["content"]
        assert question.told in block["text"], block["text"]
        assert "kintsugi-brain/answer" in result["_meta"]
        assert "structuredContent" not in result

    def listed(self, names: list[str]) -> None:
        """List the tools. Raises AssertionError unless there are these, with schemas that travel well."""
        listed = [tool["name"] for tool in self.asked("tools/list", "--strict")["tools"]]
        assert listed == names, listed


def inspected(tools: Tools, product: Product, home: Path) -> Iterator[Check]:
    """Everything over HTTP, by both revisions, and on standard input and output."""
    asked = questions(product.first)
    here = ("--server-url", product.address, "--transport", "http")
    token = ("--header", f"Authorization: Bearer {product.token}")
    for revision, era in ERAS.items():
        way = Inspector(tools, home, (*here, *token, "--protocol-era", era))
        yield from _all(f"Inspector, HTTP, {revision}", way, asked)
    nobody = Inspector(tools, home, (*here, "--stored-auth-only"))
    yield check("Inspector, HTTP", "no token", partial(nobody.asked, "tools/list", ends=UNAUTHORISED))
    config = _config(product, home)
    for name, known in (("project", asked), ("folder", {tool: asked[tool] for tool in OF_FOLDERS})):
        way = Inspector(tools, home, ("--config", str(config), "--server", name))
        yield from _all(f"Inspector, stdio, {name}", way, known)


def _all(group: str, way: Inspector, asked: Mapping[str, Question]) -> Iterator[Check]:
    yield check(group, "tools/list", partial(way.listed, list(asked)))
    for tool, question in asked.items():
        yield check(group, tool, partial(way.called, tool, question))
    yield check(group, "a refusal", partial(way.called, "brain_read", NOWHERE, ends=REFUSED))


def _config(product: Product, home: Path) -> Path:
    """A client's file with the two servers that it starts itself."""
    command, manage = sys.executable, str(CHECKOUT / "manage.py")
    project = ["mcp", "--in", PROJECT, "--member", MEMBER]
    # The folder's server has a place for its own key, and no database that answers.
    bare = {name: product.environment[name] for name in ("PATH", "DATA_ROOT")}
    bare["DATABASE_URL"] = "postgres://nobody@127.0.0.1:1/nothing"
    servers = {
        "project": {"command": command, "args": [manage, *project], "env": dict(product.environment)},
        "folder": {"command": command, "args": [manage, "mcp", "--path", str(product.folder)], "env": bare},
    }
    path = home / "servers.json"
    path.write_text(json.dumps({"mcpServers": servers}))
    return path
