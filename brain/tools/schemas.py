"""The JSON Schema of a tool's arguments, made from the parameters that the reads are parsed by."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from brain.forms import Parameter
from brain.forms.citations import CITATIONS, MAX_CITATIONS
from brain.forms.vocabulary import CITATION

TYPES = {"text": "string", "number": "integer", "flag": "boolean"}


def object_schema(parameters: Iterable[Parameter]) -> dict[str, Any]:
    """An object with these members and no others."""
    parameters = tuple(parameters)
    required = [one.name for one in parameters if one.required]
    return {
        "type": "object",
        "properties": {one.name: _citations() if one is CITATIONS else _schema(one) for one in parameters},
        **({"required": required} if required else {}),
        "additionalProperties": False,
    }


def _schema(one: Parameter) -> dict[str, Any]:
    told: dict[str, Any] = {"type": TYPES[one.kind], "description": one.about}
    if one.choices:
        told["enum"] = list(one.choices)
    elif one.kind == "text":
        told["maxLength"] = one.most
    elif one.kind == "number":
        told["minimum"] = one.least
        if one.most < 2**31 - 1:
            told["maximum"] = one.most
    if one.default not in (None, ""):
        told["default"] = one.default
    return told


def _citations() -> dict[str, Any]:
    """A list of citations, as an answer prints them or member by member."""
    members = {one.name: {"type": TYPES[one.kind]} for one in CITATION}
    needed = [one.name for one in CITATION if one.required]
    return {
        "type": "array",
        "description": CITATIONS.about,
        "minItems": 1,
        "maxItems": MAX_CITATIONS,
        "items": {
            "anyOf": [{"type": "string"}, {"type": "object", "properties": members, "required": needed}]
        },
    }
