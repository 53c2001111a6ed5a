"""Refusals as problem details (RFC 9457), and the page that each kind of them has."""

from __future__ import annotations

import functools
import re
import uuid
from typing import Any

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

import brain.rendering.documents
from config.denials import note_denial
from config.errors import ANSWERS, FORGED, UNKNOWN, Answer, answer_for, detail_of, details_of
from members.callers import REQUEST_ID
from members.errors import (
    AccessDenied,
    InsufficientScope,
    NotSignedIn,
    PermissionDenied,
    RateLimited,
    TokenInvalid,
    TokenMissing,
)

CONTENT_TYPE = "application/problem+json"
RETRY_AFTER = "30"  # seconds
REALM = 'realm="brain"'
MCP = "/mcp"
DENIALS = (AccessDenied, PermissionDenied)
_SECTION = re.compile(r"^## ([a-z-]+)\n+(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)


def wants_json(request: Any) -> bool:
    """Whether a program asks, not a browser."""
    return str(request.path).startswith(("/api/", "/tokens/revoke", MCP))


def problem_json(request: Any, answer: Answer, detail: str, error: BaseException | None) -> HttpResponse:
    """The refusal for a program, with the headers that its status asks for."""
    number = request.META.setdefault(REQUEST_ID, str(uuid.uuid4()))  # an early refusal has none yet
    told = {
        "type": _page_of(request, answer.code),
        "instance": f"urn:uuid:{number}",
        **details_of(answer, detail, error),
    }
    response = JsonResponse(told, status=answer.status, content_type=CONTENT_TYPE)
    for name, value in {"X-Request-Id": number, **_headers(request, answer, error)}.items():
        response[name] = value
    return response


@require_safe
def problem_page(request: HttpRequest, code: str) -> HttpResponse:
    """What a code means, and what to do: the same words as in the documentation."""
    answer = next((one for one in (*ANSWERS.values(), UNKNOWN, FORGED) if one.code == code), None)
    if answer is None or code not in _meanings():
        raise Http404
    return render(request, "errors/meaning.html", {"answer": answer, "meaning": _meanings()[code]})


def _page_of(request: Any, code: str) -> str:
    """Where the code is explained; without our name where the request calls us by one that is not ours."""
    place = reverse("problem", args=[code])
    try:
        return str(request.build_absolute_uri(place))
    except DisallowedHost:
        return place


def _headers(request: Any, answer: Answer, error: BaseException | None) -> dict[str, str]:
    match error:
        case TokenMissing():
            return {"WWW-Authenticate": _scheme(request)}
        case TokenInvalid():
            return {"WWW-Authenticate": f'{_scheme(request)}, error="invalid_token"'}
        case InsufficientScope():
            scope = f'error="insufficient_scope", scope="{error.scope}"'
            return {"WWW-Authenticate": f"{_scheme(request)}, {scope}"}
        case NotSignedIn():
            return {"WWW-Authenticate": f"Session {REALM}"}
        case RateLimited():
            return error.headers | {"Retry-After": str(error.wait)}
    return {"Retry-After": RETRY_AFTER} if answer.status == 503 else {}


def _scheme(request: Any) -> str:
    """How to prove who one is; an agent is also told where that is described (RFC 9728)."""
    if request.path != MCP:
        return f"Bearer {REALM}"
    described = request.build_absolute_uri(reverse("mcp-resource"))
    return f'Bearer {REALM}, resource_metadata="{described}"'


@functools.cache
def _meanings() -> dict[str, SafeString]:
    """The section of each code in the documentation, as HTML."""
    text = (settings.BASE_DIR / "docs" / "errors.md").read_text()
    return {code: _html(section) for code, section in _SECTION.findall(text)}


def _html(section: str) -> SafeString:
    return SafeString(brain.rendering.documents.render(section, headings={}, resolve=lambda _: None).html)


def api_answer(error: Exception, context: dict[str, Any]) -> HttpResponse | None:
    """DRF's handler of exceptions: the table's answer; None leaves an unknown error to Django."""
    answer, request = answer_for(error), context["request"]
    if answer is None:
        return None
    if isinstance(error, DENIALS):  # of any other error who asks is not known yet, and need not be
        note_denial(request, error, getattr(context["view"], "action", ""))
    return problem_json(request, answer, detail_of(error, answer), error)
