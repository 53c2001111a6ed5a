"""`manage.py brain VERB`: the reads, for people, scripts and tests."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser
from django.utils.module_loading import import_string

from brain.catalogue import READS, Read, keep
from brain.errors import InvalidArgument, NoHistory, Refusal
from brain.folder import open_folder
from brain.management.asking import add_read, ask, told
from brain.management.dumping import dump
from brain.store import Store, database_store
from members.access import project_of_operator
from members.callers import OPERATOR
from members.errors import AccessDenied
from members.management.operator import ERROR, WRONG_USE, OperatorCommand, Parser
from members.models import Project
from repositories.errors import RepositoryError


class Command(OperatorCommand):
    help = "Ask the Brain of a project (--in SLUG) or of a folder without any database (--path DIR)."

    def add_arguments(self, parser: CommandParser) -> None:
        """One verb a read, its main argument positional and by name."""
        common = Parser(add_help=False)
        where = common.add_mutually_exclusive_group(required=True)
        where.add_argument("--in", dest="project", metavar="SLUG", help="a project of the database")
        where.add_argument("--path", dest="folder", metavar="DIR", help="a folder, or a repository's HEAD")
        common.add_argument("--worktree", action="store_true", help="with --path: the files on disk")
        common.add_argument("--json", action="store_true", help="exactly the JSON of the member API")
        verbs = parser.add_subparsers(dest="verb", required=True, parser_class=Parser)
        for read in READS.values():
            add_read(verbs.add_parser(read.name, parents=[common], help=read.about), read)
        verbs.add_parser("dump", parents=[common], help="everything, as lines of JSON in a fixed order")

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002
        """Print the answer, or the refusal with its exit code."""
        try:
            if options["verb"] == "dump":
                self._dump(options)
            else:
                self._ask(READS[options["verb"]], options)
        except (InvalidArgument, NoHistory) as error:
            self._refuse(error, WRONG_USE, options)
        except (Refusal, AccessDenied, RepositoryError) as error:
            self._refuse(error, ERROR, options)

    def _ask(self, read: Read, options: dict[str, Any]) -> None:
        with _opened(options) as (store, project):
            query, answer = ask(read, store, options)
        if project is not None:
            keep(OPERATOR, project, read, query, answer)
        self.stdout.write(told(read, answer, options))

    def _dump(self, options: dict[str, Any]) -> None:
        with _opened(options) as (store, _):
            for line in dump(store):
                self.stdout.write(json.dumps(line, ensure_ascii=False))

    def _refuse(self, error: Exception, code: int, options: dict[str, Any]) -> None:
        if options["json"]:
            problem = import_string(settings.PROBLEM_OF)(error)
            self.stdout.write(json.dumps(problem, ensure_ascii=False))
        raise CommandError(str(error), returncode=code) from error


@contextmanager
def _opened(options: dict[str, Any]) -> Iterator[tuple[Store, Project | None]]:
    if options["folder"]:
        yield open_folder(Path(options["folder"]), worktree=options["worktree"]), None
        return
    project = project_of_operator(options["project"])
    with database_store(project) as store:
        yield store, project
