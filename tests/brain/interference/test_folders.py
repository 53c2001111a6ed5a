"""A folder, read without any database, looks like its stripped twin, too."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from brain.folder import open_folder
from tests.brain.interference.adversary import adversary
from tests.brain.interference.asking import questions_of
from tests.brain.interference.comparing import parted, report
from tests.brain.interference.growing import grown
from tests.brain.interference.observing import Names, told_by
from tests.brain.interference.worlds import World, written

WITHOUT_GLOBS = [replace(world, exclude=()) for world in (adversary(), grown(3), grown(4))]


@pytest.mark.parametrize("world", WITHOUT_GLOBS, ids=["adversary", "grown-3", "grown-4"])
def test_a_repository_looks_like_its_stripped_twin(tmp_path, world):
    opened = _of_git(world, tmp_path / "whole"), _of_git(world.stripped(), tmp_path / "stripped")
    found = _differences(world, opened, world.restricted_commits())
    assert not found, report(found)


@pytest.mark.parametrize("world", WITHOUT_GLOBS, ids=["adversary", "grown-3", "grown-4"])
def test_files_on_disk_look_like_their_stripped_twin(tmp_path, world):
    opened = _of_disk(world, tmp_path / "whole"), _of_disk(world.stripped(), tmp_path / "stripped")
    found = _differences(world, opened)
    assert not found, report(found)


def _of_git(world, folder):
    git, commits = written(world, folder / "world.git")
    return open_folder(git.path), Names(commits)


def _of_disk(world, folder):
    for path, content in world.commits[world.main].files.items():
        if isinstance(content, str) and path.isprintable():
            place = folder / "world" / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(content)
    return open_folder(folder / "world"), Names(["0" * 40] * len(world.commits))


def _differences(world: World, opened, untold=()):
    asked = questions_of(world, [node.id for node in opened[0][0].held.tree.nodes])
    seen = [list(told_by(store, asked, names)) for store, names in opened]
    seen[1] = [(question, _without_subjects(told, untold)) for question, told in seen[1]]
    return parted(seen)


def _without_subjects(told: str, untold) -> str:
    """The answer of a stripped history, less the subjects that it can't know to withhold."""

    def withhold(value: dict) -> dict:
        hushed = "subject" in value and value.get("commit") in [f"<commit {position}>" for position in untold]
        return value | {"subject": None} if hushed else value

    return json.dumps(json.loads(told, object_hook=withhold), ensure_ascii=False, sort_keys=True)
