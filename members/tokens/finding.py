"""Whose token this is: one SELECT, and now and then a note of where and when it was used."""

from __future__ import annotations

import ipaddress
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now

from members.activity import record
from members.errors import TokenInvalid
from members.models import Member, Token
from members.tokens.revoking import revoke_family
from members.tokens.text import digest_of, is_well_formed
from repositories.statements import Columns, ask

if TYPE_CHECKING:
    from members.callers import Caller

REFUSED = (
    "This token opens nothing: it is mistyped, unknown, revoked or expired. Make one on the page Tokens."
)
PAUSE = timedelta(seconds=30)  # between two notes of a token's use
MOST_NETWORKS = 10
PREFIXES = {4: 24, 6: 48}  # bits of an address that say from which network it is
TOKEN = Columns(Token, "token")
MEMBER = Columns(Member, "member")
_KNOWN = f"""
    SELECT token.expires_at <= statement_timestamp(),
        coalesce(token.last_used_at <= statement_timestamp() - %(pause)s * interval '1 s', TRUE),
        {TOKEN.sql}, {MEMBER.sql}
    FROM members_token token JOIN members_member member ON member.id = token.member_id
    WHERE token.digest = %(digest)s
"""  # noqa: S608
DUE = Q(last_used_at=None) | Q(last_used_at__lte=Now() - PAUSE)


def find(raw: str, caller: Caller) -> Token:
    """The token with its member, and a note of its use; `caller` says by which door and from where.

    Raises TokenInvalid in the same words for one that is malformed, unknown, revoked or expired, and for one
    whose member may not sign in.
    """
    known = _known(raw) if is_well_formed(raw) else None
    if known is None:
        raise TokenInvalid(REFUSED)
    token = known.token
    caller = replace(caller, member=token.member, token=token)
    if token.revoked_at is None and known.is_over:
        _note_end(caller, token)
    if token.revoked_at is not None or known.is_over or not token.member.is_active:
        raise TokenInvalid(REFUSED)
    network = network_of(caller.ip)
    if network and network not in token.networks:
        _note_network(caller, token, network)
    if known.is_due:
        Token.objects.filter(DUE, pk=token.pk).update(last_used_at=Now(), last_agent=caller.agent[:200])
    return token


def network_of(ip: str | None) -> str:
    """The network that an address is from, which says enough of a place; empty for no address."""
    if not ip:
        return ""
    address = ipaddress.ip_address(ip)
    return str(ipaddress.ip_network((address, PREFIXES[address.version]), strict=False))


class _Known(NamedTuple):
    """A token, and what the database's clock says of it."""

    token: Token
    is_over: bool
    is_due: bool  # for another note of its use


def _known(raw: str) -> _Known | None:
    rows = ask(_KNOWN, {"digest": digest_of(raw), "pause": PAUSE.total_seconds()})
    if not rows:
        return None
    is_over, is_due, *values = rows[0]
    token = TOKEN.make(values[: TOKEN.width])
    token.member = MEMBER.make(values[TOKEN.width :])
    return _Known(token, is_over, is_due)


def _note_end(caller: Caller, token: Token) -> None:
    """The first use after the end; of a token that was replaced it is a sign of theft."""
    if token.successor_id:
        revoke_family(caller, token)
        return
    with transaction.atomic():
        if Token.objects.filter(pk=token.pk, expiry_noted=False).update(expiry_noted=True):
            record(caller, "token.expired", project=token.project, target=token.name, status=401)


def _note_network(caller: Caller, token: Token, network: str) -> None:
    with transaction.atomic():
        held = Token.objects.select_for_update(of=("self",)).get(pk=token.pk)
        if network in held.networks:
            return
        held.networks = [network, *held.networks][:MOST_NETWORKS]
        held.save(update_fields=["networks"])
        details = {"network": network}
        record(caller, "token.network", project=held.project, target=held.name, details=details)
