"""Admin → Git repositories: what may be entered, what is never shown, and what saving sets off."""

from __future__ import annotations

import json
import re

import pytest
from django.contrib.auth import get_user_model
from django.contrib.messages import get_messages
from django.contrib.messages.storage.cookie import CookieStorage
from django.test import RequestFactory
from django.urls import reverse

from repositories import mirrors, signals, tasks
from repositories.admin import RepositoryAdmin
from repositories.credentials import decrypted
from repositories.forms import RepositoryForm
from repositories.models import Repository
from tests.repositories.given_git import a_repository

ENTERED = {
    "slug": "rules",
    "name": "Rules",
    "remote": "https://git.example.org/rules.git",
    "default_branch": "",
}


def a_form(instance=None, **entered):
    return RepositoryForm({**ENTERED, **entered}, instance=instance)


def test_a_refused_remote_is_told_beside_its_field(db):
    form = a_form(remote="http://git.example.org/rules.git")
    assert form.errors == {"remote": ["Only https addresses are allowed."]}


def test_a_remote_is_stored_in_its_one_spelling(db):
    assert a_form(remote="HTTPS://Git.Example.org:443/rules.git/").save().remote == ENTERED["remote"]


def test_credentials_go_in_and_never_come_out(db):
    repository = a_form(user="reader", token="canary-1").save()
    assert decrypted(bytes(repository.credentials)).user == "reader"
    page = str(RepositoryForm(instance=repository).as_p())
    assert "canary-1" not in page
    assert "reader" not in page


def test_empty_fields_keep_what_is_stored_and_a_new_address_drops_it(db):
    repository = a_form(token="canary-1").save()
    assert decrypted(bytes(a_form(repository).save().credentials)).token == "canary-1"
    assert a_form(repository, remote="https://other.example.org/a").save().credentials is None


def test_stored_credentials_can_be_forgotten(db):
    repository = a_form(token="canary-1").save()
    assert a_form(repository, forget="on").save().credentials is None


@pytest.mark.parametrize(
    "entered", [{"token": "a\r\nX: y"}, {"user": "a:b", "token": "t"}, {"user": "alone"}]
)
def test_credentials_that_no_header_can_hold_are_refused(db, entered):
    assert not a_form(**entered).is_valid()


def test_a_default_branch_must_have_a_name_that_can_be_followed(db):
    assert "default_branch" in a_form(default_branch="kintsugi/x").errors
    assert a_form(default_branch="release/1.0").is_valid()


class Request:
    """An admin's request, and the messages it ends with."""

    def __new__(cls, user):
        request = RequestFactory().post("/")
        request.user = user
        request._messages = CookieStorage(request)
        return request


@pytest.fixture
def request_of_admin(db):
    return Request(get_user_model()(is_staff=True, is_superuser=True, is_active=True))


def said(request):
    return [str(message) for message in get_messages(request)]


@pytest.fixture
def page():
    from django.contrib import admin

    return RepositoryAdmin(Repository, admin.site)


@pytest.fixture
def local(request_of_admin, settings, tmp_path):
    settings.MIRROR_LOCAL_ROOTS = [tmp_path]
    settings.MIRROR_ROOT = tmp_path / "mirrors"
    remote = a_repository(tmp_path / "rules.git", [{"a.md": "1"}])
    return Repository.objects.create(slug="rules", name="Rules", remote=str(remote.path))


def test_sync_now_queues_and_says_so(page, local, request_of_admin):
    for _ in range(2):
        page.sync_now(request_of_admin, Repository.objects.all())
    assert said(request_of_admin) == ["Rules: a sync is queued.", "Rules: a sync waits already."]
    local.refresh_from_db()
    assert (local.outcome, page.sync_state(local)[:14]) == ("never", "waiting since ")
    tasks.sync(local.pk)
    local.refresh_from_db()
    assert (local.outcome, local.default_branch, page.sync_state(local)) == ("ok", "main", "–")
    assert page.branches(local) == "main"


def test_saving_another_default_branch_sends_the_news_after_the_save(
    page, local, request_of_admin, django_capture_on_commit_callbacks
):
    mirrors.sync(local)
    heard = []

    def hear(sender, repository, old, new, actor, **kwargs):
        heard.append((Repository.objects.get().default_branch, old, new, actor))

    signals.default_branch_changed.connect(hear)
    entered = {**ENTERED, "remote": local.remote, "default_branch": "next"}
    form = RepositoryForm(entered, instance=local)
    assert form.is_valid(), form.errors
    with django_capture_on_commit_callbacks(execute=True):
        page.save_model(request_of_admin, form.save(commit=False), form, change=True)
    assert heard == [("next", "main", "next", request_of_admin.user)]
    assert said(request_of_admin) == ["The branch next is not mirrored yet; it is followed once it is."]
    with django_capture_on_commit_callbacks(execute=True):
        form = RepositoryForm(entered, instance=local)
        assert form.is_valid()
        page.save_model(request_of_admin, form.save(commit=False), form, change=True)
    assert len(heard) == 1
    signals.default_branch_changed.disconnect(hear)


