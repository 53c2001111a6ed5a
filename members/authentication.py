"""Who sends a request: the member whose token it carries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.auth.models import AnonymousUser
from rest_framework.authentication import BaseAuthentication

from members.callers import REQUEST_ID, Caller, Door, address_of
from members.errors import Refusal, TokenInvalid, TokenMissing
from members.limits import take_attempt
from members.tokens import find
from repositories.cleaning import clean_line

if TYPE_CHECKING:
    from rest_framework.request import Request

    from members.models import Member, Token

SCHEME = "bearer"
MISSING = "Send a token: Authorization: Bearer ktb_…"


class BearerAuthentication(BaseAuthentication):
    """DRF's door to tokens; a cookie counts for nothing here."""

    def authenticate(self, request: Request) -> tuple[Member, Token] | None:
        """The member and their token; None for nobody. Raises TokenInvalid and RateLimited."""
        try:
            token = member_by_token(
                request.META.get("HTTP_AUTHORIZATION", ""),
                ip=address_of(request.META),
                agent=request.META.get("HTTP_USER_AGENT", ""),
                door=Door.API,
                request_id=request.META.get(REQUEST_ID),
            )
        except TokenMissing:
            return None
        except Refusal:
            # DRF remembers nobody only for errors of its own; else it would ask again at each look.
            request.user, request.auth = AnonymousUser(), None
            raise
        return token.member, token

    def authenticate_header(self, request: Request) -> str:  # noqa: ARG002
        """What a client has to send."""
        return 'Bearer realm="brain"'


def member_by_token(
    header: str, *, ip: str | None, agent: str, door: Door = Door.MCP, request_id: str | None = None
) -> Token:
    """The token, with its member, that the header `Authorization` carries.

    Raises TokenMissing where the header carries none, TokenInvalid for one that opens nothing, and
    RateLimited when too many of those came from the address.
    """
    scheme, _, raw = header.strip().partition(" ")
    if scheme.lower() != SCHEME:
        raise TokenMissing(MISSING)
    caller = Caller(door=door, ip=ip, agent=clean_line(agent, 200), request_id=request_id)
    try:
        return find(raw.strip(), caller)
    except TokenInvalid:
        take_attempt(ip)
        raise
