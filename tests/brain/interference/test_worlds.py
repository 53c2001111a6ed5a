"""The worlds are worth comparing: they hold what they should, and hide what the rules hide."""

from __future__ import annotations

from brain.tree.scope import Scope
from tests.brain.interference import seeds
from tests.brain.interference.adversary import adversary
from tests.brain.interference.growing import HIDDEN, PLACES, grown
from tests.brain.interference.worlds import GLOBS, World


def test_the_rules_stated_here_are_those_of_the_index():
    for world in (adversary(), *map(grown, range(20))):
        scope = Scope(exclude=world.exclude)
        for path in {*world.paths(), *PLACES, *HIDDEN}:
            assert scope.hides(path) == world.hides(path), path


def test_a_stripped_history_holds_nothing_hidden_and_all_else():
    for world in (adversary(), *map(grown, range(20))):
        stripped = world.stripped()
        assert not any(map(stripped.hides, stripped.paths()))
        shown = {path for path in _files(world) if not world.hides(path)}
        assert shown == set(_files(stripped))


def test_a_seed_grows_the_same_world_each_time():
    assert grown(7) == grown(7) != grown(8)


def test_the_worlds_of_every_run_hide_show_and_move_much():
    worlds = [grown(seed) for seed in seeds()]
    commits = [(world, world.touched(commit)) for world in worlds for commit in world.commits if commit]
    kinds = [{world.hides(path) for path in touched} for world, touched in commits]
    assert sum(kind == {True} for kind in kinds) > len(worlds) / 3  # hidden files alone
    assert sum(kind == {True, False} for kind in kinds) > len(worlds)  # both in one commit
    assert any(world.side not in set(world.ancestors(world.main)) for world in worlds)
    assert any(len(commit.parents) == 2 for world in worlds for commit in world.commits if commit)
    assert all(any(map(world.hides, _files(world))) for world in worlds)
    assert {glob for world in worlds for glob in world.exclude} == set(GLOBS)


def _files(world: World):
    tip = world.commits[world.main]
    return tip.files if tip else {}
