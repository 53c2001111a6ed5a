"""One world for all tests of the agents' door, and a real server before it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.api.given_world import World, a_server, a_world
from tests.mcp.given_agents import Agent, an_agent


@pytest.fixture(scope="package")
def world(tmp_path_factory, django_db_setup, django_db_blocker) -> Iterator[World]:
    """Made once; a test writes inside a transaction of its own."""
    with django_db_blocker.unblock(), a_world(tmp_path_factory.mktemp("agents")) as made:
        yield made


@pytest.fixture(scope="package")
def server(world, django_db_blocker) -> Iterator[str]:
    """The address of a real server over the world."""
    with django_db_blocker.unblock(), a_server() as url:
        yield url


@pytest.fixture
def agent(db, world) -> Agent:
    """An agent with a token that names the handbook."""
    return an_agent(world)
