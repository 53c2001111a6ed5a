"""What the commands of an operator share: quick to start, and exit codes as sysexits.h has them."""

from __future__ import annotations

from functools import partial
from typing import Any, NoReturn

from django.core.management.base import BaseCommand, CommandParser

ERROR = 1  # a refusal or a failure, told in a sentence
WRONG_USE = 64  # arguments that are none of the command's


class Parser(CommandParser):
    """A parser of arguments whose refusals end with WRONG_USE."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong with the arguments, and how they are used."""
        _refuse(self, message)


class OperatorCommand(BaseCommand):
    """A command for whoever runs this machine; it needs none of the checks of a web server."""

    requires_system_checks = ()

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        """Django's own parser, with this project's exit code."""
        parser = super().create_parser(prog_name, subcommand, **kwargs)
        if getattr(self, "_called_from_command_line", False):
            parser.error = partial(_refuse, parser)  # type: ignore[method-assign]
        return parser


def _refuse(parser: CommandParser, message: str) -> NoReturn:
    parser.exit(WRONG_USE, f"{parser.format_usage()}{message}\n")
    raise AssertionError("a parser's exit does not return")
