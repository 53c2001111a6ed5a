"""Sixteen readers while a tree is built again and again: every answer is of one commit."""

from __future__ import annotations

import pytest

from tests.crash.flipping import flip
from tests.crash.tally import TALLY
from tests.crash.worlds import a_world

pytestmark = pytest.mark.crash


def test_no_answer_mixes_two_commits(place):
    row = TALLY["R-03 sixteen readers"]
    flip(a_world("read"), row, builds=10)
    assert not row.wrong
    assert row.counts["probes"] >= 100
