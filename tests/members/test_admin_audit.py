"""The admin: whatever is changed there stands in the log, in the same transaction, and nothing more can be."""

from __future__ import annotations

import json
import uuid

import pytest
from django.contrib.auth.models import Group, Permission
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from brain import snapshots, store
from brain.models import Build, Link, Node, Ref, Source, Text
from members import activity, tokens
from members.models import Activity, Member, Membership, Project, Role
from members.permissions import AUDITOR
from members.projects import join
from repositories import mirrors
from repositories.models import Repository
from tests.given_db import PASSWORD, a_built_team
from tests.members.given_activity import a_caller, a_member, a_project, an_auditor, noted

pytestmark = pytest.mark.django_db


@pytest.fixture
def root() -> Member:
    return Member.objects.create_superuser("root", password=PASSWORD)


@pytest.fixture
def at_work(root) -> Client:
    """The superuser's browser; what signing in left in the log does not count."""
    client = Client(headers={"User-Agent": "Firefox"})
    client.force_login(root, backend="django.contrib.auth.backends.ModelBackend")
    return client


@pytest.fixture
def ada(project) -> Member:
    return a_member("ada", project, Role.MEMBER)


# Members


def test_a_member_is_added(at_work):
    entered = {"username": "bo", "usable_password": "true", "password1": PASSWORD, "password2": PASSWORD}
    at_work.post(reverse("admin:members_member_add"), entered)
    row = told("member.add")
    assert (row.target, row.actor_name, row.door, row.chain) == ("bo", "root", "admin", activity.NO_PROJECT)
    assert (row.ip, row.agent) == ("127.0.0.1", "Firefox")
    assert row.request_id is not None


@pytest.mark.parametrize(
    ("entered", "details"),
    [
        ({"is_staff": "on"}, {"is_staff": {"from": False, "to": True}}),
        ({"is_superuser": "on"}, {"is_superuser": {"from": False, "to": True}}),
        ({"is_active": ""}, {"is_active": {"from": True, "to": False}}),
        ({"email": "ada@example.org", "first_name": "Ada"}, {"fields": ["email", "first_name"]}),
        ({"username": "ada2"}, {"username": {"from": "ada", "to": "ada2"}}),
    ],
)
def test_what_of_a_member_was_changed_is_told(at_work, ada, entered, details):
    change_member(at_work, ada, **entered)
    assert json.loads(told("member.change").details) == details


def test_somebody_is_made_an_auditor_and_the_log_says_so(at_work, ada):
    group, _ = Group.objects.get_or_create(name=AUDITOR)
    change_member(at_work, ada, groups=[group.pk])
    assert ada.groups.get() == group
    assert json.loads(told("member.change").details) == {"groups": {"from": [], "to": ["auditor"]}}


def test_a_form_that_changes_nothing_is_no_activity(at_work, ada):
    change_member(at_work, ada)
    assert not Activity.objects.filter(action="member.change").exists()


def test_a_password_that_is_set_is_told_and_never_shown(at_work, ada):
    address = reverse("admin:auth_user_password_change", args=[ada.pk])
    at_work.post(
        address, {"usable_password": "true", "password1": "canary pass 1", "password2": "canary pass 1"}
    )
    assert told("member.password").target == "ada"
    ada.refresh_from_db()
    assert ada.check_password("canary pass 1")
    assert_nowhere("canary", ada.password)


def test_ones_own_password_is_told_too(at_work, root):
    entered = {"old_password": PASSWORD, "new_password1": "canary pass 1", "new_password2": "canary pass 1"}
    at_work.post(reverse("admin:password_change"), entered)
    root.refresh_from_db()
    assert root.check_password("canary pass 1")
    assert told("member.password").target == "root"


def test_a_password_that_was_refused_is_no_activity(at_work, ada):
    for address in (
        reverse("admin:password_change"),
        reverse("admin:auth_user_password_change", args=[ada.pk]),
    ):
        assert at_work.post(address, {"password1": "a", "password2": "b"}).status_code == 200
        assert at_work.get(address).status_code == 200
    assert not Activity.objects.filter(action="member.password").exists()


