"""A door for whoever found a token that somebody lost: it can be ended by anybody who has it."""

from __future__ import annotations

from typing import Any, ClassVar

from django.http import HttpResponse
from rest_framework.parsers import FormParser, JSONParser
from rest_framework.request import Request
from rest_framework.views import APIView

from members.callers import Door, caller_of
from members.errors import BodyTooLarge, InvalidArgument
from members.limits import take_attempt
from members.tokens import revoke_leaked

MAX_BODY = 4 << 10  # bytes


class LeakedToken(APIView):
    """Revokes the token in the body, and tells nobody whether there was one."""

    authentication_classes = ()
    permission_classes = ()
    parser_classes = (JSONParser, FormParser)
    http_method_names = ["post"]  # noqa: RUF012
    described: ClassVar[dict[str, Any]] = {
        "operationId": "revoke_token",
        "summary": "End a token that got into the wrong hands; the answer is the same for every token.",
        "tags": ["Tokens"],
        "security": [],
        "requestBody": {
            "required": True,
            "content": {
                media: {
                    "schema": {
                        "type": "object",
                        "properties": {"token": {"type": "string", "description": "The whole token."}},
                        "required": ["token"],
                    }
                }
                for media in ("application/json", "application/x-www-form-urlencoded")
            },
        },
        "responses": {
            "204": {"description": "Nobody reads with it any more."},
            **{
                status: {
                    "description": told,
                    "content": {
                        "application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}
                    },
                }
                for status, told in (
                    ("400", "There is no token in the body."),
                    ("413", "The body is too large."),
                    ("429", "Too much in too little time."),
                )
            },
        },
    }

    def post(self, request: Request) -> HttpResponse:
        """Whoever can send the token could have used it: that is all the right one needs to end it."""
        caller = caller_of(request, Door.API)
        take_attempt(caller.ip)
        revoke_leaked(_token_in(request), caller)
        return HttpResponse(status=204)


def _token_in(request: Request) -> str:
    if request.query_params:
        raise InvalidArgument("token", "Send the token in the body: addresses are written down on their way.")
    if int(request.META.get("CONTENT_LENGTH") or 0) > MAX_BODY:
        raise BodyTooLarge(f"A token fits into {MAX_BODY >> 10} KiB.")
    told = request.data.get("token") if hasattr(request.data, "get") else None
    if not isinstance(told, str) or not told:
        raise InvalidArgument("token", 'Send {"token": "ktb_…"}, or a form with the field token.')
    return told.strip()
