"""A leak, wherever it is planted, makes a world look unlike its stripped twin: the property can fail."""

from __future__ import annotations

import pytest

from brain.management import operating
from tests.api.given_world import forget_activities, last_activity
from tests.brain.interference.adversary import adversary
from tests.brain.interference.comparing import (
    answer_differences,
    asked_of,
    differences,
    page_differences,
    report,
    row_differences,
)
from tests.brain.interference.mutants import MUTANTS, planted
from tests.brain.interference.standing import twins_of


@pytest.fixture(scope="module")
def twins(tmp_path_factory, django_db_setup, django_db_blocker):
    """Built once; a test builds anew within a transaction of its own, which is undone."""
    with django_db_blocker.unblock():
        before = last_activity()
        twins = twins_of(adversary(), tmp_path_factory.mktemp("interference"))
        yield twins
        for standing in twins.both:
            operating.remove(standing.project)
        forget_activities(before)


def test_without_a_leak_the_twins_look_alike(db, twins):
    found = differences(twins)
    assert not found, report(found)


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_planted_leak_shows(db, twins, settings, mutant):
    settings.RATE_LIMITS = {}
    asked = [question for question in asked_of(twins) if question.read in mutant.reads]
    with planted(mutant, twins):
        found = row_differences(twins) or answer_differences(twins, asked)
        if "pages" in mutant.reads:
            found = page_differences(twins, ["README.md"])
        assert found
