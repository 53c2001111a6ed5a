"""What whoever manages a Brain may ask for, as the members of a JSON body."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, Self

from brain.errors import InvalidArgument
from brain.forms.parameters import Parameter, refuse_unknown
from repositories.reader import is_branch_name

OUTPUT = "kintsugi/"  # how the names of our own output branches begin


class Wish(Protocol):
    """What a body asks for; its class states each member once, for parsing and for the description."""

    PARAMETERS: ClassVar[tuple[Parameter, ...]]

    @classmethod
    def parse(cls, data: Mapping[str, Any]) -> Self:
        """The wish of a JSON body. Raises InvalidArgument."""
        ...


@dataclass(frozen=True, slots=True)
class BrainWish:
    """The Brain on or off, and the branch to follow; none: the one that it follows."""

    PARAMETERS: ClassVar[tuple[Parameter, ...]] = (
        Parameter(
            name="enabled",
            about="true: turn the Brain on and build it; false: turn it off and keep its tree.",
            kind="flag",
            required=True,
            example=True,
        ),
        Parameter(
            name="branch",
            about="The branch to follow, which the mirror has; left out, the one that is followed.",
            default="",
            most=200,
            example="main",
        ),
    )

    enabled: bool
    branch: str = ""

    @classmethod
    def parse(cls, data: Mapping[str, Any]) -> Self:
        """The wish of a JSON body. Raises InvalidArgument, also for a branch that nobody may follow."""
        wish = cls(**strictly(cls.PARAMETERS, data))
        if wish.branch.startswith(OUTPUT):
            raise InvalidArgument(
                "branch", f"branch is one of our own output branches, {OUTPUT}*: choose another."
            )
        if wish.branch and not is_branch_name(wish.branch):
            raise InvalidArgument("branch", "branch is not the name of a branch that can be followed.")
        return wish


@dataclass(frozen=True, slots=True)
class RebuildWish:
    """Nothing more than the address says."""

    PARAMETERS: ClassVar[tuple[Parameter, ...]] = ()

    @classmethod
    def parse(cls, data: Mapping[str, Any]) -> Self:
        """The wish of a JSON body. Raises InvalidArgument."""
        return cls(**strictly(cls.PARAMETERS, data))


def strictly(parameters: Iterable[Parameter], data: Mapping[str, Any]) -> dict[str, Any]:
    """The values of these members and no others; only true and false are a flag. Raises InvalidArgument."""
    parameters = tuple(parameters)
    refuse_unknown(parameters, data)
    for parameter in parameters:
        value = data.get(parameter.name)
        if parameter.kind == "flag" and value is not None and not isinstance(value, bool):
            raise InvalidArgument(parameter.name, f"{parameter.name} is true or false.")
    return {parameter.field: parameter.read(data) for parameter in parameters}
