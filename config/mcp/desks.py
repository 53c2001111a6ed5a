"""Where a tool's question is answered: at the projects of a caller."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

from django.db import close_old_connections

from brain.catalogue import keep
from brain.store import database_store
from brain.tools import TOOLS, Told, Tool, tell
from config.denials import record_denial
from members import limits
from members.access import member_named, project_for, projects_open_to
from members.callers import Caller, Door
from members.errors import AccessDenied, InvalidArgument, PermissionDenied
from members.models import Project
from members.permissions import MEMBER_READ
from repositories.cleaning import clean_line

MOST_NAMED = 20  # projects in one refusal


class Desk(Protocol):
    """Answers the tools that it has."""

    @property
    def tools(self) -> Mapping[str, Tool]:
        """The tools, by name, in the order in which they are listed."""
        ...

    @property
    def of_projects(self) -> bool:
        """Whether a question may name its project."""
        ...

    def answer(self, tool: Tool, arguments: Mapping[str, Any], agent: str) -> Told:
        """The answer for the program that calls itself `agent`. Raises refusals of every app."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectDesk:
    """The projects that a caller may read; whether they may is asked at each call."""

    caller: Caller
    project: str = ""  # the one that is meant where a question names none
    of_projects = True
    tools = TOOLS

    def answer(self, tool: Tool, arguments: Mapping[str, Any], agent: str) -> Told:
        """The answer, noted in the activity log before it leaves."""
        reference, query = tool.parse(arguments, of_projects=True)
        caller = replace(self.caller, agent=clean_line(agent, 200)) if agent else self.caller
        project = self._opened(caller, tool, reference or self.project or self._only())
        with limits.slot(caller.key), database_store(project) as store:
            told = tell(tool, store, query)
        keep(caller, project, tool.read, told.query, told.answer)
        return told

    def _opened(self, caller: Caller, tool: Tool, reference: str) -> Project:
        try:
            return project_for(caller, reference, MEMBER_READ)
        except (AccessDenied, PermissionDenied) as error:
            record_denial(caller, error, tool.read.action, reference)
            raise

    def _only(self) -> str:
        """The project of the token. Raises InvalidArgument, with names to choose from."""
        token = self.caller.token
        if token is not None and token.project_id is not None:
            return str(token.project_id)
        names = _named(self.caller)
        raise InvalidArgument("projectId", f"The token opens all of its member's projects: name one{names}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberDesk:
    """A project for a member who is named on the command line, for as long as one client is connected."""

    username: str
    project: str
    of_projects = True
    tools = TOOLS

    def answer(self, tool: Tool, arguments: Mapping[str, Any], agent: str) -> Told:
        """The answer for the member as they are now, by a connection that works now."""
        close_old_connections()
        try:
            caller = Caller(door=Door.MCP, member=member_named(self.username))
            return ProjectDesk(caller=caller, project=self.project).answer(tool, arguments, agent)
        finally:
            close_old_connections()


def _named(caller: Caller) -> str:
    """The caller's projects, as far as a sentence can hold them."""
    if caller.member is None:
        return ""
    slugs = list(projects_open_to(caller.member).values_list("slug", flat=True)[: MOST_NAMED + 1])
    return f" of {', '.join(slugs[:MOST_NAMED])}{', …' if len(slugs) > MOST_NAMED else ''}" if slugs else ""
