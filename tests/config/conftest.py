"""Embedded servers of a test's own, each in a folder that the server's user can reach."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from config.postgres.server import Cluster, stop

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
