"""How long ago the person at this browser proved who they are."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils import timezone

LASTING = timedelta(hours=12)
PROVED_AT = "proved_at"  # in the session: seconds since 1970


@receiver(user_logged_in, dispatch_uid="freshness")
def remember_proof(*, request: HttpRequest, **_: Any) -> None:
    """Note the time in the session that it was for: a sign-in elsewhere proves nothing here."""
    request.session[PROVED_AT] = int(timezone.now().timestamp())


def is_stale(request: HttpRequest) -> bool:
    """Whether a password is needed again before anything is made that outlives the session."""
    proved_at: int = request.session.get(PROVED_AT, 0)
    return timezone.now().timestamp() - proved_at > LASTING.total_seconds()
