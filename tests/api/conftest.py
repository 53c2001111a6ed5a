"""One world for all tests of the HTTP doors, and the two doors to it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from brain.forms import Door
from tests.api.given_doors import Entrance
from tests.api.given_world import World, a_world


@pytest.fixture(scope="package")
def world(tmp_path_factory, django_db_setup, django_db_blocker) -> Iterator[World]:
    """Made once; a test writes inside a transaction of its own."""
    with django_db_blocker.unblock(), a_world(tmp_path_factory.mktemp("doors")) as made:
        yield made


@pytest.fixture
def portal(db, world) -> Entrance:
    """The portal's JSON, for a member of the handbook."""
    return Entrance(Door.PORTAL, world.session("ben"))


@pytest.fixture
def member(db, world) -> Entrance:
    """The member API, for a token that names the handbook."""
    return Entrance(Door.MEMBER, world.bearer("ben"))


@pytest.fixture(params=[Door.PORTAL, Door.MEMBER])
def door(request, portal, member) -> Entrance:
    """Each of the two."""
    return portal if request.param is Door.PORTAL else member
