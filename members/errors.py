"""Refusals in the words of people and projects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from members.models import Project


class Refusal(Exception):
    """Something that this app refuses; its text says what to do next.

    `told` holds what a program needs beside the text, in the names of the wire.
    """

    told: Mapping[str, Any] = {}


class AccessDenied(Refusal):
    """No such project, or none that this member may see: the two are never told apart."""


class PermissionDenied(Refusal):
    """The member sees the project, but their role does not allow this."""

    def __init__(self, message: str = "", project: Project | None = None) -> None:
        super().__init__(message)
        self.project = project


class InsufficientScope(PermissionDenied):
    """The token is good, but its scopes do not hold what this needs; `scope` names it."""

    def __init__(self, scope: str, project: Project | None = None) -> None:
        super().__init__(
            f"The token lacks the scope {scope}. Make one that has it on the page Tokens.", project
        )
        self.scope = scope


class NotSignedIn(Refusal):
    """Nobody is signed in where a session is needed."""


class TokenMissing(Refusal):
    """The request carries no token."""


class TokenInvalid(Refusal):
    """Nobody reads with this token: mistyped, unknown, expired and revoked ones are never told apart."""


class RateLimited(Refusal):
    """Too much in too little time; `wait` is in seconds."""

    def __init__(self, message: str, *, wait: int, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.wait = wait
        self.headers = dict(headers or {})


class BodyTooLarge(Refusal):
    """The body of a request is larger than anything it could ask for."""


class InvalidArgument(Refusal):
    """An argument is not of its form; `field` names it."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field
        self.told = {"errors": [{"field": field, "message": message}]}


class InvalidToken(InvalidArgument):
    """A token that can't be made as asked; `field` names what is wrong with the wish."""


class InvalidProject(Exception):
    """A name, slug or role that a project or member can't have; the text says which and why."""
