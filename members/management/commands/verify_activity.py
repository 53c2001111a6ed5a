"""`manage.py verify_activity`: every chain of the activity log computed anew, apart from its database."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.db import transaction

from members.access import project_of_operator
from members.activity import NO_PROJECT
from members.errors import AccessDenied
from members.management.operator import ERROR, WRONG_USE, OperatorCommand
from members.models import Activity

FETCHED = 2_000  # rows in memory at a time
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
# What a hash is made of, in this order: the columns of a row but the hash itself.
COLUMNS = (
    *("prev_hash", "id", "chain", "number", "at", "actor_type", "actor_id", "actor_name", "door"),
    *("token_id", "token_name", "token_hash", "ip", "agent", "action", "project", "target", "details"),
    *("status", "reason", "request_id"),
)
CHAIN, NUMBER, AT = (COLUMNS.index(name) for name in ("chain", "number", "at"))
ID, PREVIOUS, PROJECT = (COLUMNS.index(name) for name in ("id", "prev_hash", "project"))

type Row = tuple[Any, ...]  # the columns, then the hash
type Noted = dict[uuid.UUID, dict[int, str]]  # hashes by chain and number


@dataclass(frozen=True, slots=True)
class Wrong:
    """The first row of a chain that is not as it was written, and why."""

    number: int
    id: int | None  # None: the row is gone
    what: str  # "gap", "prev", "hash", "head" or "cut"
    message: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """A chain, its head, and what is wrong with it."""

    chain: uuid.UUID
    project: str  # the slug in its newest row
    number: int  # of its newest row, and its hash
    hash: str
    wrong: Wrong | None


class Command(OperatorCommand):
    help = "Compute every chain of the activity log anew, and name the first row that was tampered with."

    def add_arguments(self, parser: CommandParser) -> None:
        """Which chain, and what to compare it with."""
        parser.add_argument("--project", metavar="SLUG", help="one project's chain; all when left out")
        parser.add_argument("--heads", metavar="FILE", help="heads noted earlier, as --json prints them")
        parser.add_argument("--json", action="store_true", help="print each chain as a line of JSON")

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002
        """Tell each chain with its head; a chain that is broken, or shorter than noted, ends with 1."""
        noted = self._noted(options["heads"])
        rows = Activity.objects.order_by("chain", "number").values_list(*COLUMNS, "hash")
        if options["project"]:
            only = self._chain(options["project"])
            rows, noted = rows.filter(chain=only), {only: noted.get(only, {})}
        broken = 0
        with transaction.atomic():  # a cursor outside would have the server copy everything first
            for verdict in verdicts(rows.iterator(FETCHED), noted):
                broken += verdict.wrong is not None
                self.stdout.write(_json(verdict) if options["json"] else _sentence(verdict))
        if broken:
            self.stderr.write(
                f"{broken} chain{'' if broken == 1 else 's'} of the activity log can't be trusted."
            )
            raise SystemExit(ERROR)

    def _chain(self, reference: str) -> uuid.UUID:
        try:
            return project_of_operator(reference).pk
        except AccessDenied as error:
            self.stderr.write(str(error))
            raise SystemExit(ERROR) from error

    def _noted(self, file: str | None) -> Noted:
        noted: Noted = {}
        try:
            for line in Path(file).read_text().split("\n") if file else ():
                if line.strip():
                    head = json.loads(line)
                    noted.setdefault(uuid.UUID(head["chain"]), {})[int(head["number"])] = str(head["hash"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            self.stderr.write(f"{file} holds no heads as --json prints them: {error}")
            raise SystemExit(WRONG_USE) from error
        return noted


def verdicts(rows: Iterable[Row], noted: Noted) -> Iterator[Verdict]:
    """Each chain in turn, then those that are noted and gone; `rows` come by chain and number."""
    left = dict(noted)
    for chain, links in groupby(rows, key=itemgetter(CHAIN)):
        yield _verdict(chain, links, left.pop(chain, {}))
    for chain, heads in left.items():
        if heads:
            yield Verdict(chain, "", 0, "", _cut(0, max(heads)))


def hash_of(row: Row) -> str:
    """The SHA-256 of the row's words, each with its length in bytes before it."""
    words = [_word(value) for value in row[:-1]]
    return sha256(",".join(f"{len(word.encode())}:{word}" for word in words).encode()).hexdigest()


def _verdict(chain: uuid.UUID, links: Iterable[Row], heads: dict[int, str]) -> Verdict:
    wrong, number, previous, project = None, 0, "", ""
    for row in links:
        wrong = wrong or _wrong(row, number, previous, heads)
        number, previous, project = row[NUMBER], row[-1], row[PROJECT]
    if wrong is None and heads and max(heads) > number:
        wrong = _cut(number, max(heads))
    return Verdict(chain, project, number, previous, wrong)


def _wrong(row: Row, number: int, previous: str, heads: dict[int, str]) -> Wrong | None:
    def found(what: str, message: str) -> Wrong:
        return Wrong(row[NUMBER], row[ID], what, message)

    if row[NUMBER] != number + 1:
        return found("gap", f"After number {number} comes {row[NUMBER]}.")
    if row[PREVIOUS] != previous:
        return found("prev", "It does not name the hash of the row before.")
    if row[AT].microsecond % 1_000 or hash_of(row) != row[-1]:
        return found("hash", "It is not what its hash was made of.")
    if heads.get(row[NUMBER], row[-1]) != row[-1]:
        return found("head", "Another hash was noted for it: the chain was written anew.")
    return None


def _cut(number: int, noted: int) -> Wrong:
    return Wrong(number + 1, None, "cut", f"The chain ends at number {number}, and number {noted} was noted.")


def _word(value: Any) -> str:
    match value:
        case None:
            return ""
        case datetime():
            return str((value - EPOCH) // timedelta(milliseconds=1))
    return str(value)


def _json(verdict: Verdict) -> str:
    return json.dumps({**asdict(verdict), "chain": str(verdict.chain)})


def _sentence(verdict: Verdict) -> str:
    name = "no project" if verdict.chain == NO_PROJECT else verdict.project or str(verdict.chain)
    head = f"head {verdict.number} {verdict.hash}"
    if verdict.wrong is None:
        return f"{name}: {head}"
    row = f"number {verdict.wrong.number}" + (
        f", id {verdict.wrong.id}" if verdict.wrong.id is not None else ""
    )
    return f"{name}: {head}\n  BROKEN at {row}: {verdict.wrong.message}"
