"""A read asked on the command line: its parameters as options, its answer as JSON or words."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from django.core.management.base import CommandParser

from brain.catalogue import READS, Read
from brain.errors import InvalidArgument
from brain.forms import Door, Parameter, ReadQuery
from brain.store import Store

MAIN = ("node", "query", "text", "since")  # arguments that may stand without their name
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")


def door_of(read: Read) -> Door:
    """Whose rules hold: the member API's; grep takes a space and a label too, as in the portal."""
    return Door.PORTAL if read.name == "grep" else Door.MEMBER


def add_read(parser: CommandParser, read: Read) -> None:
    """The read's parameters as options, its main one positional too."""
    if read.name == "resolve":
        parser.add_argument(
            "citations",
            nargs="+",
            metavar="PATH:START-END@COMMIT",
            help="or - for JSON lines on standard input",
        )
        return
    for parameter in _parameters(read):
        if parameter.name in MAIN:
            metavar = parameter.name.upper()
            parser.add_argument(f"positional_{parameter.name}", nargs="?", metavar=metavar)
        if parameter.kind == "flag":
            continue
        choices = parameter.choices or None
        parser.add_argument(
            option(parameter.name), dest=parameter.name, help=parameter.about, choices=choices
        )
    if read.name == "grep":
        parser.add_argument("--case-sensitive", action="store_true", help="in exactly this case")
    if read.name == "read":
        parser.add_argument("--line-numbers", action="store_true", help="number the lines, as members read")


def ask(read: Read, store: Store, options: dict[str, Any]) -> tuple[Any, Any]:
    """The query that the options make, and its answer. Raises InvalidArgument and the read's refusals."""
    query = read.query.parse(_data(read, options), door_of(read))
    if isinstance(query, ReadQuery):
        query = replace(query, numbered=options["line_numbers"] or options["json"])
    return query, read.answer(store, query)


def told(read: Read, answer: Any, options: dict[str, Any]) -> str:
    """The answer as it is printed."""
    return json.dumps(read.told(answer), ensure_ascii=False) if options["json"] else read.text(answer)


def option(name: str) -> str:
    """`fromLine` as `--from-line`."""
    return f"--{_HUMP.sub('-', name).lower()}"


def _parameters(read: Read) -> Iterable[Parameter]:
    return READS[read.name].query.PARAMETERS[door_of(read)]


def _data(read: Read, options: dict[str, Any]) -> dict[str, Any]:
    if read.name == "resolve":
        return {"citations": list(_citations(options["citations"]))}
    data = {
        one.name: options.get(one.name) or options.get(f"positional_{one.name}") for one in _parameters(read)
    }
    if options.get("case_sensitive"):
        data["ignoreCase"] = "false"
    return {name: value for name, value in data.items() if value}


def _citations(arguments: Iterable[str]) -> Iterable[Any]:
    for argument in arguments:
        if argument == "-":
            yield from (_line(line) for line in sys.stdin if line.strip())
        else:
            yield argument


def _line(line: str) -> Any:
    try:
        return json.loads(line)
    except ValueError as error:
        raise InvalidArgument("citations", "A line of standard input is no JSON.") from error
