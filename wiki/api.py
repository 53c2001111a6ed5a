"""The wiki's switch over HTTP."""

from __future__ import annotations

from django.http import HttpResponse
from rest_framework.request import Request

from brain.api import Change
from members.permissions import MANAGE_WIKI
from wiki.forms import WikiWish
from wiki.switch import SWITCH, switch


class Wiki(Change):
    """A project's wiki on and off."""

    http_method_names = ["put"]  # noqa: RUF012
    wish = WikiWish
    name = "switch_wiki"
    about = (
        "Turn the wiki on, which builds the Brain of the default branch, or off, which leaves it as it is."
    )
    grant = MANAGE_WIKI
    action = SWITCH

    def put(self, request: Request, reference: str) -> HttpResponse:  # noqa: ARG002
        """Let the wiki be as the body says."""
        wish: WikiWish = self.asked
        return self.changed(reference, lambda project, caller: switch(project, caller, enabled=wish.enabled))
