"""The form of every answer, as JSON Schema: what `wire` writes, for the API's description."""

from brain.schemas.answers import ANSWERS, PROBLEM
from brain.schemas.parts import COMPONENTS

__all__ = ["ANSWERS", "COMPONENTS", "PROBLEM"]
