"""What people see of a built world: the portal's pages and its JSON, asked as a member who is signed in."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from urllib.parse import urlencode

from django.test import Client

from members.models import Member, Membership
from tests.brain.interference.asking import NOWHERE
from tests.brain.interference.observing import Names, Seen, timeless
from tests.brain.interference.standing import Standing

# Nonces, tokens, request ids.
CHANCE = re.compile(
    r'nonce="[^"]*"|"X-CSRFToken": ?"[^"]*"|name="csrfmiddlewaretoken" value="[^"]*"'
    r"|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|<time[^>]*>[^<]*</time>"
)


def pages_of(standing: Standing, places: Iterable[str]) -> Iterator[Seen]:
    """Each page and each JSON about the whole and about these node ids and paths, less what is chance."""
    client, names = _signed_in(standing), Names.of(standing)
    for address in _addresses(standing.project.slug, [*places, *NOWHERE]):
        response = client.get(address)
        body = response.content.decode()
        if response["Content-Type"].startswith("application/json"):
            body = json.dumps(timeless(json.loads(body)), ensure_ascii=False, sort_keys=True)
        told = f"{response.status_code} {response.get('Location', '')} {CHANCE.sub('', body)}"
        yield names.hide(address), names.hide(told)


def _signed_in(standing: Standing) -> Client:
    member, _ = Member.objects.get_or_create(username="ada")
    Membership.objects.get_or_create(member=member, project=standing.project)
    client = Client()
    client.force_login(member, backend="django.contrib.auth.backends.ModelBackend")
    return client


def _addresses(slug: str, places: list[str]) -> Iterator[str]:
    page, data = f"/projects/{slug}/brain", f"/api/projects/{slug}/brain"
    yield from (page, f"{page}/broken", data, f"{data}/broken", f"{data}/problems")
    for number, place in enumerate(places):
        query = urlencode({"node": place})
        yield f"{page}/{'tree' if place.endswith('/') else 'read'}?{query}"
        if number % 3 == 0:  # the JSON is told from the very answers that are compared without a door
            yield f"{data}/node?{query}"
