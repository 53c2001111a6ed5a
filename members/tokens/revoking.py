"""Tokens that nobody may read with any more, from their next use on."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models.functions import Now

from members.activity import record
from members.models import Token
from members.tokens.issuing import told_of
from members.tokens.text import digest_of, is_well_formed
from repositories.cleaning import clean_line

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from members.callers import Caller
    from members.models import Member, Project

LEAKED = "reported as leaked"
LEFT = "left the project"
REUSED = "used again after it was replaced"


def revoke(caller: Caller, token: Token, why: str) -> None:
    """Revoke the token; one that is revoked already keeps its first reason."""
    with transaction.atomic():
        _end(caller, Token.objects.filter(pk=token.pk), why)


def revoke_leaked(raw: str, caller: Caller) -> None:
    """Revoke the token that somebody found, if it is one; the caller can't tell."""
    if not is_well_formed(raw):
        return
    with transaction.atomic():
        _end(caller, Token.objects.filter(digest=digest_of(raw)), LEAKED)


def revoke_of_project(caller: Caller, member: Member, project: Project) -> None:
    """Revoke the tokens of a member who left the project that name it."""
    with transaction.atomic():
        _end(caller, Token.objects.filter(member=member, project=project), LEFT)


def revoke_family(caller: Caller, token: Token) -> None:
    """Revoke a token that was used after its end, with all that replaced it: one of two users is a thief."""
    with transaction.atomic():
        family = [_locked(token.pk)]
        while family[-1].successor_id:
            family.append(_locked(family[-1].successor_id))
        live = [each for each in family if each.revoked_at is None]
        if not live:
            return
        _mark(live, by="system", why=REUSED)
        details = {"token": str(token.pk), "revoked": [str(each.pk) for each in live]}
        record(
            *(caller, "token.reuse"),
            project=token.project,
            target=token.name,
            details=details,
            status=401,
            reason=REUSED,
        )


def _end(caller: Caller, those: QuerySet[Token], why: str) -> None:
    # Rows are locked in the order in which families are, and before the log, so that nobody waits in a ring.
    live = list(
        those.filter(revoked_at=None)
        .select_related("member", "project")
        .select_for_update(of=("self",))
        .order_by("created_at", "pk")
    )
    _mark(live, by=caller.member.get_username() if caller.member else str(caller.door), why=why)
    for token in live:
        details = told_of(token)
        record(caller, "token.revoke", project=token.project, target=token.name, details=details, reason=why)


def _locked(key: uuid.UUID) -> Token:
    return Token.objects.select_for_update(of=("self",)).get(pk=key)


def _mark(those: list[Token], *, by: str, why: str) -> None:
    Token.objects.filter(pk__in=[each.pk for each in those]).update(
        revoked_at=Now(), revoked_by=clean_line(by, 150), revoked_why=clean_line(why, 200)
    )
