"""What the tests of mirrors share: a remote, a repository row that names it, and a server between them."""

from __future__ import annotations

import functools

import pytest
import trustme

from repositories import mirrors, signals
from repositories.mirrors import SyncLimits
from repositories.models import Repository
from tests.repositories.given_git import a_repository
from tests.repositories.given_https import a_server

QUICK = SyncLimits(floor=0.0)


@pytest.fixture(scope="session")
def authority():
    return trustme.CA()


@pytest.fixture
def served(tmp_path):
    """The folder whose repositories the server serves."""
    folder = tmp_path / "served"
    folder.mkdir()
    return folder


@pytest.fixture
def remote(served):
    return a_repository(served / "rules.git", [{"a.md": "# A"}])


@pytest.fixture
def server(served, authority):
    with a_server(served, authority) as running:
        yield running


@pytest.fixture
def repository(db, settings, tmp_path, server):
    settings.MIRROR_ROOT = tmp_path / "mirrors"
    return Repository.objects.create(slug="rules", name="Rules", remote=server.url("rules.git"))


@pytest.fixture
def sync(repository, server):
    """Sync the repository over https from the server."""
    options = {"resolver": server.resolve, "authority": server.authority, "limits": QUICK}
    return functools.partial(mirrors.sync, repository, **options)


@pytest.fixture
def news():
    """(branch, old, new) of each move, and ("default", old, new), as they are told."""
    heard = []

    def hear_move(sender, repository, branch, old, new, **kwargs):
        heard.append((branch, old, new))

    def hear_default(sender, repository, old, new, actor, **kwargs):
        heard.append(("default", old, new))

    signals.branch_moved.connect(hear_move)
    signals.default_branch_changed.connect(hear_default)
    yield heard
    signals.branch_moved.disconnect(hear_move)
    signals.default_branch_changed.disconnect(hear_default)
