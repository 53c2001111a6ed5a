"""What every address for programs does first: it refuses in one order, and counts whoever asks.

Arguments (400), who asks (401), which project (404), what they may (403), the state of the Brain (409).
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.http import HttpResponse
from django.utils.cache import patch_cache_control
from rest_framework.authentication import SessionAuthentication
from rest_framework.exceptions import MethodNotAllowed, PermissionDenied
from rest_framework.parsers import JSONParser
from rest_framework.request import Request
from rest_framework.views import APIView

from brain.errors import FormForged
from brain.forms.parameters import refuse_unknown
from members import limits
from members.callers import Caller, caller_of
from members.callers import Door as Entrance
from members.errors import BodyTooLarge, InvalidArgument, NotSignedIn

MAX_BODY = 1 << 20  # bytes


class Address(APIView, ABC):
    """An address for programs; a subclass says what can be asked there, and who may."""

    permission_classes = ()
    parser_classes = (JSONParser,)
    taken: limits.Taken | None = None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Method and arguments first, so that a malformed request is one to everybody; then who asks."""
        if str(request.method).lower() not in self.http_method_names:
            raise MethodNotAllowed(str(request.method))
        self.asked = self.parsed(request)
        super().initial(request, *args, **kwargs)
        self.caller = self.called(request)
        self.taken = limits.take(self.caller.key, self.policy)

    @property
    @abstractmethod
    def action(self) -> str:
        """What the activity log calls it."""

    @property
    def policy(self) -> str:
        """The rate limit that counts it."""
        return "default"

    @abstractmethod
    def parsed(self, request: Request) -> Any:
        """What is asked, valid all the way down. Raises InvalidArgument."""

    @abstractmethod
    def called(self, request: Request) -> Caller:
        """Who asks. Raises NotSignedIn or TokenMissing for nobody."""

    def finalize_response(self, request: Any, response: Any, *args: Any, **kwargs: Any) -> Any:
        """Say how much of the limit is left, whatever the answer."""
        if self.taken:
            for name, value in limits.headers_of(self.taken).items():
                response.setdefault(name, value)
        return super().finalize_response(request, response, *args, **kwargs)


class Session(SessionAuthentication):
    """The portal's session; whoever would change something also sends the token of the portal's forms."""

    def enforce_csrf(self, request: Request) -> None:
        """Raises FormForged for a session without that token."""
        try:
            super().enforce_csrf(request)
        except PermissionDenied as error:
            # DRF remembers nobody only for errors of its own; else it would ask again at each look.
            request.user, request.auth = AnonymousUser(), None
            raise FormForged("Send the value of the CSRF cookie in the header X-CSRFToken.") from error


def signed_in(request: Request) -> Caller:
    """The member of the session. Raises NotSignedIn."""
    caller = caller_of(request, Entrance.PORTAL)
    if caller.member is None:
        raise NotSignedIn("Sign in to the portal first; programs use the member API with a token.")
    return caller


def body_of(request: Request) -> dict[str, Any]:
    """The JSON object of the body, in a request that asks nothing in its address."""
    refuse_unknown((), request.query_params)
    if int(request.META.get("CONTENT_LENGTH") or 0) > MAX_BODY:
        raise BodyTooLarge(f"A question has at most {MAX_BODY >> 10:,} KiB.")
    try:
        told = request.data
    except RecursionError as error:
        raise InvalidArgument("body", "The body is nested too deeply.") from error
    if not isinstance(told, dict):
        raise InvalidArgument("body", "The body is a JSON object.")
    return told


def json_answer(told: dict[str, Any], status: int = 200) -> HttpResponse:
    """The answer, for nobody's cache but the caller's own, which asks again."""
    body = json.dumps(told, ensure_ascii=False, separators=(",", ":"))
    response = HttpResponse(body.encode(errors="replace"), content_type="application/json", status=status)
    patch_cache_control(response, private=True, no_cache=True)
    return response
