"""A member's tokens as people see them: those that open something, and for a month those that are over."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING

from django.db.models import Q
from django.utils.timesince import timesince

from members.access import may, projects_open_to
from members.models import Token
from members.permissions import MEMBER_READ
from members.tokens.lifetimes import warning

if TYPE_CHECKING:
    from collections.abc import Iterable

    from members.models import Member, Project

SHOWN = timedelta(days=30)  # that a token is listed after its end


class State(StrEnum):
    """What became of a token."""

    LIVE = "live"
    REPLACED = "replaced"  # it goes on for a day beside the one in its place
    EXPIRED = "expired"
    REVOKED = "revoked"


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """A token in a list."""

    token: Token
    state: State
    days_left: int | None  # when they are few
    opens: bool  # whether its member may still read by token what it names
    used: str  # how long ago, in words; empty for never

    @property
    def is_over(self) -> bool:
        """Whether it opens nothing any more."""
        return self.state in (State.EXPIRED, State.REVOKED)


def projects_for_tokens(member: Member) -> list[Project]:
    """The projects that the member may have a token for, by name."""
    return [each for each in projects_open_to(member) if may(member, each, MEMBER_READ)]


def tokens_shown(member: Member, opened: Iterable[Project], now: datetime) -> list[Listed]:
    """The member's tokens, the newest first, and those that are over last."""
    keys = {project.pk for project in opened}
    since = now - SHOWN
    those = Token.objects.filter(
        Q(revoked_at=None) | Q(revoked_at__gt=since), member=member, expires_at__gt=since
    )
    rows = [
        Listed(
            token=token,
            state=state_of(token, now),
            days_left=warning(token, now),
            opens=token.project_id in keys or (token.project_id is None and bool(keys)),
            used=_ago(token.last_used_at, now),
        )
        for token in those.select_related("project")
    ]
    return sorted(rows, key=lambda row: row.is_over)


def state_of(token: Token, now: datetime) -> State:
    """What became of the token; one that was revoked after its end is expired."""
    if token.revoked_at and token.revoked_at < token.expires_at:
        return State.REVOKED
    if token.expires_at <= now:
        return State.EXPIRED
    return State.REPLACED if token.successor_id else State.LIVE


def _ago(at: datetime | None, now: datetime) -> str:
    if at is None:
        return ""
    return "just now" if now - at < timedelta(minutes=1) else f"{timesince(at, now, depth=1)} ago"
