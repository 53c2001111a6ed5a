"""`manage.py token create|list|revoke`: the tokens of members, for whoever runs the installation."""

from __future__ import annotations

import argparse
import itertools
import json
import uuid
from typing import Any

from django.core.management.base import CommandParser
from django.db import transaction
from django.utils import timezone

from members.access import project_of_operator
from members.callers import OPERATOR
from members.errors import InvalidArgument, Refusal
from members.management.operator import ERROR, OperatorCommand, Parser
from members.models import Member, Token
from members.tokens import DAYS, MOST_DAYS, issue, live_of, revoke, state_of

NAME = "command line"  # of a token that is given none
WHY = "by the operator"


class Command(OperatorCommand):
    help = "Make, list and revoke the tokens that programs read with."

    def add_arguments(self, parser: CommandParser) -> None:
        """The three verbs and their options."""
        common = Parser(add_help=False)
        common.add_argument("--json", action="store_true", help="print JSON")
        verbs = parser.add_subparsers(dest="verb", required=True, parser_class=Parser)
        create = verbs.add_parser("create", parents=[common], help="make a token and print it, this once")
        create.add_argument("--member", required=True, metavar="NAME", help="whose token it is")
        reads = create.add_mutually_exclusive_group(required=True)
        reads.add_argument("--project", metavar="SLUG", help="the project that it reads")
        reads.add_argument("--all", action="store_true", help="it reads all projects of the member")
        create.add_argument("--days", type=_days, default=DAYS, help="for how long (%(default)s)")
        create.add_argument("--name", help=f"what lists call it ({NAME})")
        listed = verbs.add_parser("list", parents=[common], help="list tokens, without their text")
        listed.add_argument("--member", metavar="NAME", help="only those of one member")
        ended = verbs.add_parser("revoke", parents=[common], help="end tokens at once")
        ended.add_argument("tokens", nargs="+", metavar="ID|HINT", help="as the list names them")

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002
        """Do what the verb says; a refusal ends with a sentence and exit code 1."""
        try:
            told, said = getattr(self, f"_{options['verb']}")(options)
        except Refusal as error:
            if options["json"]:
                self.stdout.write(json.dumps({"error": str(error)}))
            self.stderr.write(str(error))
            raise SystemExit(ERROR) from error
        self.stdout.write(json.dumps(told, ensure_ascii=False) if options["json"] else said)

    def _create(self, options: dict[str, Any]) -> tuple[Any, str]:
        member = _member(options["member"])
        token, raw = issue(
            OPERATOR,
            member,
            name=options["name"] or _free_name(member),
            project=None if options["all"] else project_of_operator(options["project"]),
            days=options["days"],
        )
        return {"token": raw} | _told(token), f"{_line(token)}\nShown this once: {raw}"

    def _list(self, options: dict[str, Any]) -> tuple[Any, str]:
        tokens = Token.objects.select_related("member", "project").order_by("member__username", "-created_at")
        if options["member"]:
            tokens = tokens.filter(member=_member(options["member"]))
        found = list(tokens)
        return [_told(each) for each in found], "\n".join(map(_line, found)) or "There is no token."

    def _revoke(self, options: dict[str, Any]) -> tuple[Any, str]:
        with transaction.atomic():
            found = [_named(reference) for reference in options["tokens"]]
            for token in found:
                revoke(OPERATOR, token, WHY)
        for token in found:
            token.refresh_from_db(fields=["revoked_at"])
        return [_told(each) for each in found], "\n".join(map(_line, found))


def _days(told: str) -> int:
    if not (told.isascii() and told.isdigit() and 1 <= int(told) <= MOST_DAYS):
        raise argparse.ArgumentTypeError(f"{told!r} is no number of days from 1 to {MOST_DAYS}")
    return int(told)


def _member(name: str) -> Member:
    member = Member.objects.filter(username=name).first()
    if member is None:
        raise InvalidArgument("member", f"There is no member {name}.")
    return member


def _free_name(member: Member) -> str:
    taken = set(live_of(member).values_list("name", flat=True))
    names = itertools.chain([NAME], (f"{NAME} {number}" for number in itertools.count(2)))
    return next(name for name in names if name not in taken)


def _named(reference: str) -> Token:
    """The one token of this id or hint; raises InvalidArgument for none and for several."""
    tokens = Token.objects.select_related("member", "project")
    try:
        found = list(tokens.filter(pk=uuid.UUID(reference)))
    except ValueError:
        found = list(tokens.filter(hint=reference))
    if len(found) == 1:
        return found[0]
    if found:
        ids = ", ".join(str(each.pk) for each in found)
        raise InvalidArgument("tokens", f"Several tokens begin with {reference}; name one by its id: {ids}.")
    raise InvalidArgument("tokens", f"There is no token {reference}.")


def _told(token: Token) -> dict[str, Any]:
    used = token.last_used_at
    return {
        "id": str(token.pk),
        "hint": token.hint,
        "name": token.name,
        "member": token.member.get_username(),
        "project": token.project.slug if token.project else None,
        "scopes": list(token.scopes),
        "state": str(state_of(token, timezone.now())),
        "expiresAt": token.expires_at.isoformat(timespec="seconds"),
        "lastUsedAt": used.isoformat(timespec="seconds") if used else None,
    }


def _line(token: Token) -> str:
    told = _told(token)
    reads = told["project"] or "all projects"
    end = f"{told['state']}, until {token.expires_at:%Y-%m-%d}"
    return f"{told['id']}  {told['hint']}…  {told['member']}  {told['name']}: {reads}, {end}"
