"""The database of the tests: a server of their own, left running so that the next run starts at once."""

from __future__ import annotations

import fcntl
import itertools
from typing import TYPE_CHECKING, Any

import pytest
from django.conf import settings
from django.db import connections

from members import counting

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(scope="session")
def django_db_modify_db_settings() -> Iterator[None]:
    """Give this run a test database that no other run has at the same time."""
    database = connections["default"].settings_dict
    if database["ENGINE"] != "config.postgres":  # DATABASE_URL wins
        yield
        return
    from config.postgres import server

    server.start(server.Cluster(settings.DATA_ROOT, settings.KINTSUGI_PG_BIN, durable=False))
    for number in itertools.count(1):
        lock = _lock(settings.DATA_ROOT / f"test-database-{number}.lock")
        if lock is not None:
            break
    database["TEST"]["NAME"] = f"test_kintsugi_{number}"
    with lock:
        yield


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: Any) -> None:
    """Let tests empty the activity log between two of them, which an installation never may."""
    with django_db_blocker.unblock(), connections["default"].cursor() as cursor:
        cursor.execute("ALTER TABLE members_activity DISABLE TRIGGER activity_is_never_emptied")


@pytest.fixture(autouse=True)
def _counts_come_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reads that are counted are in the table when a test looks."""
    monkeypatch.setattr(counting, "KEPT", 0.0)


def _lock(path: Path) -> Any:
    """The open, locked file, or None when another run holds it."""
    file = path.open("w")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        return None
    return file
