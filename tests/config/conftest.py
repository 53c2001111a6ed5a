"""Embedded servers of a test's own, each in a folder that the server's user can reach."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from config.postgres.server import Cluster, stop
from tests.config.given_work import Installation

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def data_root() -> Iterator[Path]:
    """An empty data folder; pytest's own lie in a closed one, which nobody but root can cross."""
    yield from _data_root()


@pytest.fixture(scope="module")
def shared_root() -> Iterator[Path]:
    """The same for all tests of a module."""
    yield from _data_root()


@pytest.fixture(scope="session")
def installation() -> Iterator[Installation]:
    """One with a database, where nothing runs until a test runs it."""
    for root in _data_root():
        made = Installation(root)
        migrated = made.manage("migrate", "--verbosity", "0")
        assert migrated.returncode == 0, migrated.stdout
        yield made
        made.end()  # a test that failed half-way may have left something


@pytest.fixture
def file(installation: Installation, request: pytest.FixtureRequest) -> str:
    """Where the tasks of a test tell that they began."""
    return str(installation.root / request.node.name)


def _data_root() -> Iterator[Path]:
    root = Path(tempfile.mkdtemp(prefix="kintsugi-test-", dir="/var/tmp"))
    root.chmod(0o711)
    try:
        yield root
    finally:
        cluster = Cluster(root)
        if (cluster.data / "postmaster.pid").exists():
            stop(cluster)
        shutil.rmtree(root)
        shutil.rmtree(cluster.sockets, ignore_errors=True)
