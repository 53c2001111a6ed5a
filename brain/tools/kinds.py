"""What a tool is: a read under the name that agents call, and the form of its arguments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from brain.catalogue import Read
from brain.forms import Door, Parameter, Query
from brain.forms.citations import CITATIONS
from brain.forms.parameters import refuse_unknown
from brain.forms.vocabulary import COMMIT, PROJECT_ID
from brain.tools.schemas import object_schema


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """One tool; all of them only read."""

    name: str
    title: str
    about: str  # for the model: what it returns, and when to call it
    read: Read

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """What its arguments may hold, but for the project; an agent has no use for a guard of the commit."""
        if self.read.name == "resolve":
            return (CITATIONS,)
        return tuple(one for one in self.read.query.PARAMETERS[Door.MEMBER] if one is not COMMIT)

    def schema(self, *, of_projects: bool) -> dict[str, Any]:
        """The JSON Schema of its arguments; `of_projects`: they may name the project."""
        return object_schema(self._parameters(of_projects=of_projects))

    def parse(self, arguments: Mapping[str, Any], *, of_projects: bool) -> tuple[str, Query]:
        """The project that these arguments name ("": none), and what they ask. Raises InvalidArgument."""
        refuse_unknown(self._parameters(of_projects=of_projects), arguments)
        own = {name: _plain(value) for name, value in arguments.items() if name != PROJECT_ID.name}
        if self.read.name == "resolve":
            own = {CITATIONS.name: None} | own
        return PROJECT_ID.read(arguments), self.read.query.parse(own, Door.MEMBER, strict=False)

    def _parameters(self, *, of_projects: bool) -> tuple[Parameter, ...]:
        return (*self.parameters, PROJECT_ID) if of_projects else self.parameters


def _plain(value: Any) -> Any:
    """A whole number as one, also where JSON wrote it with a fraction of nothing."""
    return int(value) if isinstance(value, float) and value.is_integer() else value
