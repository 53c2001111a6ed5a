"""Whatever answer of the database or of Git never comes: the stored tree is the old one or the new one."""

from __future__ import annotations

import pytest

from tests.crash.faulting import fault_builds
from tests.crash.faults import REFUSED, SEVERED, UNHEARD, database_fault, git_fault
from tests.crash.tally import TALLY
from tests.crash.worlds import a_world

pytestmark = pytest.mark.crash

POINTS = 8  # of each kind, spread over all turns; a large run takes all of them
KINDS = pytest.mark.parametrize("whole", [True, False], ids=["whole", "incremental"])


@pytest.fixture(scope="module")
def world(place):
    return a_world("faulty")


@KINDS
@pytest.mark.parametrize("how", [SEVERED, REFUSED, UNHEARD])
def test_a_build_that_loses_the_database_leaves_the_old_tree_or_the_new_one(world, how, whole):
    row = TALLY[f"R-02 database {how}, {'whole' if whole else 'incremental'}"]
    fault_builds(world, row, database_fault, how, whole=whole, points=POINTS, seed=1)
    assert row.counts["points"] == POINTS
    assert not row.wrong


@KINDS
def test_a_build_that_cannot_read_git_leaves_the_old_tree_or_the_new_one(world, whole):
    row = TALLY[f"R-02 Git, {'whole' if whole else 'incremental'}"]
    fault_builds(world, row, git_fault, "", whole=whole, points=POINTS, seed=1)
    assert row.counts["points"] == POINTS
    assert not row.wrong
