"""One installation for the whole suite, and the table at the end of the run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.crash.places import Place, an_installation
from tests.crash.tally import TALLY


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """What was tried and what came of it."""
    if TALLY:
        terminalreporter.section("crashes")
        for line in TALLY.table():
            terminalreporter.write_line(line)


@pytest.fixture(scope="session")
def place(django_db_blocker: Any) -> Iterator[Place]:
    with django_db_blocker.unblock(), an_installation() as made:
        yield made
