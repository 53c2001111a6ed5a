"""One standing team for the tests of the wiki's switch; a test writes inside a transaction of its own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.brain.given_managing import a_manager, a_standing_team
from tests.given_db import Team


@pytest.fixture(scope="package")
def team(tmp_path_factory, django_db_setup, django_db_blocker) -> Iterator[Team]:
    """A built project whose repository has the branches main and next."""
    with django_db_blocker.unblock(), a_standing_team(tmp_path_factory.mktemp("wiki")) as made:
        yield made


@pytest.fixture
def ada(db, team):
    """Who may switch it."""
    return a_manager(team)
