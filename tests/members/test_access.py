"""Who may see a project: its members and superusers; for everyone else it does not exist."""

from __future__ import annotations

import uuid

import pytest
from django.contrib.auth.models import AnonymousUser

from members.access import project_of_operator, project_open_to, projects_open_to
from members.callers import address_of
from members.errors import AccessDenied
from members.models import Member, Project, Role
from members.permissions import GRANTS, MANAGE_BRAIN, MANAGE_WIKI, MEMBER_READ, READ, READ_ACTIVITY, allows
from members.projects import join

pytestmark = pytest.mark.django_db


@pytest.fixture
def project() -> Project:
    Project.objects.create(slug="closed", name="Closed")
    return Project.objects.create(slug="open", name="Open")


@pytest.fixture
def member(project: Project) -> Member:
    ada = Member.objects.create_user("ada")
    join(ada, project)
    return ada


def test_a_member_opens_their_project_by_slug_and_by_id(member: Member, project: Project) -> None:
    assert project_open_to(member, "open") == project
    assert project_open_to(member, str(project.pk)) == project


def test_a_closed_project_and_a_missing_one_are_refused_in_the_same_words(member: Member) -> None:
    refusals = set()
    for reference in ("closed", "missing", str(uuid.uuid4()), str(Project.objects.get(slug="closed").pk), ""):
        with pytest.raises(AccessDenied) as refused:
            project_open_to(member, reference)
        refusals.add(str(refused.value))
    assert len(refusals) == 1


def test_a_superuser_opens_every_project(project: Project) -> None:
    root = Member.objects.create_superuser("root")
    assert set(projects_open_to(root)) == set(Project.objects.all())


@pytest.mark.parametrize("who", ["anonymous", "outsider", "inactive"])
def test_others_open_none(member: Member, who: str) -> None:
    outsider = Member.objects.create_user("eve")
    member.is_active = False
    asked = {"anonymous": AnonymousUser(), "outsider": outsider, "inactive": member}[who]
    assert list(projects_open_to(asked)) == []


def test_a_removed_membership_closes_the_project_at_once(member: Member) -> None:
    member.memberships.all().delete()
    with pytest.raises(AccessDenied):
        project_open_to(member, "open")


def test_an_operator_opens_any_project_but_no_missing_one(project: Project) -> None:
    assert project_of_operator("open") == project
    with pytest.raises(AccessDenied):
        project_of_operator("missing")


@pytest.mark.parametrize(
    ("role", "permissions"),
    [
        (Role.READER, {READ}),
        (Role.MEMBER, {READ, MEMBER_READ}),
        (Role.MAINTAINER, {READ, MEMBER_READ, MANAGE_BRAIN, MANAGE_WIKI, READ_ACTIVITY}),
    ],
)
def test_a_role_carries_its_permissions_and_no_others(role: Role, permissions: set[str]) -> None:
    every = set().union(*GRANTS.values())
    assert {permission for permission in every if allows(role, permission)} == permissions


def test_joining_again_changes_the_role(member: Member, project: Project) -> None:
    join(member, project, Role.MAINTAINER)
    assert [one.role for one in member.memberships.all()] == [Role.MAINTAINER]


@pytest.mark.parametrize(
    ("told", "address"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8::1", "2001:db8::1"),
        ("", None),
    ],
)
def test_an_address_is_the_same_however_the_socket_writes_it(told: str, address: str | None) -> None:
    assert address_of({"REMOTE_ADDR": told}) == address