@pytest.mark.parametrize("many", [False, True])
def test_a_removed_member_leaves_projects_and_tokens_and_each_of_it_is_told(at_work, project, ada, many):
    tokens.issue(a_caller(ada), ada, name="laptop", project=project)
    if many:
        act(at_work, "member", "delete_selected", ada, post="yes")
    else:
        at_work.post(reverse("admin:members_member_delete", args=[ada.pk]), {"post": "yes"})
    assert not Member.objects.filter(username="ada").exists()
    assert [told(action).target for action in ("token.revoke", "membership.remove", "member.remove")] == [
        "laptop",
        "ada",
        "ada",
    ]
    assert told("membership.remove").chain == project.pk


# Memberships


def test_a_membership_is_added_in_the_chain_of_its_project(at_work, project):
    bo = a_member("bo")
    change_project(at_work, project, new={"member": bo.pk, "role": "reader"})
    row = told("membership.add")
    assert (row.chain, row.project, row.target, json.loads(row.details)) == (
        project.pk, "handbook", "bo", {"role": "reader"},
    )  # fmt: skip


def test_a_role_that_changes_is_told_with_the_old_one(at_work, project, ada):
    change_project(at_work, project, role="maintainer")
    assert json.loads(told("membership.change").details) == {"role": {"from": "member", "to": "maintainer"}}


def test_a_removed_membership_takes_the_tokens_of_the_project_with_it(at_work, project, ada):
    other = a_project("other")
    join(ada, other, Role.MEMBER)
    (here, _), (there, _) = (
        tokens.issue(a_caller(ada), ada, name=one.slug, project=one) for one in (project, other)
    )
    change_project(at_work, project, DELETE="on")
    assert json.loads(told("membership.remove").details) == {"role": "member"}
    assert told("token.revoke").target == "handbook"
    here.refresh_from_db()
    there.refresh_from_db()
    assert (here.revoked_by, there.revoked_at) == ("root", None)


def test_a_membership_that_is_given_to_somebody_else_is_a_removal_and_an_addition(at_work, project, ada):
    tokens.issue(a_caller(ada), ada, name="laptop", project=project)
    change_project(at_work, project, member=a_member("bo").pk)
    assert (told("membership.remove").target, told("membership.add").target) == ("ada", "bo")
    assert told("token.revoke").target == "laptop"


# Projects, repositories, Brains


def test_a_project_is_added_changed_and_removed(at_work, project, ada):
    at_work.post(reverse("admin:members_project_add"), project_form(name="New", slug="new"))
    new = Project.objects.get(slug="new")
    assert (told("project.add").target, told("project.add").chain) == ("new", new.pk)
    repository = Repository.objects.create(slug="rules", name="Rules", remote="https://git.example.org/rules")
    change_project(at_work, project, form={"repository": repository.pk, "name": "Guide"})
    details = {"name": {"from": "Handbook", "to": "Guide"}, "fields": ["repository"]}
    assert json.loads(told("project.change").details) == details
    tokens.issue(a_caller(ada), ada, name="laptop", project=project)
    at_work.post(reverse("admin:members_project_delete", args=[project.pk]), {"post": "yes"})
    assert not Project.objects.filter(pk=project.pk).exists()
    assert (told("project.remove").chain, told("project.remove").project) == (project.pk, "handbook")
    assert (told("membership.remove").target, told("token.revoke").target) == ("ada", "laptop")


@pytest.mark.parametrize("many", [False, True])
def test_a_project_with_a_brain_is_removed_with_all_that_was_built(
    at_work, tmp_path, many, django_capture_on_commit_callbacks
):
    team = a_built_team(tmp_path, {"README.md": "# Handbook\n\n## Scope\n"})
    source = store.source_of(team.project)
    address = reverse("admin:members_project_delete", args=[team.project.pk])
    asked = at_work.get(address)
    assert b"Scope" not in asked.content  # a tree may have many thousand rows
    assert b"Are you sure" in asked.content
    with django_capture_on_commit_callbacks(execute=True):
        if many:
            act(at_work, "project", "delete_selected", team.project, post="yes")
        else:
            at_work.post(address, {"post": "yes"})
    assert not Project.objects.exists()
    assert not any(
        table.objects.filter(source_id=source.pk).exists() for table in (Node, Link, Ref, Text, Build)
    )
    assert mirrors.pins(team.repository) == []
    assert not snapshots.path_of(source.pk, source.commit).exists()
    assert (told("project.remove").target, told("project.remove").actor_name) == ("handbook", "root")


