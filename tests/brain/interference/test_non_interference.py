"""What is never indexed changes nothing that anybody can see, whatever the history did with it."""

from __future__ import annotations

import pytest

from tests.brain.interference import seeds
from tests.brain.interference.adversary import adversary
from tests.brain.interference.comparing import (
    answer_differences,
    asked_of,
    differences,
    page_differences,
    report,
    row_differences,
)
from tests.brain.interference.growing import grown
from tests.brain.interference.standing import spoil_what_is_hidden, twins_of

OPENING = ("read", "grep", "search", "changes", "resolve")  # the reads that open texts


@pytest.mark.parametrize("seed", seeds())
def test_a_history_looks_like_its_stripped_twin(db, tmp_path, seed):
    found = differences(twins_of(grown(seed), tmp_path))
    assert not found, report(found)


@pytest.mark.parametrize("world", [adversary(), grown(1)], ids=["adversary", "grown"])
def test_its_pages_look_like_those_of_its_stripped_twin(db, tmp_path, settings, world):
    settings.RATE_LIMITS = {}
    found = page_differences(twins_of(world, tmp_path))
    assert not found, report(found)


def test_no_hidden_text_is_ever_opened(db, tmp_path):
    twins = twins_of(adversary(), tmp_path)
    assert spoil_what_is_hidden(twins) > 10
    for standing in twins.both:
        standing.rebuild()
    asked = [question for question in asked_of(twins) if question.read in OPENING]
    found = [*row_differences(twins), *answer_differences(twins, asked)]
    assert not found, report(found)
