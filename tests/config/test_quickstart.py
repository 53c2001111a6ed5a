"""The quick start: from nothing to a served repository, and again."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from config.management.commands.quickstart import free_slug, remote_of
from config.postgres.server import Cluster, is_alive
from members.models import Project
from tests.environment import CHECKOUT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def repository(data_root: Path) -> Path:
    """A repository with one document."""
    folder = data_root / "Team Docs"
    folder.mkdir()
    (folder / "README.md").write_text("# Team docs\n\nHow this team works.\n")
    git = ["git", "-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"]
    for command in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "Say how the team works"]):
        subprocess.run([*git, *command], cwd=folder, check=True)
    return folder


@pytest.fixture
def port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def quickstarted(data_root: Path, repository: Path, port: int) -> Iterator[str]:
    """What it says until it listens; Ctrl-C at the end."""
    told = data_root / "told"
    argv = [sys.executable, "manage.py", "quickstart", str(repository), "--port", str(port)]
    environment = os.environ | {"DATA_ROOT": str(data_root), "MIRROR_ROOT": str(data_root / "mirrors")}
    # A job in the background of a shell ignores Ctrl-C, and so would whatever it starts.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    with told.open("w") as output:
        process = subprocess.Popen(argv, cwd=CHECKOUT, env=environment, stdout=output, stderr=output)
    signal.signal(signal.SIGINT, before)
    try:
        deadline = time.monotonic() + 60
        while "listens on" not in told.read_text() and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.05)
        assert "listens on" in told.read_text(), told.read_text()
        yield told.read_text()
    finally:
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == 0  # the programs below it may take ten to end, a database more


def test_it_serves_a_repository_from_nothing_and_does_so_again(
    data_root: Path, repository: Path, port: int
) -> None:
    with quickstarted(data_root, repository, port) as told:
        assert "Adding the project team-docs" in told
        assert len(re.findall(r"Sign in as admin with the password \S{16} ", told)) == 1
        assert "plain http, for this machine only" in told
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=10) as answer:
            assert answer.status == 200
    assert not is_alive(Cluster(data_root))  # it was the embedded one, and stopped with the portal
    with quickstarted(data_root, repository, port) as told:
        assert "Adding" not in told
        assert "with the password" not in told
        assert "changepassword admin" in told
        assert "Building team-docs" in told


def test_a_taken_port_is_said_before_anything_is_done(repository: Path, port: int) -> None:
    with socket.create_server(("127.0.0.1", port)), pytest.raises(CommandError, match=f"port {port}"):
        call_command("quickstart", str(repository), port=port)


def test_a_folder_that_is_no_repository_is_a_mistake_of_use(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="not a Git repository") as refusal:
        call_command("quickstart", str(tmp_path))
    assert refusal.value.returncode == os.EX_USAGE


@pytest.mark.parametrize(
    "address",
    ["http://git.example/team.git", "ssh://git@git.example/team", "git@git.example:team.git", "file:///srv"],
)
def test_only_https_addresses_are_fetched(address: str) -> None:
    with pytest.raises(CommandError, match="not an https address") as refusal:
        remote_of(address)
    assert refusal.value.returncode == os.EX_USAGE


def test_a_local_repository_is_known_by_its_whole_path(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repository.parent)
    assert remote_of("Team Docs") == str(repository)


@pytest.mark.parametrize(
    ("remote", "slug"),
    [
        ("https://git.example/team/Handbook.git", "handbook"),
        ("https://git.example/team/docs_2024/", "docs-2024"),
        ("/srv/Team Docs", "team-docs"),
        ("/srv/…", "project"),
    ],
)
@pytest.mark.django_db
def test_a_project_is_named_after_its_repository(remote: str, slug: str) -> None:
    assert free_slug(remote) == slug


@pytest.mark.django_db
def test_a_name_that_is_taken_gets_a_number() -> None:
    Project.objects.create(slug="handbook", name="Handbook")
    assert free_slug("https://git.example/other/handbook") == "handbook-2"