def test_a_repository_is_added_changed_and_removed_and_credentials_are_never_told(at_work):
    entered = {"slug": "rules", "name": "Rules", "remote": "https://git.example.org/rules.git"}
    at_work.post(reverse("admin:repositories_repository_add"), {**entered, "token": "canary-1"})
    repository = Repository.objects.get()
    row = told("repository.add")
    assert (row.target, row.actor_name, row.door, row.chain) == (
        "rules",
        "root",
        "admin",
        activity.NO_PROJECT,
    )
    address = reverse("admin:repositories_repository_change", args=[repository.pk])
    at_work.post(address, {**entered, "name": "Laws", "token": "canary-2", "user": "canary-3"})
    assert json.loads(told("repository.change").details) == {"fields": ["name", "credentials"]}
    at_work.post(reverse("admin:repositories_repository_delete", args=[repository.pk]), {"post": "yes"})
    assert told("repository.remove").target == "rules"
    assert_nowhere("canary")


def test_another_default_branch_is_told_once_with_the_old_one(at_work, django_capture_on_commit_callbacks):
    repository = a_repository()
    address = reverse("admin:repositories_repository_change", args=[repository.pk])
    entered = {"slug": "rules", "name": "Rules", "remote": repository.remote, "default_branch": "next"}
    with django_capture_on_commit_callbacks(execute=True):  # the news that others hear comes after
        at_work.post(address, entered)
    row = told("repository.default-branch")
    assert (row.actor_name, row.door, row.target, json.loads(row.details)) == (
        "root", "admin", "rules", {"branch": {"from": "main", "to": "next"}},
    )  # fmt: skip


def test_the_first_default_branch_that_a_sync_finds_is_the_systems(tmp_path, settings):
    from repositories import mirrors
    from tests.repositories.given_git import a_repository as a_git_repository

    settings.MIRROR_LOCAL_ROOTS = [tmp_path]
    git = a_git_repository(tmp_path / "rules.git", [{"a.md": "1"}])
    mirrors.sync(Repository.objects.create(slug="rules", name="Rules", remote=str(git.path)))
    row = told("repository.default-branch")
    assert (row.actor_type, json.loads(row.details)) == ("system", {"branch": {"from": "", "to": "main"}})


def test_globs_of_a_brain_are_told_old_and_new(at_work, project):
    source = store.source_of(project)
    change_source(at_work, source, include="docs/**")
    row = told("brain.configure")
    assert (row.chain, row.actor_name, row.door) == (project.pk, "root", "admin")
    assert json.loads(row.details) == {"include": {"from": "", "to": "docs/**"}}
    source.refresh_from_db()
    assert (source.wanted, source.wanted_by, source.generation) == ("build", "root", 1)
    change_source(at_work, source, include="docs/**")
    assert Activity.objects.filter(action="brain.configure").count() == 1


# Tokens


def test_tokens_are_revoked_after_a_question(at_work, project, ada):
    token, raw = tokens.issue(a_caller(ada), ada, name="laptop", project=project)
    question = act(at_work, "token", "revoke", token).content.decode()
    token.refresh_from_db()
    assert "laptop of ada" in question
    assert token.revoked_at is None
    act(at_work, "token", "revoke", token, post="yes")
    token.refresh_from_db()
    assert (token.revoked_by, told("token.revoke").actor_name) == ("root", "root")
    act(at_work, "token", "revoke", token, post="yes")
    assert Activity.objects.filter(action="token.revoke").count() == 1
    page = at_work.get(reverse("admin:members_token_change", args=[token.pk])).content.decode()
    assert not {raw, token.digest} & set(page.replace('"', " ").replace("<", " ").replace(">", " ").split())
    assert token.digest not in page


# What nobody can do


@pytest.mark.parametrize("model", ["activity", "token"])
def test_nobody_adds_changes_or_removes_them(at_work, project, ada, model):
    token, _ = tokens.issue(a_caller(ada), ada, name="laptop", project=project)
    row = {"activity": Activity.objects.latest("pk"), "token": token}[model]
    before = type(row).objects.values().get(pk=row.pk)
    everything = {field.name: "1" for field in row._meta.fields}
    assert at_work.post(reverse(f"admin:members_{model}_add"), everything).status_code == 403
    assert (
        at_work.post(reverse(f"admin:members_{model}_change", args=[row.pk]), everything).status_code == 403
    )
    answer = at_work.post(reverse(f"admin:members_{model}_delete", args=[row.pk]), {"post": "yes"})
    assert answer.status_code == 403
    act(at_work, model, "delete_selected", row, post="yes")
    assert type(row).objects.values().get(pk=row.pk) == before


