"""Whoever is killed in the middle of a build: readers keep a whole tree, and the build is made after all."""

from __future__ import annotations

import pytest

from tests.crash.killing import AFTER_COMMIT, ANYWHERE, Blow, recover, strike
from tests.crash.queueing import drain, poison
from tests.crash.tally import TALLY
from tests.crash.worlds import LARGE, a_world

pytestmark = pytest.mark.crash

BLOWS = [
    Blow("builder", "assemble"),
    Blow("builder", "brain_ref", whole=True),
    Blow(AFTER_COMMIT, "commit"),
    Blow("worker", "brain_link"),
    Blow("cluster", "parse"),
    Blow("backend", "brain_text"),
    Blow("postmaster", "brain_problem", whole=True),
    Blow("supervisor", "brain_node"),
]


@pytest.fixture(scope="module")
def supervised(place):
    with place.supervised():
        yield place


@pytest.fixture(scope="module")
def world(supervised):
    return a_world("killed")


@pytest.mark.parametrize("blow", BLOWS, ids=str)
def test_a_kill_leaves_no_part_of_a_tree(supervised, world, blow):
    row = TALLY[f"R-01 {blow.victim}"]
    strike(supervised, world, row, blow)
    assert not row.wrong
    assert row.counts["probes"]
    assert not row.counts["failed"]


def test_a_build_whose_parser_is_killed_is_made_again(supervised):
    row = TALLY["R-01 parser"]
    strike(supervised, a_world("parsed", lines=LARGE), row, Blow("parser", ANYWHERE, whole=True))
    assert not row.wrong
    assert not row.counts["failed"]


def test_the_next_good_build_leaves_nothing_of_those_that_were_killed(world):
    row = TALLY["R-01 after all"]
    recover(world, row)
    assert not row.wrong


def test_a_build_that_takes_its_worker_with_it_is_given_up_after_three_runs(supervised):
    row = TALLY["C5 poison build"]
    poison(supervised, a_world("poison"), a_world("beside"), row)
    assert not row.wrong


def test_no_request_is_lost_when_workers_are_killed(supervised):
    row = TALLY["R-05 queue"]
    worlds = [a_world(f"queued-{number}") for number in range(4)]
    drain(supervised, worlds, row, requests=16, kills=2, seed=1)
    assert not row.wrong
