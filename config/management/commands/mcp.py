"""`manage.py mcp`: the tools for one agent, on standard input and output."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from brain.errors import InvalidArgument
from config.mcp.desks import Desk, MemberDesk
from members.access import member_named, project_for
from members.callers import Caller, Door
from members.errors import AccessDenied, PermissionDenied
from members.management.operator import ERROR, WRONG_USE, OperatorCommand
from members.permissions import MEMBER_READ


class Command(OperatorCommand):
    help = "Serve one agent by MCP on standard input and output, until it closes them."

    def add_arguments(self, parser: CommandParser) -> None:
        """A project for a member, or a folder."""
        where = parser.add_mutually_exclusive_group(required=True)
        where.add_argument("--in", dest="project", metavar="SLUG", help="a project of the database")
        where.add_argument("--path", dest="folder", metavar="DIR", help="a folder or repository, no database")
        parser.add_argument("--member", metavar="NAME", help="with --in: for whom the agent acts")
        parser.add_argument(
            "--read-only", action="store_true", help="only tools that change nothing, which today are all"
        )

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002
        """Serve; whatever can't be served is refused first, in words."""
        if bool(options["project"]) != bool(options["member"]):
            raise CommandError("--in and --member go together.", returncode=WRONG_USE)
        desk = _folder(options["folder"]) if options["folder"] else _project(options)
        # Imported late: the SDK takes a second to load, and a refusal needs none of it.
        from config.mcp.server import serve_stdio

        serve_stdio(desk)


def _folder(folder: str) -> Desk:
    from brain.folder.live import LiveFolder
    from config.mcp.folders import FolderDesk

    try:
        return FolderDesk(LiveFolder(Path(folder)))
    except InvalidArgument as error:
        raise CommandError(str(error), returncode=WRONG_USE) from error


def _project(options: dict[str, Any]) -> Desk:
    try:
        caller = Caller(door=Door.MCP, member=member_named(options["member"]))
        project_for(caller, options["project"], MEMBER_READ)
    except (AccessDenied, PermissionDenied) as error:
        raise CommandError(str(error), returncode=ERROR) from error
    return MemberDesk(username=options["member"], project=options["project"])
