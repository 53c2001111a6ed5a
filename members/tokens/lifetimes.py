"""When a token opens nothing any more: by the database's clock where that decides, by days for people."""

from __future__ import annotations

import math
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.db.models import Q
from django.db.models.functions import Now

from members.models import Token

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from members.models import Member

OVERLAP = timedelta(hours=24)  # that a token goes on beside the one that replaces it
WARNED = 14  # days before the end
OVER = Q(expires_at__lte=Now())


def live_of(member: Member) -> QuerySet[Token]:
    """The member's tokens that open something, those that are being replaced too."""
    return Token.objects.filter(~OVER, member=member, revoked_at=None)


def warning(token: Token, now: datetime) -> int | None:
    """Days left, the begun one too, when they are few; None for many, and for a token that is over."""
    days = math.ceil((token.expires_at - now) / timedelta(days=1))
    return days if 0 < days <= WARNED else None
