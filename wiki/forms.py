"""What a caller may ask of the wiki's switch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from brain.forms import Parameter
from brain.forms.wishes import strictly


@dataclass(frozen=True, slots=True)
class WikiWish:
    """The wiki on or off."""

    PARAMETERS: ClassVar[tuple[Parameter, ...]] = (
        Parameter(
            name="enabled",
            about="true: turn it on, with the Brain at the default branch; false: turn it off.",
            kind="flag",
            required=True,
            example=True,
        ),
    )

    enabled: bool

    @classmethod
    def parse(cls, data: Mapping[str, Any]) -> Self:
        """The wish of a JSON body. Raises InvalidArgument."""
        return cls(**strictly(cls.PARAMETERS, data))
