"""The only doors to a project's rows."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from django.db.models import F, Q

from members.errors import AccessDenied, InsufficientScope, PermissionDenied
from members.models import Member, Project
from members.permissions import AUDITOR, MEMBER_READ, READ, READ_ACTIVITY, SCOPES, allows
from repositories.models import Repository
from repositories.statements import Columns, ask

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser
    from django.db.models import QuerySet

    from members.callers import Caller

PROJECT = Columns(Project, "project")
REPOSITORY = Columns(Repository, "repository")
_OPEN = f"""
    SELECT membership.role, {PROJECT.sql}, {REPOSITORY.sql}
    FROM members_project project
    LEFT JOIN members_membership membership
        ON membership.project_id = project.id AND membership.member_id = %(member)s
    LEFT JOIN repositories_repository repository ON repository.id = project.repository_id
    WHERE project.id = %(id)s OR project.slug = %(slug)s
"""  # noqa: S608
NO_PROJECT = "No such project, or no access to it."
WHO_MAY = {
    MEMBER_READ: "Tokens need the role member or maintainer in the project; you are a reader.",
    READ_ACTIVITY: "Only maintainers of the project and auditors may read its activity.",
}


def projects_open_to(member: Member | AnonymousUser) -> QuerySet[Project]:
    """The projects the member may see, by name; a superuser sees all. Each carries the member's `role`."""
    visible = Project.objects.select_related("repository")
    if not member.is_active:
        return visible.none()
    if member.is_superuser:
        return visible
    return visible.filter(memberships__member_id=member.pk).annotate(role=F("memberships__role"))  # type: ignore[no-redef]


def project_open_to(member: Member | AnonymousUser, reference: str) -> Project:
    """The project of this slug or UUID, if the member may see it.

    Raises AccessDenied alike for a project that does not exist and one that is closed.
    """
    uuid_, slug = _reference(reference)
    rows = ask(_OPEN, {"member": member.pk, "id": uuid_, "slug": slug})
    row = rows[0] if rows and member.is_active else None
    if row is None or not (member.is_superuser or row[0]):
        raise AccessDenied(NO_PROJECT)
    project = PROJECT.make(row[1 : 1 + PROJECT.width])
    if project.repository_id is not None:
        project.repository = REPOSITORY.make(row[1 + PROJECT.width :])
    project.role = row[0] or ""
    return project


def project_for(caller: Caller, reference: str, permission: str = READ) -> Project:
    """The project of this slug or UUID, if the caller may do there what `permission` names.

    A token opens nothing that its member could not open now. Raises AccessDenied for a project that is
    unknown, closed to the member or not the token's; then InsufficientScope; then PermissionDenied.
    """
    member, token = caller.member, caller.token
    if member is None:
        raise AccessDenied(NO_PROJECT)
    project = project_open_to(member, reference)
    if token is not None:
        if token.project_id not in (None, project.pk):
            raise AccessDenied(NO_PROJECT)
        if permission in SCOPES and permission not in token.scopes:
            raise InsufficientScope(permission, project)
    if not may(member, project, permission):
        why = WHO_MAY.get(permission, "Your role in this project does not allow this.")
        raise PermissionDenied(why, project)
    return project


def project_for_audit(caller: Caller, reference: str) -> Project:
    """The project whose activity the caller may read: any for an auditor, else as `project_for`."""
    if caller.member is not None and is_auditor(caller.member):
        return project_of_operator(reference)
    return project_for(caller, reference, READ_ACTIVITY)


def may(member: Member | AnonymousUser, project: Project, permission: str) -> bool:
    """Whether the member may do this in a project that is open to them."""
    return member.is_superuser or allows(project.role, permission)


def is_auditor(member: Member | AnonymousUser) -> bool:
    """Whether the member may read the activity of every project."""
    return member.is_active and (member.is_superuser or member.groups.filter(name=AUDITOR).exists())


def every_project() -> QuerySet[Project]:
    """All projects, for whoever runs commands on this machine."""
    return Project.objects.select_related("repository")


def project_of_operator(reference: str) -> Project:
    """The project of this slug or UUID for whoever runs commands on this machine."""
    project = every_project().filter(_named(reference)).first()
    if project is None:
        raise AccessDenied(NO_PROJECT)
    return project


def member_named(username: str) -> Member:
    """The member for whom somebody at this machine acts. Raises AccessDenied for one who may not sign in."""
    member = Member.objects.filter(username=username, is_active=True).first()
    if member is None:
        raise AccessDenied(f"There is no active member {username}.")
    return member


def _named(reference: str) -> Q:
    known, slug = _reference(reference)
    return Q(slug=slug) if known is None else Q(pk=known)


def _reference(reference: str) -> tuple[uuid.UUID | None, str]:
    """The id or the slug that this text is."""
    try:
        return uuid.UUID(reference), ""
    except ValueError:
        return None, reference if reference.isascii() and reference.isprintable() else ""
