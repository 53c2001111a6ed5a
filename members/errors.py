"""Refusals in the words of people and projects."""


class AccessDenied(Exception):
    """No such project, or none that this member may see: the two are never told apart."""


class PermissionDenied(Exception):
    """The member sees the project, but their role does not allow this."""


class InvalidProject(Exception):
    """A name, slug or role that a project or member can't have; the text says which and why."""
