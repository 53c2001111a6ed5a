"""Answers held to the description of the API: each test's answer is one more example of it."""

from __future__ import annotations

import functools
import json
from datetime import datetime
from typing import Any

from django.http import HttpResponse
from django.test import Client
from jsonschema import Draft202012Validator, FormatChecker

PROBLEM = {"type", "title", "status", "detail", "instance", "code"}
MORE = {"errors", "near", "state", "commit"}
_FORMATS = FormatChecker(())


@_FORMATS.checks("date-time", raises=ValueError)
def _is_moment(value: object) -> bool:
    return not isinstance(value, str) or datetime.fromisoformat(value).tzinfo is not None


@functools.cache
def document() -> dict[str, Any]:
    """The description, as anybody may fetch it."""
    response = Client(headers={"Host": "localhost"}).get("/api/openapi.json")
    assert response.status_code == 200, response.content
    return json.loads(response.content)


def errors_of(component: str, told: Any) -> list[str]:
    """How a value differs from a component of the description."""
    return [f"{error.json_path}: {error.message}" for error in _validator(component).iter_errors(told)]


def held(read: str, response: HttpResponse) -> HttpResponse:
    """The response, once it was found to be what the description says of this read."""
    assert response["X-Request-Id"]
    assert response["Cache-Control"] == "private, no-cache"
    if response.status_code == 304:
        assert response.content == b""
        return response
    if response.status_code >= 400:
        return refused(response)
    assert response["Content-Type"] == "application/json"
    assert errors_of(f"{read.title()}Answer", response.json()) == []
    return response


def refused(response: HttpResponse) -> HttpResponse:
    """The response, once it was found to be problem details with nothing beside what they may hold."""
    assert response["Content-Type"] == "application/problem+json"
    told = json.loads(response.content)
    assert PROBLEM <= set(told) <= PROBLEM | MORE
    assert errors_of("Problem", told) == []
    assert told["status"] == response.status_code
    assert told["instance"] == f"urn:uuid:{response['X-Request-Id']}"
    assert told["type"].endswith(f"/problems/{told['code']}")
    return response


def problem(response: HttpResponse) -> tuple[int, str]:
    """The status and the code of a refusal."""
    told = refused(response).json()
    return told["status"], told["code"]


@functools.cache
def _validator(component: str) -> Draft202012Validator:
    whole = {"$ref": f"#/components/schemas/{component}", "components": document()["components"]}
    return Draft202012Validator(whole, format_checker=_FORMATS)
