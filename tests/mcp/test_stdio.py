"""The tools on standard input and output: real processes, asked by the SDK's own client."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlencode

import pytest
from django.db import connection
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from brain.tools import FOLDER_TOOLS, TOOLS
from tests.environment import CHECKOUT
from tests.mcp.given_agents import MODES, told_by

MANAGE = [str(CHECKOUT / "manage.py"), "mcp"]
NO_DATABASE = "postgres://nobody@127.0.0.1:9/none"


def database() -> str:
    """Where this test's database is, for another process."""
    told = connection.settings_dict
    where = urlencode({"host": told["HOST"], "port": told["PORT"] or 5432})
    return f"postgres://{told['USER']}:{told['PASSWORD']}@/{told['NAME']}?{where}"


def served(arguments, calls, mode="auto", **environment):
    """The names of the tools, and the text of each call, from a server started for one client."""

    async def run():
        server = StdioServerParameters(
            command=sys.executable,
            args=[*MANAGE, *arguments],
            env={**os.environ, **environment},
            cwd=str(CHECKOUT),
        )
        async with asyncio.timeout(60), Client(stdio_client(server), mode=mode) as client:
            names = [tool.name for tool in (await client.list_tools()).tools]
            return names, [told_by(await client.call_tool(name, asked)) for name, asked in calls]

    return asyncio.run(run())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "guides").mkdir()
    (tmp_path / "README.md").write_text("# Team\n\nStart here.\n")
    (tmp_path / "guides" / "a.md").write_text("# Guide A\n\nZebras graze.\n")
    return tmp_path


@pytest.mark.parametrize("mode", MODES.values())
def test_a_folder_is_served_without_any_database(folder, mode):
    calls = [
        ("brain_tree", {}),
        ("brain_read", {"node": f"{folder}/guides/a.md"}),
        ("brain_grep", {"text": "zebras"}),
        ("brain_lookup", {"query": "Guide A"}),
    ]
    names, texts = served(["--path", str(folder)], calls, mode, DATABASE_URL=NO_DATABASE)
    assert names == list(FOLDER_TOOLS)
    assert [
        ("guides/", "Zebras graze", "guides/a.md:3", "guides/a.md")[at] in texts[at] for at in range(4)
    ] == ([True] * 4)


def test_a_project_is_served_for_a_member(server, world):
    calls = [("brain_read", {"node": "rules/review.md"}), ("brain_read", {"node": "/", "projectId": "vault"})]
    names, texts = served(["--in", "handbook", "--member", "ben"], calls, DATABASE_URL=database())
    assert names == list(TOOLS)
    assert "Two reviewers approve" in texts[0]
    assert "Nobody else's" not in texts[1]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ([], 64),
        (["--path", "nowhere"], 64),
        (["--in", "handbook"], 64),
        (["--path", ".", "--member", "x"], 64),
    ],
)
def test_what_can_not_be_served_is_refused_in_words(arguments, code):
    argv = [sys.executable, *MANAGE, *arguments]
    done = subprocess.run(
        argv,
        cwd=CHECKOUT,
        env={**os.environ, "DATABASE_URL": NO_DATABASE},
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout, bool(done.stderr)) == (code, "", True)
    assert "Traceback" not in done.stderr
