"""Of many builds of one project one writes, and none that was overtaken does."""

from __future__ import annotations

import pytest

from tests.crash.racing import ACTS, overtake, race
from tests.crash.tally import TALLY
from tests.crash.worlds import a_world

pytestmark = pytest.mark.crash

PHASES = ("resolve", "list", "parse", "assemble", "write", "pin")
KINDS = pytest.mark.parametrize("whole", [True, False], ids=["whole", "incremental"])


def test_of_eight_builds_at_once_one_writes_and_the_others_leave_nothing(place):
    world, row = a_world("raced"), TALLY["C1 eight builds at once"]
    for _ in range(3):
        race(place, world, row)
    assert not row.wrong


@KINDS
@pytest.mark.parametrize("act", [act for act in ACTS if act != "delete"])
def test_a_build_that_is_overtaken_in_any_phase_writes_nothing(place, act, whole):
    world, row = a_world(f"overtaken-{act}-{whole}".lower()), TALLY[f"C2 {act}"]
    for phase in PHASES:
        overtake(world, row, phase, act, whole=whole)
    assert not row.wrong


@pytest.mark.parametrize("phase", PHASES)
def test_a_build_of_a_project_that_is_deleted_in_any_phase_leaves_nothing(place, phase):
    row = TALLY["C3 delete"]
    overtake(a_world(f"deleted-{phase}"), row, phase, "delete", whole=phase != "assemble")
    assert not row.wrong
