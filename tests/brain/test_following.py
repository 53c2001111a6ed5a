"""What a Brain follows: turned on and off, moved, built again, and each of it in the log or not done at all."""

from __future__ import annotations

import pytest
from django.db import DatabaseError, connection, transaction

from brain import store
from brain.errors import BrainOff, BranchNotMirrored, NoRepository, WikiFollowsDefault, WikiOn
from brain.following import configure, heal, move_to_default, rebuild
from brain.reads.status import read_status
from brain.reads.tree import read_tree
from brain.store import database_store
from members.errors import AccessDenied
from members.models import Activity, Project
from repositories.models import Repository
from tests.brain.given_managing import a_manager, a_standing_team, change, said, source_of

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def team(tmp_path_factory, django_db_setup, django_db_blocker):
    """A built project whose repository has the branches main and next."""
    with django_db_blocker.unblock(), a_standing_team(tmp_path_factory.mktemp("following")) as made:
        yield made


@pytest.fixture
def ada(team):
    return a_manager(team)


def wanted(project):
    row = source_of(project)
    return row.state, row.wanted, row.wanted_by


def as_it_was(act, project):
    """Whether the act left row and log alone."""
    before = Project.objects.filter(pk=project.pk).values("brain__generation", "brain__wanted", "brain__branch", "brain__enabled").get(), Activity.objects.count()  # fmt: skip
    act()
    return before == (Project.objects.filter(pk=project.pk).values("brain__generation", "brain__wanted", "brain__branch", "brain__enabled").get(), Activity.objects.count())  # fmt: skip


def a_follower(team, slug):
    """Another project of the same repository."""
    project = Project.objects.create(slug=slug, name=slug, repository=team.repository)
    store.follow(project, "main")
    return project


def a_row_that_cannot_be_written(source):
    """A fault of the database in one row, until the test is over."""
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE FUNCTION fault() RETURNS trigger LANGUAGE plpgsql AS $$"
            "BEGIN RAISE EXCEPTION 'the disk is away'; END $$"
        )
        cursor.execute(
            "CREATE TRIGGER fault BEFORE UPDATE ON brain_source FOR EACH ROW "
            f"WHEN (OLD.id = {source.pk}) EXECUTE FUNCTION fault()"
        )


def test_a_brain_that_is_turned_on_is_queued_and_the_log_says_so(team, ada):
    change(team.project, enabled=False)
    configure(team.project, ada, enabled=True)
    assert wanted(team.project) == ("queued", "build", "ada")
    assert said() == [
        ("brain.configure", "main", {"enabled": {"from": False, "to": True}, "build": True}, "")
    ]
    assert Activity.objects.get(action="brain.configure").actor_name == "ada"


def test_to_turn_on_what_is_on_is_to_build_it(team, ada):
    before = source_of(team.project)
    configure(team.project, ada, enabled=True)
    after = source_of(team.project)
    assert wanted(team.project) == ("queued", "build", "ada")
    assert (after.generation, after.branch) == (before.generation, "main")
    assert said() == [("brain.configure", "main", {"build": True}, "")]


def test_a_brain_that_was_never_built_follows_the_default_branch(team, ada):
    fresh = Project.objects.create(slug="fresh", name="Fresh", repository=team.repository)
    configure(fresh, ada, enabled=True)
    assert (source_of(fresh).branch, source_of(fresh).state) == ("main", "queued")


def test_a_brain_that_is_turned_off_keeps_its_tree_and_refuses_to_be_read(team, ada):
    configure(team.project, ada, enabled=False)
    with database_store(team.project) as stored:
        assert read_status(stored).envelope.state == "off"
        with pytest.raises(BrainOff):
            read_tree(stored)
    configure(team.project, ada, enabled=True)
    with database_store(team.project) as stored:
        assert read_tree(stored).total == 1


def test_what_was_wanted_is_wanted_no_more_once_the_brain_is_off(team, ada):
    configure(team.project, ada, enabled=True)
    configure(team.project, ada, enabled=False)
    assert wanted(team.project) == ("ready", "", "")


def test_to_turn_off_what_is_off_changes_and_notes_nothing(team, ada):
    configure(team.project, ada, enabled=False)
    assert as_it_was(lambda: configure(team.project, ada, enabled=False), team.project)


def test_a_brain_can_be_turned_off_without_repository_and_mirror(team, ada):
    Project.objects.filter(pk=team.project.pk).update(repository=None)
    configure(team.project, ada, enabled=False)
    assert not source_of(team.project).enabled


def test_another_branch_is_followed_and_built_and_the_old_tree_stays_readable(team, ada):
    before = source_of(team.project)
    configure(team.project, ada, enabled=True, branch="next")
    after = source_of(team.project)
    assert (after.branch, after.generation, after.commit) == ("next", before.generation + 1, before.commit)
    assert wanted(team.project) == ("queued", "build", "ada")
    assert said() == [
        ("brain.configure", "next", {"branch": {"from": "main", "to": "next"}, "build": True}, "")
    ]


def test_each_change_overtakes_a_build_that_runs(team, ada):
    generations = [source_of(team.project).generation]
    for wish in ({"enabled": False}, {"enabled": True}, {"enabled": True, "branch": "next"}):
        configure(team.project, ada, **wish)
        generations.append(source_of(team.project).generation)
    assert generations == sorted(set(generations))


def test_a_branch_can_be_chosen_while_the_brain_is_turned_off(team, ada):
    configure(team.project, ada, enabled=False, branch="next")
    assert (source_of(team.project).branch, wanted(team.project)) == ("next", ("ready", "", ""))