def test_more_fields_than_a_form_has_change_nothing_more(at_work, project, ada):
    others = {"password": "x", "last_login_0": "2000-01-01", "last_login_1": "0:00", "id": "99", "pk": "99"}
    before = Member.objects.values().get(pk=ada.pk)
    change_member(at_work, ada, first_name="Ada", date_joined="2000-01-01", last_login="2000-01-01", **others)
    assert Member.objects.values().get(username="ada") == {**before, "first_name": "Ada"}

    before = Project.objects.values().get(pk=project.pk)
    posted = {"name": "Guide", "id": str(uuid.uuid4()), "created_at": "2000-01-01", "role": "maintainer"}
    change_project(at_work, project, form=posted)
    assert Project.objects.values().get(slug="handbook") == {**before, "name": "Guide"}

    source = store.source_of(project)
    before = Source.objects.values().get()
    change_source(
        at_work,
        source,
        exclude="old/",
        **{name: "1" for name in before if name not in ("exclude", "include")},
    )
    after = Source.objects.values().get()
    asked = {"state": "queued", "wanted": "build", "wanted_by": "root", "wanted_at": after["wanted_at"]}
    assert after == {**before, "exclude": "old/", "generation": 1, **asked}

    repository = a_repository()
    before = Repository.objects.values().get()
    form = {"name": "Laws", "slug": "rules", "remote": repository.remote, "default_branch": "main"}
    hidden = {name: "1" for name in before if name not in (*form, "web_address", "write_back", "linkable")}
    at_work.post(reverse("admin:repositories_repository_change", args=[repository.pk]), {**hidden, **form})
    assert Repository.objects.values().get() == {**before, "name": "Laws"}


def test_a_change_that_fails_after_its_note_leaves_neither(at_work, project, ada, monkeypatch):
    def fail(*_args, **_kwargs):
        raise RuntimeError("the disk is full")

    monkeypatch.setattr("django.contrib.admin.options.ModelAdmin.log_change", fail)
    at_work.raise_request_exception = False
    before = Activity.objects.count()
    change_member(at_work, ada, is_superuser="on")
    change_project(at_work, project, role="maintainer")
    ada.refresh_from_db()
    assert (ada.is_superuser, Membership.objects.get().role) == (False, "member")
    assert Activity.objects.count() == before


def test_a_change_that_cannot_be_noted_is_not_made(at_work, ada):
    at_work.raise_request_exception = False
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(
                "ALTER TABLE members_activity ADD CONSTRAINT full_up CHECK (action <> 'member.change') NOT VALID"
            )
        assert change_member(at_work, ada, is_superuser="on").status_code >= 500
        ada.refresh_from_db()
        assert ada.is_superuser is False
        transaction.set_rollback(True)


def test_staff_who_is_no_superuser_takes_no_power(ada):
    """Django lets whoever may change users make themselves a superuser; here they may not."""
    clerk = Member.objects.create_user("clerk", password=PASSWORD, is_staff=True)
    clerk.user_permissions.set(Permission.objects.filter(codename__endswith="_member"))
    root = Member.objects.create_superuser("root", password=PASSWORD)
    desk = Client()
    desk.force_login(clerk, backend="django.contrib.auth.backends.ModelBackend")
    powers = {
        "is_superuser": "on",
        "is_staff": "on",
        "groups": [Group.objects.get_or_create(name=AUDITOR)[0].pk],
    }
    for member in (clerk, ada):
        change_member(desk, member, first_name="X", **powers)
        member.refresh_from_db()
        assert (member.first_name, member.is_superuser, member.groups.exists()) == ("X", False, False)
    assert change_member(desk, root, is_superuser="").status_code == 403
    new = {"usable_password": "true", "password1": "x y z 1 2 3", "password2": "x y z 1 2 3"}
    assert desk.post(reverse("admin:auth_user_password_change", args=[root.pk]), new).status_code == 403
    assert (
        desk.post(reverse("admin:members_member_delete", args=[root.pk]), {"post": "yes"}).status_code == 403
    )
    act(desk, "member", "delete_selected", root, post="yes")
    root.refresh_from_db()
    assert (root.is_superuser, root.check_password(PASSWORD)) == (True, True)


