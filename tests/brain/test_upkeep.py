"""The minute job and the nightly one: what should be so and is not is found, and put right."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from brain import models, store, upkeep
from brain.builds import check
from repositories import mirrors
from repositories.signals import branch_moved
from tests.given_db import Team, a_built_team

pytestmark = pytest.mark.django_db

FILES = {"README.md": "# Handbook\n\nSee [review](rules/review.md).\n", "rules/review.md": "# Review\n"}


@pytest.fixture
def team(tmp_path: Path) -> Team:
    return a_built_team(tmp_path, FILES)


def of(team: Team) -> models.Source:
    return store.source_of(team.project)


def changed(**values: object) -> None:
    models.Source.objects.update(**values)


def test_a_sync_that_moves_a_branch_asks_for_builds_of_those_who_follow_it(team: Team):
    team.git.commit({"README.md": "# Changed\n"})

    mirrors.sync(team.repository)

    assert (of(team).state, of(team).wanted_by, of(team).patient) == ("queued", "sync", True)


def test_a_branch_that_nobody_follows_or_that_is_gone_asks_for_nothing(team: Team):
    told = {"repository": team.repository, "old": None}
    branch_moved.send(type(team.repository), branch="drafts", new="a" * 40, **told)
    branch_moved.send(type(team.repository), branch="main", new=None, **told)

    assert of(team).wanted == ""


def test_a_branch_that_moved_unnoticed_is_built(team: Team):
    team.git.commit({"README.md": "# Changed\n"})
    mirrors.sync(team.repository)
    changed(wanted="", wanted_at=None, state="ready")  # the news was lost

    upkeep.every_minute()

    assert (of(team).state, of(team).wanted_by) == ("queued", upkeep.UPKEEP)


def test_where_nothing_moved_nothing_is_wanted(team: Team):
    upkeep.every_minute()

    assert (of(team).state, of(team).wanted) == ("ready", "")


def test_a_tree_of_an_older_builder_is_made_anew(team: Team):
    changed(builder=1)

    upkeep.every_minute()

    assert of(team).wanted_by == upkeep.OLDER


def test_a_failed_build_is_not_tried_again_on_the_same_commit_but_on_the_next(team: Team):
    changed(state="failed", error="budget: Too much.", builder=1)
    upkeep.every_minute()
    assert of(team).wanted == ""

    team.git.commit({"README.md": "# Changed\n"})
    mirrors.sync(team.repository)
    assert of(team).wanted == "build"


def test_a_brain_that_is_off_or_was_never_built_is_left_alone(team: Team):
    changed(builder=1, enabled=False)
    upkeep.every_minute()
    assert of(team).wanted == ""

    changed(enabled=True, state="not-built", commit="")
    upkeep.every_minute()
    assert of(team).wanted == ""


def test_a_build_that_was_lost_with_its_worker_is_wanted_again(team: Team):
    store.want(of(team).pk, by="ada")
    store.take()
    changed(heartbeat=timezone.now() - timedelta(minutes=2))

    upkeep.every_minute()

    assert (of(team).state, of(team).wanted_by) == ("queued", "ada")


def test_a_pass_over_projects_where_nothing_moved_asks_the_database_no_more_for_more_of_them(
    tmp_path: Path, team: Team
):
    with CaptureQueriesContext(
        connection,
    ) as one:
        upkeep.every_minute()
    a_built_team(tmp_path, FILES, "second")
    a_built_team(tmp_path, FILES, "third")
    with CaptureQueriesContext(connection) as three:
        upkeep.every_minute()

    assert len(three) == len(one)


def test_a_tree_that_is_what_a_whole_build_gives_is_noted_as_proven(team: Team):
    assert check(of(team)) == []
    assert of(team).checked_at is not None
    assert of(team).differed_at is None


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE brain_node SET title = 'Forged' WHERE node_id = 'rules/review.md'",
        "DELETE FROM brain_node WHERE node_id = 'rules/review.md'",
        "UPDATE brain_node SET size = 1 WHERE kind = 'root'",
        "DELETE FROM brain_link",
        "UPDATE brain_ref SET target = 'elsewhere.md'",
        "UPDATE brain_source SET tree_hash = 'other'",
    ],
)
def test_a_tree_that_differs_is_told_and_mended_by_a_whole_build(
    team: Team, damage: str, caplog: pytest.LogCaptureFixture
):
    with connection.cursor() as cursor:
        cursor.execute(damage)

    assert check(of(team))
    source = of(team)
    assert (source.wanted, source.wanted_by) == ("whole", "nightly check")
    assert source.differed_at is not None
    assert "differs from a whole build" in caplog.text


def test_trees_are_proven_in_turn_the_one_that_waits_longest_first(tmp_path: Path, team: Team):
    other = a_built_team(tmp_path, FILES, "second")
    check(of(team))

    found = store.least_proven()

    assert found is not None
    assert found.project == other.project
