"""Tokens made, and replaced by new ones; each is shown once, by whoever called."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models.functions import Least, Now

from members.access import may, projects_open_to
from members.activity import record
from members.errors import InvalidToken
from members.models import Member, Token
from members.permissions import MEMBER_READ, SCOPES
from members.tokens.lifetimes import OVER, OVERLAP, live_of
from members.tokens.text import HINT, digest_of, draw
from repositories.cleaning import clean_line

if TYPE_CHECKING:
    from members.callers import Caller
    from members.models import Project

MOST_DAYS = 365
DAYS = 90  # when nobody says for how long
MOST_NAME = 100  # characters
MOST_TOKENS = 20  # live ones of a member


def issue(
    caller: Caller,
    member: Member,
    *,
    name: str,
    project: Project | None,
    scopes: Sequence[str] = SCOPES,
    days: int = DAYS,
) -> tuple[Token, str]:
    """A new token of the member, and its text, which nobody can learn again.

    It reads one project, or all of the member's when `project` is None. Raises InvalidToken.
    """
    name = _named(name)
    if not 1 <= days <= MOST_DAYS:
        raise InvalidToken("days", f"A token lives for 1 to {MOST_DAYS} days.")
    if not scopes or not set(scopes) <= set(SCOPES):
        raise InvalidToken("scopes", f"A token needs at least one of {', '.join(SCOPES)}, and has no other.")
    with transaction.atomic():
        member = _held(member)
        _refuse_closed(member, project)
        _make_room(member, name)
        token, raw = _made(member, name=name, project=project, scopes=scopes, days=days)
        record(caller, "token.create", project=project, target=name, details=told_of(token))
    return token, raw


def rotate(caller: Caller, token: Token) -> tuple[Token, str]:
    """A new token in place of this one, which goes on for a day at most, and the new one's text.

    Raises InvalidToken when the old one opens nothing any more.
    """
    with transaction.atomic():
        member = _held(token.member)
        old = Token.objects.select_for_update(of=("self",)).annotate(is_over=OVER).get(pk=token.pk)
        if old.revoked_at or old.successor_id or old.is_over:
            raise InvalidToken("token", f"{old.name} is over or replaced already; make a new token.")
        _refuse_closed(member, old.project)
        # The name is free only once the old one has a successor; the key is checked when all is written.
        successor = uuid.uuid4()
        Token.objects.filter(pk=old.pk).update(
            successor_id=successor, expires_at=Least("expires_at", Now() + OVERLAP)
        )
        new, raw = _made(
            member,
            pk=successor,
            name=old.name,
            project=old.project,
            scopes=old.scopes,
            days=max(1, round((old.expires_at - old.created_at) / timedelta(days=1))),
        )
        details = told_of(new) | {"replaces": str(old.pk)}
        record(caller, "token.rotate", project=new.project, target=new.name, details=details)
    return new, raw


def told_of(token: Token) -> dict[str, object]:
    """What the activity log says of a token."""
    return {
        "token": str(token.pk),
        "member": token.member.get_username(),
        "project": token.project.slug if token.project else "all",
        "scopes": list(token.scopes),
        "expires": token.expires_at.isoformat(timespec="seconds"),
    }


def _held(member: Member) -> Member:
    """The member as they are now; tokens of one member are made one after the other."""
    return Member.objects.select_for_update(no_key=True).get(pk=member.pk)


def _named(name: str) -> str:
    name = clean_line(name)
    if not 1 <= len(name) <= MOST_NAME:
        raise InvalidToken("name", f"A name has 1 to {MOST_NAME} characters.")
    return name


def _refuse_closed(member: Member, project: Project | None) -> None:
    opened = projects_open_to(member)
    if project is not None:
        opened = opened.filter(pk=project.pk)
    if not any(may(member, each, MEMBER_READ) for each in opened):
        where = "this project" if project else "at least one project"
        raise InvalidToken("project", f"A token needs the role member or maintainer in {where}.")


def _make_room(member: Member, name: str) -> None:
    held = Token.objects.filter(member=member, revoked_at=None, successor=None)
    held.filter(OVER, name=name).update(revoked_at=Now(), revoked_why="its name was given to a new one")
    if held.filter(name=name).exists():
        raise InvalidToken("name", "There is a token of this name already.")
    if live_of(member).filter(successor=None).count() >= MOST_TOKENS:
        raise InvalidToken("name", f"A member has at most {MOST_TOKENS} tokens; revoke one first.")


def _made(
    member: Member,
    *,
    name: str,
    project: Project | None,
    scopes: Sequence[str],
    days: int,
    pk: uuid.UUID | None = None,
) -> tuple[Token, str]:
    raw = draw()
    token = Token.objects.create(
        pk=pk or uuid.uuid4(),
        member=member,
        project=project,
        name=name,
        scopes=list(scopes),
        digest=digest_of(raw),
        hint=raw[:HINT],
        expires_at=Now() + timedelta(days=days),
    )
    token.refresh_from_db(fields=["expires_at"])
    return token, raw
