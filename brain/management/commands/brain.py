"""`manage.py brain VERB`: the reads, for people, scripts and tests."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from brain import text, wire
from brain.errors import InvalidArgument, Refusal
from brain.folder import open_folder
from brain.forms import BacklinksQuery, LookupQuery, ProblemsQuery, ReadQuery, TreeQuery
from brain.management.dumping import dump
from brain.reads.backlinks import read_backlinks
from brain.reads.broken import read_broken
from brain.reads.lookup import look_up
from brain.reads.problems import read_problems
from brain.reads.read import MEMBER_CUT, PORTAL_CUT, read_node
from brain.reads.status import read_status
from brain.reads.tree import read_tree
from brain.store import Store, database_store
from members.access import project_of_operator
from members.errors import AccessDenied
from members.management.operator import ERROR, WRONG_USE, OperatorCommand, Parser
from repositories.errors import RepositoryError

WIRE = {"from-line": "fromLine", "from-column": "fromColumn"}
MAIN = ("node", "query")  # arguments that may stand without their name

type Answer = tuple[dict[str, Any], str]


class Command(OperatorCommand):
    help = "Ask the Brain of a project (--in SLUG) or of a folder without any database (--path DIR)."

    def add_arguments(self, parser: CommandParser) -> None:
        """One verb a read, its main argument positional and by name."""
        common = Parser(add_help=False)
        where = common.add_mutually_exclusive_group(required=True)
        where.add_argument("--in", dest="project", metavar="SLUG", help="a project of the database")
        where.add_argument("--path", metavar="DIR", help="a folder, or a Git repository's HEAD commit")
        common.add_argument("--worktree", action="store_true", help="with --path: the files on disk")
        common.add_argument("--json", action="store_true", help="exactly the JSON of the member API")
        verbs = parser.add_subparsers(dest="verb", required=True, parser_class=Parser)
        for verb, (_, arguments) in READS.items():
            one = verbs.add_parser(verb, parents=[common])
            for name, options in arguments.items():
                if name in MAIN:
                    one.add_argument(f"positional_{name}", nargs="?", metavar=name.upper())
                one.add_argument(f"--{name}", **options)

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002
        """Print the answer, or the refusal with its exit code."""
        read, arguments = READS[options["verb"]]
        data = {WIRE.get(name, name): _argument(options, name) for name in arguments}
        try:
            with _store(options) as store:
                self._print(read, store, {name: value for name, value in data.items() if value}, options)
        except InvalidArgument as error:
            raise CommandError(str(error), returncode=WRONG_USE) from error
        except (Refusal, AccessDenied, RepositoryError) as error:
            if options["json"]:
                self.stdout.write(json.dumps({"detail": str(error)}))
            raise CommandError(str(error), returncode=ERROR) from error

    def _print(self, read: Any, store: Store, data: dict[str, str], options: dict[str, Any]) -> None:
        if options["verb"] == "dump":
            for line in dump(store):
                self.stdout.write(json.dumps(line, ensure_ascii=False))
            return
        answer, said = read(store, data)
        self.stdout.write(json.dumps(answer, ensure_ascii=False) if options["json"] else said)


def _status(store: Store, data: dict[str, str]) -> Answer:  # noqa: ARG001
    status = read_status(store)
    return wire.status_json(status), text.status_text(status)


def _tree(store: Store, data: dict[str, str]) -> Answer:
    query = TreeQuery.parse(data)
    level = read_tree(store, query.node, offset=query.offset, limit=query.limit, depth=query.depth)
    return wire.level_json(level), text.level_text(level)


def _read(store: Store, data: dict[str, str]) -> Answer:
    query = ReadQuery.parse({"scope": "auto"} | data)
    numbered = "line-numbers" in data
    reading = read_node(
        store,
        query.node,
        scope=query.scope,
        from_line=query.from_line,
        from_column=query.from_column,
        line_numbers=numbered,
        cut=MEMBER_CUT if numbered else PORTAL_CUT,
    )
    return wire.reading_json(reading), text.reading_text(reading)


def _lookup(store: Store, data: dict[str, str]) -> Answer:
    matches = look_up(store, LookupQuery.parse(data).text)
    return wire.matches_json(matches), text.matches_text(matches)


def _backlinks(store: Store, data: dict[str, str]) -> Answer:
    query = BacklinksQuery.parse(data)
    backlinks = read_backlinks(store, query.node, offset=query.offset, limit=query.limit)
    return wire.backlinks_json(backlinks), text.backlinks_text(backlinks)


def _broken(store: Store, data: dict[str, str]) -> Answer:  # noqa: ARG001
    broken = read_broken(store)
    return wire.broken_json(broken), text.broken_text(broken)


NODE: dict[str, Any] = {"help": "a node id; the root when left out"}
WINDOW: dict[str, Any] = {"offset": {"metavar": "N"}, "limit": {"metavar": "N"}}


def _problems(store: Store, data: dict[str, str]) -> Answer:
    query = ProblemsQuery.parse(data)
    problems = read_problems(store, offset=query.offset, limit=query.limit)
    return wire.problems_json(problems), text.problems_text(problems)


READS: dict[str, tuple[Callable[[Store, dict[str, str]], Answer], dict[str, dict[str, Any]]]] = {
    "status": (_status, {}),
    "tree": (_tree, {"node": NODE, "depth": {"choices": ["1", "2"]}, **WINDOW}),
    "read": (
        _read,
        {
            "node": NODE,
            "scope": {"choices": ["auto", "subtree", "node"]},
            "from-line": {"metavar": "N"},
            "from-column": {"metavar": "N"},
            "line-numbers": {
                "action": "store_const",
                "const": "yes",
                "help": "number the lines, as members read",
            },
        },
    ),
    "lookup": (_lookup, {"query": {"help": "an id, a path, a name or a title"}}),
    "backlinks": (_backlinks, {"node": NODE, **WINDOW}),
    "broken": (_broken, {}),
    "problems": (_problems, WINDOW),
    "dump": (_broken, {}),
}


@contextmanager
def _store(options: dict[str, Any]) -> Iterator[Store]:
    if options["path"]:
        yield open_folder(Path(options["path"]), worktree=options["worktree"])
    else:
        with database_store(project_of_operator(options["project"])) as store:
            yield store


def _argument(options: dict[str, Any], name: str) -> str | None:
    key = name.replace("-", "_")
    return options.get(key) or options.get(f"positional_{name}")
