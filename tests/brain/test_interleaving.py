"""Whatever is decided of a Brain while a build of it runs: the build then writes nothing, and nothing is torn."""

from __future__ import annotations

import json
from functools import partial

import pytest
from django.db import connection, transaction
from django.test import override_settings

from brain import models, snapshots
from brain.builds import build
from brain.errors import BuildFailed
from brain.following import configure, move_to_default
from brain.management import operating
from members.callers import OPERATOR
from members.models import Activity, Project
from members.projects import remove_project
from repositories import mirrors
from repositories.models import Repository
from tests.api.given_world import forget_activities, last_activity
from tests.brain.given_managing import Elsewhere, change, elsewhere, source_of
from tests.given_db import Team
from wiki.switch import switch

pytestmark = pytest.mark.django_db(transaction=True)

FILES = {"README.md": "# Handbook\n\nSee [rules](rules.md).\n", "rules.md": "# Rules\n\n## Scope\n"}
POINTS = ("resolve", "parse", "write")
TABLES = (models.Node, models.Link, models.Ref, models.Text, models.Problem, models.Build)


@pytest.fixture
def team(tmp_path):
    before = last_activity()
    with override_settings(MIRROR_LOCAL_ROOTS=[tmp_path]):
        made = Team(tmp_path, FILES, "raced")
        made.git.branch("next", made.first)
        made.build()
        made.git.commit({"new.md": "# New\n"})
        made.sync()
        yield made
        for project in Project.objects.filter(slug="raced"):
            operating.remove(project)
        forget_activities(before)


def to_another_branch(project):
    configure(project, OPERATOR, enabled=True, branch="next")


def off(project):
    configure(project, OPERATOR, enabled=False)


def to_the_wiki(project):
    switch(project, OPERATOR, enabled=True)


def to_another_default(project):
    change(project, wiki=True)
    Repository.objects.filter(projects=project).update(default_branch="next")
    move_to_default(project, OPERATOR, reason="default-branch")


def during(point, act):
    """A listener that acts once, in another session, when the build comes to this phase."""
    left = [act]

    def listen(phase, done, total):
        if phase == point and left:
            elsewhere(left.pop())

    return listen


def rows_of(source_id):
    return {table.__name__: table.objects.filter(source_id=source_id).count() for table in TABLES}


def pins_of(repository):
    return [pin.commit for pin in mirrors.pins(repository)]


@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize("act", [to_another_branch, off, to_the_wiki, to_another_default])
def test_a_build_that_was_overtaken_writes_nothing(team, point, act):
    before = source_of(team.project)
    tree = rows_of(before.pk)
    with pytest.raises(BuildFailed) as failure:
        build(before, progress=during(point, partial(act, team.project)))
    assert failure.value.code == "moved"
    after = source_of(team.project)
    assert (after.commit, after.tree_hash) == (before.commit, before.tree_hash)
    assert {**rows_of(before.pk), "Build": 1} == tree
    assert (after.state, after.error) == (("ready", "") if act is off else ("queued", ""))


@pytest.mark.parametrize("act", [to_another_branch, to_the_wiki, to_another_default])
def test_the_next_build_makes_what_was_decided(team, act):
    with pytest.raises(BuildFailed):
        build(source_of(team.project), progress=during("write", partial(act, team.project)))
    row = source_of(team.project)
    assert build(row).commit == team.git.tip(row.branch)


@pytest.mark.parametrize("point", POINTS)
def test_a_project_that_is_removed_while_it_is_built_leaves_nothing(team, point):
    source, repository = source_of(team.project), team.repository
    other = Project.objects.create(
        slug="other", name="Other", repository=repository
    )  # so that the mirror stays
    with pytest.raises(BuildFailed) as failure:
        build(source, progress=during(point, lambda: remove_project(team.project, caller=OPERATOR)))
    assert failure.value.code == "deleted"
    assert sum(rows_of(source.pk).values()) == 0
    assert not Project.objects.filter(slug="raced").exists()
    removed = Activity.objects.get(action="project.remove")
    assert (removed.target, removed.actor_type, json.loads(removed.details)) == ("raced", "operator", {})
    operating.remove(other)


def test_a_removal_waits_for_a_build_that_writes_and_then_takes_everything_with_it(team):
    source, repository = source_of(team.project), team.repository
    other = Project.objects.create(slug="other", name="Other", repository=repository)
    with transaction.atomic():
        build(source)  # its rows are written, and nobody sees them yet
        removal = Elsewhere(lambda: remove_project(team.project, caller=OPERATOR))
        assert removal.waits()
    removal.result()
    assert sum(rows_of(source.pk).values()) == 0
    assert pins_of(repository) == []
    assert not snapshots.path_of(source.pk, "").parent.exists()
    operating.remove(other)


def test_two_who_decide_at_once_come_one_after_the_other(team):
    with transaction.atomic():
        configure(team.project, OPERATOR, enabled=True, branch="next")
        second = Elsewhere(lambda: configure(team.project, OPERATOR, enabled=False))
        assert second.waits()
    assert second.result().branch == "next"
    row = source_of(team.project)
    assert (row.enabled, row.branch) == (False, "next")


def test_whoever_turns_the_wiki_on_while_another_default_branch_is_saved_follows_that_one(team):
    with transaction.atomic():
        Repository.objects.filter(pk=team.repository.pk).update(default_branch="next")
        switching = Elsewhere(lambda: switch(team.project, OPERATOR, enabled=True))
        assert switching.waits()
    assert switching.result().branch == "next"


def test_a_removal_and_a_change_at_once_end_both(team):
    """They lock in one order, so that none is a victim of the other."""
    with transaction.atomic():
        remove_project(team.project, caller=OPERATOR)
        changing = Elsewhere(lambda: configure(team.project, OPERATOR, enabled=False))
        assert changing.waits()
    with pytest.raises(Exception, match="No such project"):
        changing.result()
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM brain_source")
        assert cursor.fetchone()[0] == 0
