"""How a test states what was done: callers, and activities that stand in the log."""

from __future__ import annotations

from django.contrib.auth.models import Group

from members.activity import record
from members.callers import Caller, Door
from members.models import Activity, Member, Project, Role
from members.permissions import AUDITOR
from members.projects import join

# One text with everything that a page, a sheet, a terminal or a line of a log could trip over.
HOSTILE = '=cmd()</script><img src=x onerror=1>\r\nnew, "line"\x1b]0;title\x07 \u202egnp.exe\u2066\u200b end'
CLEANED = '=cmd()</script><img src=x onerror=1> new, "line"]0;title gnp.exe end'


def a_project(slug: str = "handbook") -> Project:
    """A project without a repository."""
    return Project.objects.create(slug=slug, name=slug.title())


def a_member(name: str, project: Project | None = None, role: Role = Role.READER) -> Member:
    """A member, of the project where one is given."""
    member = Member.objects.create_user(name)
    if project:
        join(member, project, role)
    return member


def an_auditor(name: str = "audra") -> Member:
    """A member of no project who may read every activity."""
    member = Member.objects.create_user(name)
    member.groups.add(Group.objects.get_or_create(name=AUDITOR)[0])  # a test may have emptied the tables
    return member


def a_caller(member: Member | None = None, **more) -> Caller:
    """Somebody at the portal's door."""
    return Caller(**{"door": Door.PORTAL, "member": member, "ip": "192.0.2.7", "agent": "Firefox", **more})


def noted(action: str = "brain.read", *, by: Caller | None = None, **more) -> Activity:
    """An activity that stands in the log now."""
    record(by or a_caller(), action, **more)
    return Activity.objects.order_by("-pk")[0]
