"""A project's wiki on and off: while it is on, its Brain is on and follows the default branch."""

from __future__ import annotations

import pytest

from brain.errors import BranchNotMirrored, NoRepository
from brain.models import Source
from members.models import Activity, Project
from repositories.models import Repository
from tests.brain.given_managing import change, said, source_of
from wiki.switch import switch

pytestmark = pytest.mark.django_db


def stored(project):
    """Every column of the row."""
    return Source.objects.filter(project=project).values().get()


def test_a_wiki_that_is_turned_on_turns_the_brain_on_at_the_default_branch_and_queues_a_build(team, ada):
    change(team.project, enabled=False, branch="next")
    switch(team.project, ada, enabled=True)
    row = source_of(team.project)
    assert (row.wiki, row.enabled, row.branch) == (True, True, "main")
    assert (row.state, row.wanted, row.wanted_by) == ("queued", "build", "ada")
    changes = {
        "wiki": {"from": False, "to": True},
        "enabled": {"from": False, "to": True},
        "branch": {"from": "next", "to": "main"},
        "build": True,
    }
    assert said() == [("wiki.switch", "main", changes, "")]
    assert Activity.objects.get(action="wiki.switch").actor_name == "ada"


def test_a_wiki_that_is_turned_off_leaves_the_brain_as_it_is_and_free_to_choose(team, ada):
    before = stored(team.project)
    change(team.project, wiki=True)
    switch(team.project, ada, enabled=False)
    after = stored(team.project)
    assert {name for name in after if after[name] != before[name]} == {"generation"}
    assert said() == [("wiki.switch", "main", {"wiki": {"from": True, "to": False}}, "")]


def test_a_build_that_runs_while_the_wiki_is_turned_off_begins_again(team, ada):
    change(team.project, wiki=True, state="indexing")
    switch(team.project, ada, enabled=False)
    row = source_of(team.project)
    assert (row.state, row.wanted) == ("indexing", "build")


@pytest.mark.parametrize("enabled", [True, False])
def test_to_ask_for_what_is_so_changes_queues_and_notes_nothing(team, ada, enabled):
    change(team.project, wiki=enabled)
    before, log = stored(team.project), Activity.objects.count()
    switch(team.project, ada, enabled=enabled)
    assert (stored(team.project), Activity.objects.count()) == (before, log)


def test_to_ask_for_what_is_so_needs_neither_repository_nor_branch(team, ada):
    change(team.project, wiki=True, branch="gone")
    Repository.objects.update(default_branch="gone")
    switch(team.project, ada, enabled=True)
    Project.objects.filter(pk=team.project.pk).update(repository=None)
    change(team.project, wiki=False)
    switch(team.project, ada, enabled=False)
    assert said() == []


def test_a_brain_that_was_left_on_another_branch_is_brought_back_by_asking_again(team, ada):
    change(team.project, wiki=True, branch="next")
    switch(team.project, ada, enabled=True)
    assert (source_of(team.project).branch, source_of(team.project).wanted) == ("main", "build")
    moved = {"branch": {"from": "next", "to": "main"}, "build": True}
    assert said() == [("brain.configure", "main", moved, "wiki")]


def test_a_project_without_repository_has_no_wiki_to_turn_on(team, ada):
    bare = Project.objects.create(slug="bare", name="Bare")
    with pytest.raises(NoRepository):
        switch(bare, ada, enabled=True)


@pytest.mark.parametrize("default", ["soon", ""])
def test_a_default_branch_that_the_mirror_has_not_is_refused(team, ada, default):
    Repository.objects.update(default_branch=default)
    with pytest.raises(BranchNotMirrored) as refusal:
        switch(team.project, ada, enabled=True)
    assert refusal.value.told == {"state": "ready"}
    assert not source_of(team.project).wiki


def test_a_repository_that_was_never_synced_is_refused_as_one_without_the_branch(team, ada):
    away = Repository.objects.create(slug="away", name="away", remote="https://example.org/away.git")
    Repository.objects.filter(pk=away.pk).update(default_branch="main")
    project = Project.objects.create(slug="away", name="Away", repository=away)
    with pytest.raises(BranchNotMirrored):
        switch(project, ada, enabled=True)


def test_a_switch_overtakes_a_build_that_runs(team, ada):
    generations = [source_of(team.project).generation]
    for enabled in (True, False, True):
        switch(team.project, ada, enabled=enabled)
        generations.append(source_of(team.project).generation)
    assert generations == sorted(set(generations))