@pytest.mark.parametrize("branch", ["gone", "kintsugi/notes", "-x", "main..next", "refs/heads/main"])
@pytest.mark.parametrize("enabled", [True, False])
def test_a_branch_that_the_mirror_has_not_is_refused_and_nothing_changes(team, ada, branch, enabled):
    def refused():
        with pytest.raises(BranchNotMirrored, match="not in the mirror") as refusal:
            configure(team.project, ada, enabled=enabled, branch=branch)
        assert refusal.value.told == {"state": "ready"}

    assert as_it_was(refused, team.project)


def test_without_a_repository_there_is_nothing_to_build(team, ada):
    empty = Project.objects.create(slug="empty", name="Empty")
    for act in (lambda: configure(empty, ada, enabled=True), lambda: rebuild(empty, ada)):
        with pytest.raises(NoRepository):
            act()


def test_before_the_first_sync_there_is_no_branch_to_follow(team, ada):
    away = Repository.objects.create(slug="away", name="away", remote="https://example.org/away.git")
    mirrored = Project.objects.create(slug="away", name="Away", repository=away)
    Repository.objects.filter(pk=away.pk).update(default_branch="main")
    with pytest.raises(Exception, match="mirror"):
        configure(mirrored, ada, enabled=True)


def test_a_project_that_is_gone_has_no_brain_to_manage(team, ada):
    gone = Project.objects.get(pk=team.project.pk)
    Project.objects.get(pk=team.project.pk).delete()
    with pytest.raises(AccessDenied):
        configure(gone, ada, enabled=True)


def test_a_rebuild_is_whole_whatever_was_wanted_and_whatever_became_of_the_last_build(team, ada):
    change(team.project, state="failed", error="error: it stopped")
    configure(team.project, ada, enabled=True)
    rebuild(team.project, ada)
    assert wanted(team.project)[:2] == ("queued", "whole")
    assert said("brain.rebuild") == [("brain.rebuild", "main", {}, "")]


def test_a_rebuild_is_refused_while_the_brain_is_off(team, ada):
    configure(team.project, ada, enabled=False)
    with pytest.raises(BrainOff) as refusal:
        rebuild(team.project, ada)
    assert refusal.value.told == {"state": "off"}
    assert said("brain.rebuild") == []


def test_a_change_that_cannot_be_noted_is_not_made(team, ada):
    before = source_of(team.project)
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE members_activity RENAME TO members_activity_away")
        for act in (
            lambda: configure(team.project, ada, enabled=False),
            lambda: configure(team.project, ada, enabled=True, branch="next"),
            lambda: rebuild(team.project, ada),
        ):
            with pytest.raises(DatabaseError):
                act()
        after = source_of(team.project)
        transaction.set_rollback(True)
    told = ("generation", "enabled", "branch", "wanted", "state")
    assert [getattr(after, name) for name in told] == [getattr(before, name) for name in told]


# While the wiki is on


def test_a_wiki_project_follows_the_default_branch_alone(team, ada):
    change(team.project, wiki=True)
    with pytest.raises(WikiFollowsDefault) as refusal:
        configure(team.project, ada, enabled=True, branch="next")
    assert str(refusal.value) == "A wiki project's Brain follows the default branch"
    with pytest.raises(WikiOn) as refusal:
        configure(team.project, ada, enabled=False)
    assert str(refusal.value) == "Turn the wiki off before turning the Brain off"
    assert said() == []


@pytest.mark.parametrize("branch", ["main", ""])
def test_the_default_branch_or_none_works_and_brings_a_brain_back_that_was_left(team, ada, branch):
    change(team.project, wiki=True, branch="next")
    configure(team.project, ada, enabled=True, branch=branch)
    assert source_of(team.project).branch == "main"
    assert said() == [
        ("brain.configure", "main", {"branch": {"from": "next", "to": "main"}, "build": True}, "")
    ]


def test_the_minute_job_brings_back_whatever_wiki_project_was_left(team, ada):
    change(team.project, wiki=True, branch="next")
    assert heal() == 1
    assert wanted(team.project) == ("queued", "build", "system")
    assert said() == [("brain.configure", "main", {"branch": {"from": "next", "to": "main"}}, "reconciler")]
    assert Activity.objects.get(action="brain.configure").actor_type == "system"
    assert heal() == 0


def test_a_wiki_project_whose_brain_is_off_is_turned_on_again(team):
    change(team.project, wiki=True, enabled=False)
    assert heal() == 1
    assert source_of(team.project).enabled


def test_healing_leaves_alone_whoever_has_no_wiki_no_repository_or_no_default_branch(team):
    change(team.project, branch="next")
    assert heal() == 0
    change(team.project, wiki=True)
    Repository.objects.update(default_branch="")
    assert heal() == 0
    Project.objects.filter(pk=team.project.pk).update(repository=None)
    assert heal() == 0


def test_one_project_that_cannot_be_moved_does_not_stop_the_others(team, caplog):
    others = [a_follower(team, slug) for slug in ("first", "last")]
    for project in (team.project, *others):
        change(project, wiki=True, branch="next")
    a_row_that_cannot_be_written(source_of(team.project))
    assert heal() == 2
    assert [source_of(project).branch for project in (team.project, *others)] == ["next", "main", "main"]
    assert f"The Brain of {team.project.slug} was not moved" in caplog.text


def test_a_brain_is_moved_before_the_mirror_has_the_branch_and_built_once_it_has(team, ada):
    change(team.project, wiki=True)
    Repository.objects.update(default_branch="soon")
    assert move_to_default(team.project, ada, reason="default-branch")
    assert (source_of(team.project).branch, wanted(team.project)) == ("soon", ("ready", "", ""))
    team.git.branch("soon", team.first)
    team.sync()
    assert wanted(team.project)[:2] == ("queued", "build")
