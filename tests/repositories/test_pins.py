"""Pins: one reference a commit, made and dropped without a sync."""

from __future__ import annotations

import os
import time

import pytest

from repositories import mirrors, reader
from repositories.errors import CommitMissing
from repositories.mirrors import Pin
from tests.repositories.given_git import GitWorld

ONE, TWO = "0b9f7c1e-0000-4000-8000-000000000001", "0b9f7c1e-0000-4000-8000-000000000002"


@pytest.fixture
def mirrored(repository, remote, sync):
    sync()
    return repository


def test_a_pin_is_made_once_and_dropped_once(mirrored, remote):
    tip = remote.tip()
    for _ in range(2):
        mirrors.pin(mirrored, ONE, "tree", tip)
    mirrors.pin(mirrored, ONE, "memory", tip)
    mirrors.pin(mirrored, TWO, "tree", tip)
    assert mirrors.pins(mirrored) == [Pin(ONE, "memory", tip), Pin(ONE, "tree", tip), Pin(TWO, "tree", tip)]
    for _ in range(2):
        mirrors.unpin(mirrored, ONE, "tree", tip)
    assert mirrors.pins(mirrored) == [Pin(ONE, "memory", tip), Pin(TWO, "tree", tip)]


def test_a_project_that_goes_lets_all_its_commits_go(mirrored, remote):
    for project, use in ((ONE, "tree"), (ONE, "memory"), (TWO, "tree")):
        mirrors.pin(mirrored, project, use, remote.tip())
    mirrors.unpin_all(mirrored, ONE)
    assert [pin.project_id for pin in mirrors.pins(mirrored)] == [TWO]


@pytest.mark.parametrize("commit", ["1" * 40, "main", "", "../../heads/main"])
def test_only_a_commit_that_is_there_can_be_pinned(mirrored, commit):
    with pytest.raises(CommitMissing):
        mirrors.pin(mirrored, ONE, "tree", commit)
    assert mirrors.pins(mirrored) == []


def test_without_a_mirror_there_is_nothing_to_let_go(repository):
    assert mirrors.pins(repository) == []
    mirrors.unpin(repository, ONE, "tree", "1" * 40)
    mirrors.unpin_all(repository, ONE)


def test_references_of_another_shape_are_no_pins(mirrored, remote):
    references = reader.open_mirror(mirrored.mirror).references
    references.create("refs/brain/remote/kintsugi/notes", remote.tip())
    references.create("refs/brain/1/tree/main", remote.tip())
    assert mirrors.pins(mirrored) == []


def aged(mirror, *names):
    """Let these files be of two hours ago."""
    then = time.time() - 7_200
    for name in names:
        os.utime(mirror / name, (then, then))


@pytest.fixture
def old_pins(mirrored, remote):
    """Three pins of two hours ago."""
    found = [Pin(ONE, "tree", remote.tip()), Pin(ONE, "memory", remote.tip()), Pin(TWO, "tree", remote.tip())]
    for held in found:
        mirrors.pin(mirrored, held.project_id, held.use, held.commit)
        aged(mirrored.mirror, held.reference)
    return found


def test_pins_that_nobody_needs_are_swept(mirrored, old_pins):
    assert mirrors.sweep_pins(mirrored, old_pins) == 0
    assert mirrors.sweep_pins(mirrored, {(TWO, "tree", old_pins[2].commit)}) == 2
    assert mirrors.pins(mirrored) == [old_pins[2]]


def test_a_young_pin_waits_for_its_row(mirrored, old_pins, remote):
    again = old_pins[0]
    mirrors.pin(mirrored, again.project_id, again.use, again.commit)
    assert mirrors.sweep_pins(mirrored, []) == 2
    assert mirrors.pins(mirrored) == [again]


def test_a_packed_pin_is_as_old_as_the_file_of_packed_references(mirrored, old_pins):
    world = GitWorld(mirrored.mirror, reader.open_mirror(mirrored.mirror))
    world.git("pack-refs", "--all")
    assert mirrors.sweep_pins(mirrored, []) == 0
    aged(mirrored.mirror, "packed-refs")
    again = old_pins[0]
    mirrors.pin(mirrored, again.project_id, again.use, again.commit)
    assert mirrors.sweep_pins(mirrored, []) == 0
    aged(mirrored.mirror, "packed-refs")
    assert mirrors.sweep_pins(mirrored, [again]) == 2
    assert mirrors.pins(mirrored) == [again]


def test_only_pins_are_swept(mirrored, remote):
    reader.open_mirror(mirrored.mirror).references.create("refs/brain/remote/kintsugi/notes", remote.tip())
    aged(mirrored.mirror, "refs/brain/remote/kintsugi/notes")
    assert mirrors.sweep_pins(mirrored, []) == 0
    assert reader.tip_of(mirrored.mirror, "main") == remote.tip()
    assert "refs/brain/remote/kintsugi/notes" in reader.open_mirror(mirrored.mirror).references


def test_without_a_mirror_there_is_nothing_to_sweep(repository):
    assert mirrors.sweep_pins(repository, []) == 0
