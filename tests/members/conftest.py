"""What the tests of members, their tokens and their activity have in common."""

from __future__ import annotations

import pytest

from members.models import Project
from tests.members.given_activity import a_project


@pytest.fixture(autouse=True)
def _quick_passwords(settings) -> None:
    """How slowly a password is hashed is no matter of these tests."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture
def project(db) -> Project:
    """A project without a repository."""
    return a_project()
