"""Pins: one reference a commit, made and dropped without a sync."""

from __future__ import annotations

import pytest

from repositories import mirrors, reader
from repositories.errors import CommitMissing
from repositories.mirrors import Pin

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
