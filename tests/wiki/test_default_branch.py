"""Another default branch, chosen in Admin → Git repositories: every wiki project of the repository moves."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from brain import store
from members.models import Activity, Member, Project
from repositories import signals
from repositories.models import Repository
from tests.brain.given_managing import change, said, source_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def at_work(team):
    """An administrator's browser."""
    client = Client()
    root = Member.objects.create_superuser("root")
    client.force_login(root, backend="django.contrib.auth.backends.ModelBackend")
    return client


@pytest.fixture
def choose(at_work, team, django_capture_on_commit_callbacks):
    """Save another default branch in the admin, with all that follows in the same request."""

    def chosen(branch):
        entered = {
            "name": team.repository.name,
            "slug": team.repository.slug,
            "remote": team.repository.remote,
        }
        address = reverse("admin:repositories_repository_change", args=[team.repository.pk])
        with django_capture_on_commit_callbacks(execute=True):
            return at_work.post(address, entered | {"default_branch": branch})

    return chosen


def another(team, slug, **columns):
    """Another project of the same repository."""
    project = Project.objects.create(slug=slug, name=slug, repository=team.repository)
    store.follow(project, "main")
    change(project, **columns)
    return project


def test_every_wiki_project_of_the_repository_moves_and_is_built_in_the_same_request(team, choose):
    change(team.project, wiki=True)
    other = another(team, "other", wiki=True)
    assert choose("next").status_code == 302
    for project in (team.project, other):
        row = source_of(project)
        assert (row.branch, row.wanted, row.wanted_by) == ("next", "build", "root")
    moved = ("brain.configure", "next", {"branch": {"from": "main", "to": "next"}}, "default-branch")
    assert said() == [moved, moved]
    for row in Activity.objects.filter(action="brain.configure"):
        assert (row.door, row.actor_name) == ("admin", "root")


def test_a_project_whose_wiki_is_off_keeps_its_branch(team, choose):
    choose("next")
    assert source_of(team.project).branch == "main"
    assert said() == []


def test_a_branch_that_is_not_mirrored_yet_is_built_by_the_sync_that_brings_it(team, choose):
    change(team.project, wiki=True)
    choose("later")
    row = source_of(team.project)
    assert (row.branch, row.state, row.wanted) == ("later", "ready", "")
    team.git.branch("later", team.first)
    team.sync()
    assert source_of(team.project).wanted == "build"


def test_what_fails_is_logged_healed_later_and_never_shown(team, choose, caplog):
    change(team.project, wiki=True)
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE FUNCTION fault() RETURNS trigger LANGUAGE plpgsql AS $$"
            "BEGIN RAISE EXCEPTION 'the disk is away'; END $$;"
            "CREATE TRIGGER fault BEFORE UPDATE ON brain_source FOR EACH ROW EXECUTE FUNCTION fault()"
        )
    response = choose("next")
    assert response.status_code == 302
    assert Repository.objects.get(pk=team.repository.pk).default_branch == "next"
    assert source_of(team.project).branch == "main"
    assert f"{team.project.slug} was not moved" in caplog.text


def test_the_first_default_branch_that_a_sync_finds_is_followed_too(team):
    change(team.project, wiki=True, branch="next")
    signals.default_branch_changed.send(
        Repository, repository=team.repository, old="", new="main", actor=None
    )
    assert source_of(team.project).branch == "main"
    row = Activity.objects.get(action="brain.configure")
    assert (row.actor_type, row.door, row.reason) == ("system", "system", "default-branch")