def test_the_remotes_own_default_branch_shows_when_it_differs(page, local):
    mirrors.sync(local)
    assert page.remote_branch(local) == "main"
    local.default_branch = "next"
    assert page.remote_branch(local) == "main (Kintsugi follows next)"


def test_deleting_a_repository_takes_its_mirror(
    page, local, request_of_admin, django_capture_on_commit_callbacks
):
    mirrors.sync(local)
    mirror = local.mirror
    with django_capture_on_commit_callbacks(execute=True):
        page.delete_model(request_of_admin, local)
    assert not mirror.exists()


def test_the_form_offers_the_mirrored_branches(page, local):
    mirrors.sync(local)
    assert '<option value="main">' in str(RepositoryForm(instance=local)["default_branch"])


@pytest.fixture
def admins_client(client, request_of_admin):
    admin = get_user_model().objects.create_superuser("ada", "ada@example.org", "a long password")
    client.force_login(admin, backend="django.contrib.auth.backends.ModelBackend")
    return client


def test_the_page_of_a_repository_has_a_button_that_syncs(local, admins_client):
    place = reverse("admin:repositories_repository_change", args=[local.pk])
    button = reverse("admin:repositories_repository_sync", args=[local.pk])
    page = admins_client.get(place)
    assert page.status_code == 200
    assert f'action="{button}"' in page.content.decode()
    assert admins_client.get(button).status_code == 403
    page = admins_client.post(button, follow=True)
    assert "Rules: a sync is queued." in page.content.decode()
    assert "waiting since " in page.content.decode()


def test_a_repository_is_added_with_its_token(admins_client):
    place = reverse("admin:repositories_repository_add")
    assert admins_client.get(place).status_code == 200
    page = admins_client.post(place, {**ENTERED, "token": "canary-1"}, follow=True)
    assert "canary-1" not in page.content.decode()
    added = Repository.objects.get()
    assert decrypted(bytes(added.credentials)).token == "canary-1"
    assert added.wanted_at is not None


def test_a_new_address_and_new_credentials_are_tried_at_once(local, admins_client):
    place = reverse("admin:repositories_repository_change", args=[local.pk])
    kept = {**ENTERED, "remote": local.remote}
    admins_client.post(place, {**kept, "name": "Laws"})
    local.refresh_from_db()
    assert (local.name, local.wanted_at) == ("Laws", None)
    admins_client.post(place, {**kept, "token": "canary-1"})
    local.refresh_from_db()
    asked = local.wanted_at
    assert asked is not None
    admins_client.post(place, ENTERED)
    local.refresh_from_db()
    assert local.wanted_at > asked


def test_saving_keeps_what_a_sync_has_noted_meanwhile(page, local, request_of_admin):
    form = RepositoryForm({**ENTERED, "remote": local.remote}, instance=local)
    assert form.is_valid(), form.errors
    mirrors.sync(Repository.objects.get())
    page.save_model(request_of_admin, form.save(commit=False), form, change=True)
    assert Repository.objects.get().outcome == "ok"


def test_the_secret_of_a_webhook_is_shown_once_and_stored_encrypted(local, admins_client):
    from members.models import Activity

    place = reverse("admin:repositories_repository_change", args=[local.pk])
    button = reverse("admin:repositories_repository_hook", args=[local.pk])
    assert admins_client.get(button).status_code == 403
    page = admins_client.post(button)
    secret = re.search(r"whsec_[\w+/=]+", page.content.decode())[0]
    assert "http://testserver/hooks/rules" in page.content.decode()
    assert "no-store" in page["Cache-Control"]
    local.refresh_from_db()
    assert secret.encode() not in bytes(local.hook_secret)
    assert "Remove the webhook" in admins_client.get(place).content.decode()
    assert secret not in admins_client.get(place).content.decode()
    assert secret not in admins_client.post(button).content.decode()
    admins_client.post(reverse("admin:repositories_repository_unhook", args=[local.pk]))
    local.refresh_from_db()
    assert local.hook_secret is None
    noted = Activity.objects.filter(action="repository.change", target="rules")
    assert [json.loads(row.details) for row in noted] == [{"fields": ["webhook"]}] * 3


def test_a_repository_that_a_project_reads_cannot_be_deleted(local, admins_client):
    from members.models import Project

    Project.objects.create(slug="team", name="Team", repository=local)
    place = reverse("admin:repositories_repository_delete", args=[local.pk])
    admins_client.post(place, {"post": "yes"})
    assert Repository.objects.filter(pk=local.pk).exists()


def test_who_may_not_change_repositories_cannot_sync(local, client):
    someone = get_user_model().objects.create_user("bob", "bob@example.org", "a long password", is_staff=True)
    client.force_login(someone, backend="django.contrib.auth.backends.ModelBackend")
    for button in ("sync", "hook", "unhook"):
        place = reverse(f"admin:repositories_repository_{button}", args=[local.pk])
        assert client.post(place).status_code == 403
    local.refresh_from_db()
    assert (local.wanted_at, local.hook_secret) == (None, None)
