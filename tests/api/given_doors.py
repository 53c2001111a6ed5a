"""How a test asks at a door, and what there is to ask."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.test import Client

from brain import urls
from brain.forms import Door
from members.models import Activity, RateWindow
from tests.api.described import held
from tests.api.given_world import World, a_client


@dataclass(frozen=True, slots=True)
class Entrance:
    """One door of a project with somebody before it; every answer is held to the description of the API."""

    door: Door
    client: Client
    project: str = "handbook"

    def address(self, read: str) -> str:
        """Where the read is."""
        if self.door is Door.PORTAL:
            return f"/api/projects/{self.project}/brain{urls.PORTAL_NAMES.get(read, f'/{read}')}"
        return f"/api/member/v1/brain/{read}"

    def ask(self, read: str, /, headers: Mapping[str, str] | None = None, **arguments: Any) -> HttpResponse:
        """Whatever the door answers."""
        address, more = self.address(read), {"headers": headers or {}}
        if self.door is Door.MEMBER and read in urls.LONG:
            response = self.client.post(address, arguments, content_type="application/json", **more)
        else:
            response = self.client.get(address, arguments, **more)
        return held(read, response)

    def answer(self, read: str, /, **arguments: Any) -> dict[str, Any]:
        """The answer to a question that has one."""
        response = self.ask(read, **arguments)
        assert response.status_code == 200, response.content
        return response.json()

    def resolve(self, citation: Mapping[str, Any], **more: Any) -> HttpResponse:
        """Ask for one citation, as each door takes it."""
        if self.door is Door.PORTAL:
            return self.ask("resolve", **citation, **more)
        return self.ask("resolve", citations=[dict(citation)], **more)


def nobody(door: Door) -> Entrance:
    """A door with nobody before it."""
    return Entrance(door, a_client())


def an_example(read: str, world: World) -> dict[str, Any]:
    """Arguments that every door answers with something, by read."""
    examples: dict[str, dict[str, Any]] = {
        "read": {"node": "rules/review.md"},
        "lookup": {"query": "RULE-REV-001"},
        "grep": {"text": "reviewers merge"},
        "search": {"query": "refunds"},
        "backlinks": {"node": "rules/review.md"},
        "changes": {"since": world.first},
        "resolve": a_citation(world),
    }
    return examples.get(read, {})


def a_citation(world: World) -> dict[str, Any]:
    """Lines of the first commit that stand elsewhere today."""
    return {"path": "rules/old-name.md", "lineStart": 3, "lineEnd": 4, "commit": world.first}


def asked(entrance: Entrance, read: str, world: World, **more: Any) -> HttpResponse:
    """The answer of a door to the example of a read."""
    example = an_example(read, world)
    return entrance.resolve(example, **more) if read in urls.LONG else entrance.ask(read, **example, **more)


def fresh_limits() -> None:
    """Let nobody have asked anything yet."""
    RateWindow.objects.all().delete()


def activities(**those: Any) -> list[Activity]:
    """What the log keeps, the oldest first."""
    return list(Activity.objects.filter(**those).order_by("id"))
