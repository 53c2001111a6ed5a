"""The only doors to a project's rows."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from django.db.models import Q

from members.errors import AccessDenied
from members.models import Project

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser
    from django.db.models import QuerySet

    from members.models import Member

NO_PROJECT = "No such project, or no access to it."


def projects_open_to(member: Member | AnonymousUser) -> QuerySet[Project]:
    """The projects the member may see, by name; a superuser sees all."""
    visible = Project.objects.select_related("repository")
    if not member.is_active:
        return visible.none()
    return visible if member.is_superuser else visible.filter(memberships__member_id=member.pk)


def project_open_to(member: Member | AnonymousUser, reference: str) -> Project:
    """The project of this slug or UUID, if the member may see it.

    Raises AccessDenied alike for a project that does not exist and one that is closed.
    """
    project = projects_open_to(member).filter(_named(reference)).first()
    if project is None:
        raise AccessDenied(NO_PROJECT)
    return project


def every_project() -> QuerySet[Project]:
    """All projects, for whoever runs commands on this machine."""
    return Project.objects.select_related("repository")


def project_of_operator(reference: str) -> Project:
    """The project of this slug or UUID for whoever runs commands on this machine."""
    project = every_project().filter(_named(reference)).first()
    if project is None:
        raise AccessDenied(NO_PROJECT)
    return project


def _named(reference: str) -> Q:
    try:
        return Q(pk=uuid.UUID(reference))
    except ValueError:
        return Q(slug=reference)
