"""Refusals in the Brain's words; `config/errors.py` gives each its status and code."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


class Refusal(Exception):
    """A read or a build that cannot be answered as asked; its text says what to do next.

    `told` holds what a program needs beside the text, in the names of the wire.
    """

    told: dict[str, Any]

    def __init__(self, message: str = "", **told: Any) -> None:
        super().__init__(message)
        self.told = told


class InvalidArgument(Refusal):
    """An argument is not of its form; `field` names it."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message, errors=[{"field": field, "message": message}])
        self.field = field


class BrainOff(Refusal):
    """The Brain is turned off: its tree is kept, reads are refused."""


class NotBuilt(Refusal):
    """No build has succeeded yet, so there is no tree to read."""


class NoRepository(Refusal):
    """The project has no document repository, so there is nothing to build."""


class BranchNotMirrored(Refusal):
    """The branch that a Brain would follow is not in the mirror."""


class WikiFollowsDefault(Refusal):
    """The project's wiki is on, and its Brain follows the default branch alone."""


class WikiOn(Refusal):
    """The project's wiki is on, and keeps its Brain on."""


class NodeNotFound(Refusal):
    """The indexed commit has no such node; `near` are ids that come close, at most five."""

    def __init__(self, message: str, near: Iterable[str] = ()) -> None:
        super().__init__(message, near=list(near))


class CommitNotFound(Refusal):
    """No commit before the indexed one has this id, or more than one has."""


class CommitMoved(Refusal):
    """The commit that the caller reads is no longer the indexed one, which is told."""


class CommitUnavailable(Refusal):
    """The mirror no longer holds the indexed commit."""


class NoHistory(Refusal):
    """Files on disk have no history to ask."""


class FormForged(Refusal):
    """A session would change something without the token that proves its own page asked."""


class BuildFailed(Exception):
    """A build that ended without a tree; `code` is what people may know of it."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
