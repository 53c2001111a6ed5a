"""MCP over HTTP: one address, one request, one answer. The SDK speaks the protocol, Django keeps the door."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from config.mcp.desks import ProjectDesk
from config.mcp.messages import MAX_BODY, RATE_LIMITED, error_answer, message_of
from members import limits
from members.authentication import member_by_token
from members.callers import REQUEST_ID, Caller, Door, address_of
from members.errors import BodyTooLarge, InsufficientScope, RateLimited
from members.permissions import MEMBER_READ
from repositories.cleaning import clean_line


@csrf_exempt  # a token is sent on purpose, and no cookie counts here
@require_POST  # without sessions there is no stream to open and none to end
def endpoint(request: HttpRequest) -> HttpResponse:
    """One message of an agent, and its answer."""
    _refuse_foreign(request)
    if int(request.META.get("CONTENT_LENGTH") or 0) > MAX_BODY:
        raise BodyTooLarge(f"A message has at most {MAX_BODY >> 10} KiB.")
    caller = _caller_of(request)
    message = message_of(request.body)
    if message.flaw:
        return error_answer(message, *message.flaw, status=400)
    try:
        taken = limits.take(caller.key, message.policy)
    except RateLimited as error:
        answer = error_answer(message, RATE_LIMITED, str(error), status=429)
        return _with(answer, error.headers | {"Retry-After": str(error.wait)})
    # The SDK takes a second to load, which no other address and no command has a use for.
    exchange = import_module("config.mcp.exchange").exchange
    return _with(exchange(request, ProjectDesk(caller=caller)), limits.headers_of(taken) if taken else {})


@require_safe
def resource_metadata(request: HttpRequest) -> HttpResponse:
    """What RFC 9728 asks of a resource with tokens, which are made on a page of the portal."""
    told: dict[str, Any] = {
        "resource": request.build_absolute_uri(reverse("mcp")),
        "resource_name": "Kintsugi Brain",
        "bearer_methods_supported": ["header"],
        "scopes_supported": [MEMBER_READ],
        "resource_documentation": request.build_absolute_uri(reverse("tokens")),
    }
    return JsonResponse(told)


def _caller_of(request: HttpRequest) -> Caller:
    """The member whose token it is. Raises TokenMissing, TokenInvalid, RateLimited, InsufficientScope."""
    ip, agent = address_of(request.META), clean_line(request.headers.get("User-Agent", ""), 200)
    number = request.META.get(REQUEST_ID)
    header = request.headers.get("Authorization", "")
    token = member_by_token(header, ip=ip, agent=agent, door=Door.MCP, request_id=number)
    if MEMBER_READ not in token.scopes:
        raise InsufficientScope(MEMBER_READ)
    return Caller(door=Door.MCP, member=token.member, token=token, ip=ip, agent=agent, request_id=number)


def _with(response: HttpResponse, headers: Mapping[str, str]) -> HttpResponse:
    for name, value in headers.items():
        response[name] = value
    return response


def _refuse_foreign(request: HttpRequest) -> None:
    """Raises PermissionDenied for a page of another host that would have a browser ask here."""
    origin = request.headers.get("Origin")
    if origin is None or origin in settings.CSRF_TRUSTED_ORIGINS:
        return
    told = urlsplit(origin)
    if (told.scheme, told.netloc) != (request.scheme, request.get_host()):
        raise PermissionDenied
