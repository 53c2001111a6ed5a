"""Roles and what each may do: one table."""

from members.models import Role

READ = "project.read"
MEMBER_READ = "member.read"
MANAGE_BRAIN = "project.brain.manage"
MANAGE_WIKI = "wiki.manage"

GRANTS: dict[str, frozenset[str]] = {
    Role.READER: frozenset({READ}),
    Role.MEMBER: frozenset({READ, MEMBER_READ}),
    Role.MAINTAINER: frozenset({READ, MEMBER_READ, MANAGE_BRAIN, MANAGE_WIKI}),
}


def allows(role: str, permission: str) -> bool:
    """Whether a membership with `role` carries `permission`."""
    return permission in GRANTS.get(role, frozenset())
