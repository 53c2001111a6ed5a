"""Time is no part of the property: a busy machine must not cut an answer short in one twin alone."""

from __future__ import annotations

import pytest

from brain.reads import changes, grep, resolve

ENOUGH = 60.0  # seconds


@pytest.fixture(autouse=True)
def unhurried(monkeypatch):
    """Reads take the time they need."""
    for module, name in (
        (changes, "SECONDS"),
        (changes, "COUNTING"),
        (grep, "SECONDS"),
        (resolve, "SECONDS"),
    ):
        monkeypatch.setattr(module, name, ENOUGH)
