"""Projects and the people in them: made and removed together with what belongs to them."""

from __future__ import annotations

from collections.abc import Iterable

from django.core.exceptions import ValidationError
from django.db import transaction

from members.activity import record
from members.callers import Caller
from members.errors import InvalidProject
from members.models import Member, Membership, Project, Role
from repositories.models import Repository


def add_project(slug: str, *, name: str, repository: Repository) -> Project:
    """A new project that keeps its documents in the repository. Raises InvalidProject."""
    project = Project(slug=slug, name=name, repository=repository)
    try:
        project.full_clean()
    except ValidationError as error:
        raise InvalidProject(" ".join(error.messages)) from error
    project.save()
    return project


def add_member(
    name: str, *, password: str | None = None, caller: Caller | None = None
) -> tuple[Member, bool]:
    """The member of this name, and whether they are new; a new one without a password cannot sign in yet.

    With a caller, a new one stands in the activity log.
    """
    member = Member.objects.filter(username=name).first()
    if member is not None:
        return member, False
    member = Member(username=name)
    try:
        Member.username_validator(name)
        member.set_password(password)
        member.full_clean(exclude=["password"])
    except ValidationError as error:
        raise InvalidProject(" ".join(error.messages)) from error
    with transaction.atomic():
        member.save()
        if caller is not None:
            record(caller, "member.add", target=member.username)
    return member, True


def join(
    member: Member, project: Project, role: str = Role.READER, *, caller: Caller | None = None
) -> Membership:
    """Give the member this role in the project, in place of any other.

    With a caller, a change stands in the activity log of the project.
    """
    with transaction.atomic():
        before = Membership.objects.select_for_update().filter(member=member, project=project).first()
        membership, is_new = Membership.objects.update_or_create(
            member=member, project=project, defaults={"role": role}
        )
        if caller is not None and (before is None or before.role != role):
            action = "membership.add" if is_new else "membership.change"
            told = str(role) if before is None else {"from": before.role, "to": str(role)}
            record(caller, action, project=project, target=member.username, details={"role": told})
    return membership


def hold_to_remove(projects: Iterable[Project]) -> list[Project]:
    """The projects, locked before anything that belongs to them; those that are gone already are left out.

    Whoever changes one of them locks in this order, too, so that none is the victim of the other. Rows that
    name a project may still be written until it goes, or a build that writes and its removal would wait for
    each other.
    """
    keys = [project.pk for project in projects]
    return list(Project.objects.select_for_update(no_key=True).filter(pk__in=keys).order_by("pk"))


def remove_project(project: Project, *, caller: Caller | None = None) -> None:
    """Remove the project with all its rows; its repository goes too when no other project uses it.

    With a caller, it stands in the activity log.
    """
    with transaction.atomic():
        held = hold_to_remove([project])
        if not held:
            return
        (project,) = held
        repository = project.repository
        if caller is not None:
            record(caller, "project.remove", project=project, target=project.slug)
        project.delete()
        if repository is not None and not repository.projects.exists():
            repository.delete()
