"""Who asks: a member, by which door, with which token, from where."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.conf import settings

from members.models import Activity
from repositories.cleaning import clean_line

if TYPE_CHECKING:
    from members.models import Member, Token

Door = Activity.Door
REQUEST_ID = "REQUEST_ID"  # in request.META; config.pages sets it


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Whoever asks for something; `member` is None for an operator, the system, and who is not signed in."""

    door: Door
    member: Member | None = None
    token: Token | None = None
    ip: str | None = None
    agent: str = ""
    request_id: str | None = None

    @property
    def key(self) -> str:
        """Whom a rate limit counts."""
        if self.token:
            return f"token:{self.token.pk}"
        return f"member:{self.member.pk}" if self.member else f"ip:{self.ip}"


OPERATOR = Caller(door=Door.COMMAND)
SYSTEM = Caller(door=Door.SYSTEM)


def caller_of(request: Any, door: Door = Door.PORTAL) -> Caller:
    """Who sent this HTTP request (Django's or DRF's)."""
    user = getattr(request, "user", None)
    token = getattr(request, "auth", None)
    return Caller(
        door=door,
        member=user if user is not None and user.is_authenticated else None,
        token=token,
        ip=address_of(request.META),
        agent=clean_line(request.META.get("HTTP_USER_AGENT", ""), 200),
        request_id=request.META.get(REQUEST_ID),
    )


def address_of(meta: dict[str, Any]) -> str | None:
    """The address a request came from; what a client claims counts only behind a proxy that says so."""
    told = str(meta.get("REMOTE_ADDR") or "")
    if settings.SECURE_PROXY_SSL_HEADER:
        told = str(meta.get("HTTP_X_FORWARDED_FOR", "")).rpartition(",")[2].strip() or told
    try:
        address = ipaddress.ip_address(told)
    except ValueError:
        return None
    # A socket for both kinds writes an IPv4 address as ::ffff:192.0.2.7.
    return str(getattr(address, "ipv4_mapped", None) or address)
