"""What people and programs ask of the activity log: read once, refused with the field that is wrong."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from difflib import get_close_matches

from members.activity import MAX_TARGET
from members.errors import InvalidArgument
from members.exports import ActivityFilter
from repositories.cleaning import clean_line

FORMATS = ("json", "ndjson", "csv")
NAMES = ("since", "until", "actor", "action", "token", "node", "offset", "limit", "format")
LONGEST = {"actor": 150, "action": 40, "node": MAX_TARGET}  # characters, as the log keeps them
MAX_OFFSET = 20_000
LIMIT, MAX_LIMIT = 100, 500

_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_DATE_TIME = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")
_TOKEN_HASH = re.compile(r"[0-9a-f]{8}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ActivityQuery:
    """Which activities, and in which form; every form but JSON is an export of all there are."""

    wanted: ActivityFilter
    format: str

    @property
    def is_export(self) -> bool:
        """Whether it streams to a file."""
        return self.format != FORMATS[0]

    @classmethod
    def parse(cls, data: Mapping[str, str], *, limit: int = LIMIT) -> ActivityQuery:
        """The query of these arguments; an empty one is as good as none. Raises InvalidArgument."""
        given = {name: value for name, value in data.items() if value != ""}
        refuse_unknown(given)
        form = given.get("format", FORMATS[0])
        if form not in FORMATS:
            raise InvalidArgument("format", f"format is one of: {', '.join(FORMATS)}.")
        since, until = _moment(given, "since", time.min), _moment(given, "until", time.max)
        if since and until and until < since:
            raise InvalidArgument("until", "until is before since.")
        wanted = ActivityFilter(
            since=since,
            until=until,
            actor=_word(given, "actor"),
            action=_word(given, "action"),
            token=_token(given),
            node=_word(given, "node"),
            offset=_number(given, "offset", least=0, most=MAX_OFFSET) or 0,
            limit=_limit(given, None if form != FORMATS[0] else limit),
        )
        return cls(wanted, form)


def refuse_unknown(names: Iterable[str]) -> None:
    """Raises InvalidArgument for the first name that no parameter has, and says which one is nearest."""
    unknown = next((name for name in names if name not in NAMES), None)
    if unknown is None:
        return
    shown = clean_line(unknown, 40)
    near = get_close_matches(unknown.lower(), NAMES, n=1, cutoff=0.5)
    takes = f"Did you mean {near[0]}?" if near else f"There are: {', '.join(NAMES)}."
    raise InvalidArgument(shown, f"There is no parameter {shown}. {takes}")


def _moment(given: Mapping[str, str], name: str, end: time) -> datetime | None:
    """A date is the whole day in UTC: its `end` of the two that count."""
    text = given.get(name, "").strip().upper()
    try:
        if not text:
            return None
        if _DATE.fullmatch(text):
            return datetime.combine(date.fromisoformat(text), end, UTC)
        if _DATE_TIME.fullmatch(text):
            return datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError):
        pass
    form = "a date (2026-11-30) or a time with its zone (2026-11-30T14:06:41Z)"
    raise InvalidArgument(name, f"{name} is {form}.")


def _limit(given: Mapping[str, str], usual: int | None) -> int | None:
    """At most 500; an export, which has no `usual` limit, is cut where it asks to be."""
    number = _number(given, "limit", least=1, most=10**12)
    return number if usual is None else min(number or usual, MAX_LIMIT)


def _number(given: Mapping[str, str], name: str, *, least: int, most: int) -> int | None:
    text = given.get(name)
    if text is None:
        return None
    number = int(text) if re.fullmatch(r"[0-9]{1,12}", text) else least - 1
    if not least <= number <= most:
        raise InvalidArgument(name, f"{name} is a whole number from {least:,} to {most:,}.")
    return number


def _token(given: Mapping[str, str]) -> str:
    text = given.get("token", "").strip()
    try:
        return text if not text or _TOKEN_HASH.fullmatch(text) else str(uuid.UUID(text))
    except ValueError:
        pass
    raise InvalidArgument("token", "token is a token's id, or the first 8 letters of its SHA-256.")


def _word(given: Mapping[str, str], name: str) -> str:
    # Cleaned as the log cleans what it keeps, so that what is typed in finds what came in.
    text = clean_line(given.get(name, ""))
    if len(text) > LONGEST[name]:
        raise InvalidArgument(name, f"{name} has at most {LONGEST[name]:,} characters.")
    return text
