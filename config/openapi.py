"""The description of both APIs (OpenAPI 3.1), made from the same parameters and forms that the views use."""

from __future__ import annotations

import functools
import json
from collections.abc import Collection, Iterable
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema

from brain.api import Change, MemberQuestion, ReadApi, TokenRead
from brain.errors import BranchNotMirrored, NoRepository, WikiFollowsDefault, WikiOn
from brain.forms import Parameter
from brain.forms.vocabulary import PROJECT_ID
from brain.schemas import ANSWERS, COMPONENTS, PROBLEM
from brain.schemas.parts import Schema, ref
from config.errors import ANSWERS as REFUSALS

OF_CHANGES = (BranchNotMirrored, NoRepository, WikiFollowsDefault, WikiOn)  # no read is refused with these
SHOWN = (400, 401, 403, 404, 405, 406, 409, 413, 415, 429, 503)  # what a request may be refused with
TAGS = {True: "Member API", False: "Portal"}
KINDS = {"text": "string", "number": "integer", "flag": "boolean"}
_REFERENCE: Schema = {
    "name": "reference",
    "in": "path",
    "required": True,
    "schema": {"type": "string", "description": "The project's id or slug.", "examples": ["handbook"]},
}


@require_safe
def described(_: HttpRequest) -> HttpResponse:
    """The whole description; it holds nothing of any project."""
    return HttpResponse(_document(), content_type="application/vnd.oai.openapi+json; version=3.1")


class Described(AutoSchema):
    """The operation of one read, from its catalogue entry, or of one change, from its wish."""

    def get_operation(self, path: str, *more: Any) -> dict[str, Any] | None:
        """The operation of a view; one that is neither describes itself, or is left out."""
        if isinstance(self.view, Change) and more[2] != "GET":
            return _change(self.view)
        if isinstance(self.view, ReadApi):
            return _operation(self.view, path)
        described: dict[str, Any] | None = getattr(self.view, "described", None)
        return described


def with_components(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Add what answers are made of, and how one proves who one is."""
    answers = {_component(name): schema for name, schema in ANSWERS.items()}
    result["components"] = {
        "schemas": dict(sorted((COMPONENTS | answers | {"Problem": PROBLEM}).items())),
        "securitySchemes": {
            "token": {"type": "http", "scheme": "bearer", "bearerFormat": "ktb_…"},
            "session": {"type": "apiKey", "in": "cookie", "name": settings.SESSION_COOKIE_NAME},
        },
    }
    return result


def _operation(view: ReadApi, path: str) -> dict[str, Any]:
    member = isinstance(view, TokenRead)
    in_body = isinstance(view, MemberQuestion)
    operation: dict[str, Any] = {
        "operationId": f"{'member' if member else 'portal'}_{view.read.name}",
        "summary": view.read.about,
        "tags": [TAGS[member]],
        "security": [{"token": []} if member else {"session": []}],
        "parameters": [] if in_body else [_parameter(one) for one in view.parameters],
        "responses": _responses(view),
    }
    if "{reference}" in path:
        operation["parameters"].insert(0, _REFERENCE)
    if in_body:
        operation["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": _body(view)}},
        }
    return operation


def _change(view: Change) -> dict[str, Any]:
    return {
        "operationId": view.name,
        "summary": view.about,
        "tags": [TAGS[False]],
        "security": [{"session": []}],
        "parameters": [_REFERENCE],
        "requestBody": {
            "required": any(one.required for one in view.wish.PARAMETERS),
            "content": {"application/json": {"schema": _members(view.wish.PARAMETERS)}},
        },
        "responses": _answer("status", view.success) | _refusals(),
    }


def _responses(view: ReadApi) -> dict[str, Any]:
    good = _answer(view.read.name)
    if view.read.stamped and not isinstance(view, MemberQuestion):
        good["304"] = {"description": "The answer is the one whose ETag was sent as If-None-Match."}
    return good | _refusals(without=OF_CHANGES)


def _answer(read: str, status: int = 200) -> dict[str, Any]:
    content = {"application/json": {"schema": ref(_component(read))}}
    return {str(status): {"description": ANSWERS[read]["description"], "content": content}}


def _refusals(without: Collection[type[BaseException]] = ()) -> dict[str, Any]:
    codes: dict[int, list[str]] = {}
    for kind, answer in REFUSALS.items():
        if kind in without or answer.status not in SHOWN:
            continue
        if answer.code not in codes.setdefault(answer.status, []):
            codes[answer.status].append(answer.code)
    problem = {"application/problem+json": {"schema": ref("Problem")}}
    return {
        str(status): {"description": ", ".join(codes[status]), "content": problem} for status in sorted(codes)
    }


def _parameter(parameter: Parameter) -> dict[str, Any]:
    told = {
        "name": parameter.name,
        "in": "query",
        "required": parameter.required,
        "description": parameter.about,
        "schema": _schema(parameter),
    }
    return told if parameter.example is None else told | {"example": parameter.example}


def _schema(parameter: Parameter) -> Schema:
    schema: Schema = {"type": KINDS[parameter.kind]}
    match parameter.kind:
        case "number":
            schema |= {"minimum": parameter.least, "maximum": parameter.most}
        case "text":
            schema |= {"maxLength": parameter.most, "minLength": parameter.least}
    if parameter.choices:
        schema["enum"] = list(parameter.choices)
    if parameter.pattern:
        schema["pattern"] = f"^{parameter.pattern}$"
    if parameter.default not in (None, ""):
        schema["default"] = parameter.default
    return schema


def _body(view: ReadApi) -> Schema:
    project, fields = PROJECT_ID, view.read.query.PARAMETERS[view.door]
    citation = {name: part for name, part in _members(fields).items() if name != "additionalProperties"}
    listed = {"type": "array", "items": citation, "minItems": 1, "maxItems": 100}
    return {
        "type": "object",
        "properties": {
            project.name: _schema(project) | {"description": project.about},
            "citations": listed,
        },
        "required": ["citations"],
        "additionalProperties": False,
    }


def _members(fields: Iterable[Parameter]) -> Schema:
    """An object of these members and no others."""
    fields = tuple(fields)
    return {
        "type": "object",
        "properties": {one.name: _schema(one) | {"description": one.about} for one in fields},
        "required": [one.name for one in fields if one.required],
        "additionalProperties": False,
    }


def _component(read: str) -> str:
    return f"{read.title()}Answer"


@functools.cache
def _document() -> bytes:
    document = SchemaGenerator(api_version="1").get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()