# The list of activities


def test_the_list_is_for_auditors_and_superusers_and_asks_as_little_for_many_rows_as_for_few(at_work):
    def queries() -> int:
        with CaptureQueriesContext(
            connection,
        ) as asked:
            assert at_work.get(reverse("admin:members_activity_changelist")).status_code == 200
        return len(asked)

    noted("brain.read", target="a.md")
    few = queries()
    for turn in range(30):
        noted("brain.read", project=a_project(f"p{turn}"), target="a.md")
    assert queries() == few


@pytest.mark.parametrize(
    "asked", ["?action=auth.failed", "?outcome=refused", "?q=eve", "?door__exact=portal&outcome=refused"]
)
def test_the_list_is_filtered_and_searched(at_work, asked):
    noted("brain.read", target="a.md", by=a_caller(a_member("bo")))
    noted("auth.failed", target="eve", status=401)
    page = at_work.get(reverse("admin:members_activity_changelist") + asked).content.decode()
    assert "1 activity" in page


def test_an_auditor_on_the_staff_sees_the_log_and_nothing_else(ada):
    audra = an_auditor()
    audra.is_staff = True
    audra.save()
    desk = Client()
    desk.force_login(audra, backend="django.contrib.auth.backends.ModelBackend")
    row = noted("brain.read", target="a.md")
    assert desk.get(reverse("admin:members_activity_changelist")).status_code == 200
    assert "a.md" in desk.get(reverse("admin:members_activity_change", args=[row.pk])).content.decode()
    for name in ("member", "project", "token"):
        assert desk.get(reverse(f"admin:members_{name}_changelist")).status_code == 403


def test_who_reads_the_log_in_the_admin_leaves_no_row(at_work):
    before = Activity.objects.count()
    at_work.get(reverse("admin:members_activity_changelist"))
    assert Activity.objects.count() == before


def told(action: str) -> Activity:
    return Activity.objects.get(action=action)


def assert_nowhere(*words: str) -> None:
    stored = json.dumps(list(Activity.objects.values()), default=str)
    assert not [word for word in words if word in stored]


def a_repository() -> Repository:
    remote = "https://git.example.org/rules.git"
    return Repository.objects.create(slug="rules", name="Rules", remote=remote, default_branch="main")


def act(client: Client, model: str, action: str, row, **more):
    chosen = {"action": action, "_selected_action": [str(row.pk)], **more}
    return client.post(reverse(f"admin:members_{model}_changelist"), chosen)


def change_member(client: Client, member: Member, **entered):
    form = {"username": member.username, "is_active": "on"}
    form |= {name: "on" for name in ("is_staff", "is_superuser") if getattr(member, name)}
    posted = {name: value for name, value in {**form, **entered}.items() if value != ""}
    return client.post(reverse("admin:members_member_change", args=[member.pk]), posted)


def change_source(client: Client, source: Source, **entered):
    builds = {"builds-TOTAL_FORMS": 0, "builds-INITIAL_FORMS": 0}
    return client.post(reverse("admin:brain_source_change", args=[source.pk]), {**builds, **entered})


def project_form(**entered) -> dict:
    return {"memberships-TOTAL_FORMS": 0, "memberships-INITIAL_FORMS": 0, **entered}


def change_project(
    client: Client, project: Project, *, form: dict | None = None, new: dict | None = None, **first
):
    """Change the project's own fields, its first membership, or give it another one."""
    rows = [
        {"id": one.pk, "project": project.pk, "member": one.member_id, "role": one.role}
        for one in project.memberships.order_by("pk")
    ]
    held = len(rows)
    if first:
        rows[0] |= first
    if new:
        rows.append({"project": project.pk, **new})
    posted = {
        f"memberships-{place}-{name}": value for place, row in enumerate(rows) for name, value in row.items()
    }
    counts = {"memberships-TOTAL_FORMS": len(rows), "memberships-INITIAL_FORMS": held}
    own = {"name": project.name, "slug": project.slug, **(form or {})}
    return client.post(
        reverse("admin:members_project_change", args=[project.pk]), {**counts, **own, **posted}
    )
