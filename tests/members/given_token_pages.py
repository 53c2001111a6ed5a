"""How a test opens the page "Tokens and clients", and what it finds there."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape

from django.test import Client
from django.utils import timezone

from members.models import Member, Project
from members.tokens.text import FORM
from members.views.freshness import PROVED_AT

PASSWORD = "a long pass phrase for tests"
BACKEND = "django.contrib.auth.backends.ModelBackend"


def browser_of(member: Member, hours: float = 0) -> Client:
    """The browser of somebody who signed in so long ago."""
    client = Client()
    client.force_login(member, backend=BACKEND)
    session = client.session
    session[PROVED_AT] = int((timezone.now() - timedelta(hours=hours)).timestamp())
    session.save()
    return client


def with_password(member: Member) -> Member:
    member.set_password(PASSWORD)
    member.save()
    return member


def wish(project: Project | None, **more: str) -> dict[str, str]:
    key = str(project.pk) if project else "all"
    return {"name": "laptop", "project": key, "days": "30", "scopes": "member.read", **more}


def words(answer) -> str:
    """What the page says, without its tags."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", answer.content.decode())).split())


def shown(answer) -> str | None:
    """The token that stands in an answer."""
    found = set(FORM.findall(answer.content.decode()))
    assert len(found) <= 1
    return found.pop() if found else None
