"""One parameter of a read: its form is stated once, for parsing, for the API's description and for tools."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from typing import Any, Literal

from brain.errors import InvalidArgument
from repositories.cleaning import clean_line

_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_TRUE, _FALSE = ("true", "1", "yes", "on"), ("false", "0", "no", "off")


class Door(StrEnum):
    """Whose rules an answer follows: its defaults and its greatest sizes."""

    PORTAL = "portal"
    MEMBER = "member"  # agents and scripts: the member API, MCP, the command line


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """A named argument; what `read` lets through is valid all the way down."""

    name: str  # as on the wire, camelCase
    about: str  # one sentence
    kind: Literal["text", "number", "flag"] = "text"
    default: Any = None
    least: int = 0  # of a number; of a text its length in characters
    most: int = 2_000
    clamp: int | None = None  # a number over this becomes it
    choices: tuple[str, ...] = ()
    pattern: str = ""  # of the whole text
    required: bool = False
    example: Any = None
    also: tuple[str, ...] = ()  # other names it answers to
    into: str = ""  # its name in Python, where that is another

    @property
    def field(self) -> str:
        """Its name in Python."""
        return self.into or _HUMP.sub("_", self.name).lower()

    def read(self, data: Mapping[str, Any]) -> Any:
        """Its value in these arguments. Raises InvalidArgument."""
        given = [name for name in (self.name, *self.also) if data.get(name) not in (None, "")]
        if not given:
            if self.required:
                raise InvalidArgument(self.name, f"{self.name} is missing: {self.about}")
            return self.default
        value = data[given[0]]
        match self.kind:
            case "number":
                return self._number(value)
            case "flag":
                return self._flag(value)
        return self._text(value)

    def _number(self, value: Any) -> int:
        text = str(value)
        number = int(text) if re.fullmatch(r"[0-9]{1,12}", text) else self.least - 1
        if not self.least <= number <= self.most:
            self._refuse(f"a whole number from {self.least:,} to {self.most:,}")
        return number if self.clamp is None else min(number, self.clamp)

    def _flag(self, value: Any) -> bool:
        text = str(value).lower()
        if text not in (*_TRUE, *_FALSE):
            self._refuse("true or false")
        return text in _TRUE

    def _text(self, value: Any) -> str:
        if not isinstance(value, str) or "\0" in value:
            self._refuse("a text without NUL")
        text: str = value
        if self.choices and text not in self.choices:
            self._refuse(f"one of: {', '.join(self.choices)}")
        if not max(1, self.least) <= len(text) <= self.most:
            self._refuse(f"a text of {max(1, self.least)} to {self.most:,} characters")
        if any("\ud800" <= letter <= "\udfff" for letter in text):
            self._refuse("a text of whole characters")
        if self.pattern and not re.fullmatch(self.pattern, text):
            self._refuse(f"of another form: {self.about}")
        return text

    def _refuse(self, form: str) -> None:
        raise InvalidArgument(self.name, f"{self.name} is {form}.")


def parsed[Q](query: type[Q], parameters: Iterable[Parameter], data: Mapping[str, Any]) -> Q:
    """The query that these arguments ask. Raises InvalidArgument."""
    return query(**{parameter.field: parameter.read(data) for parameter in parameters})


def refuse_unknown(parameters: Iterable[Parameter], data: Iterable[str]) -> None:
    """Raises InvalidArgument for the first name that no parameter has, and says which one is nearest."""
    names = [name for parameter in parameters for name in (parameter.name, *parameter.also)]
    unknown = next((name for name in data if name not in names), None)
    if unknown is None:
        return
    shown = clean_line(unknown, 40)
    near = get_close_matches(unknown.lower(), [name.lower() for name in names], n=1, cutoff=0.5)
    meant = next((name for name in names if [name.lower()] == near), None)
    takes = f"Did you mean {meant}?" if meant else f"There are: {', '.join(names) or 'none'}."
    raise InvalidArgument(shown, f"There is no parameter {shown}. {takes}")
