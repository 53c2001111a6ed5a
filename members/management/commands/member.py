"""`manage.py member add NAME`: people, and the projects they belong to."""

from __future__ import annotations

import json
import secrets
from typing import Any

from django.core.management.base import CommandParser
from django.db import transaction

from members.access import project_of_operator
from members.callers import OPERATOR
from members.errors import AccessDenied, InvalidProject
from members.management.operator import ERROR, OperatorCommand, Parser
from members.models import Role
from members.projects import add_member, join


class Command(OperatorCommand):
    help = "Add a member, or give an existing one a role in a project."

    def add_arguments(self, parser: CommandParser) -> None:
        """`add NAME [--project SLUG --role ROLE]`."""
        verbs = parser.add_subparsers(dest="verb", required=True, parser_class=Parser)
        add = verbs.add_parser("add", help="add a member; a new one's password is printed once")
        add.add_argument("name")
        add.add_argument("--project", metavar="SLUG", help="the project to join")
        add.add_argument("--role", choices=Role.values, default=Role.READER.value)
        add.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002
        """Add the member, then join the project."""
        try:
            project = project_of_operator(options["project"]) if options["project"] else None
            password = secrets.token_urlsafe(12)
            with transaction.atomic():
                member, is_new = add_member(options["name"], password=password, caller=OPERATOR)
                membership = join(member, project, options["role"], caller=OPERATOR) if project else None
        except (AccessDenied, InvalidProject) as error:
            self.stderr.write(str(error))
            raise SystemExit(ERROR) from error
        told = {
            "name": member.username,
            "password": password if is_new else None,
            "project": project.slug if project else None,
            "role": membership.role if membership else None,
        }
        self.stdout.write(json.dumps(told) if options["json"] else _sentence(told))


def _sentence(told: dict[str, str | None]) -> str:
    said = f"{told['name']} is a member."
    if told["password"]:
        said += f" Password, shown this once: {told['password']}"
    return f"{said} Role in {told['project']}: {told['role']}." if told["project"] else said
