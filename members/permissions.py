"""Roles and what each may do: one table."""

from members.models import Role

READ = "project.read"
MEMBER_READ = "member.read"
MANAGE_BRAIN = "project.brain.manage"
MANAGE_WIKI = "wiki.manage"
READ_ACTIVITY = "activity.read"

SCOPES = (MEMBER_READ,)  # of a token
AUDITOR = "auditor"  # the group of those who may read every project's activity, and nothing else

GRANTS: dict[str, frozenset[str]] = {
    Role.READER: frozenset({READ}),
    Role.MEMBER: frozenset({READ, MEMBER_READ}),
    Role.MAINTAINER: frozenset({READ, MEMBER_READ, MANAGE_BRAIN, MANAGE_WIKI, READ_ACTIVITY}),
}


def allows(role: str, permission: str) -> bool:
    """Whether a membership with `role` carries `permission`."""
    return permission in GRANTS.get(role, frozenset())
