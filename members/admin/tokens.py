"""The tokens that there are, to look at and to revoke."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db import transaction
from django.template.response import TemplateResponse
from django.utils import timezone

from members import tokens
from members.admin.parts import LookedAt, administrator
from members.models import Token
from members.tokens.listing import state_of

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.http import HttpRequest, HttpResponse  # noqa: TID251 -- types alone

WHY = "revoked by an administrator"


class TokenAdmin(LookedAt):
    """Nothing here opens anything: of a token there is its hash alone, and that is not shown."""

    list_display = ("name", "member", "project", "hint", "state", "expires_at", "last_used_at")
    list_select_related = ("member", "project")
    list_filter = ("project", ("revoked_at", admin.EmptyFieldListFilter))
    search_fields = ("name", "member__username", "hint")
    fields = (
        *("name", "member", "project", "scopes", "hint", "state", "created_at", "expires_at"),
        *("last_used_at", "last_agent", "networks", "revoked_at", "revoked_by", "revoked_why", "successor"),
    )
    readonly_fields = fields
    actions = ("revoke",)

    @admin.display(description="state")
    def state(self, token: Token) -> str:
        """What became of it."""
        return state_of(token, timezone.now())

    @admin.action(description="Revoke", permissions=["revoke"])
    def revoke(self, request: HttpRequest, chosen: QuerySet[Token]) -> HttpResponse | None:
        """Ask first, then revoke them all."""
        if request.POST.get("post") != "yes":
            context = {
                **self.admin_site.each_context(request),
                "title": "Revoke tokens",
                "opts": self.opts,
                "chosen": chosen,
                "checkbox": ACTION_CHECKBOX_NAME,
            }
            return TemplateResponse(request, "admin/members/token/revoke.html", context)
        with transaction.atomic():
            live = list(chosen.filter(revoked_at=None).order_by("created_at", "pk"))
            for token in live:
                tokens.revoke(administrator(request), token, WHY)
        messages.success(request, f"{len(live)} token{'' if len(live) == 1 else 's'} revoked.")
        return None

    def has_revoke_permission(self, request: HttpRequest) -> bool:
        """Whoever could change tokens, if they could be changed."""
        return request.user.has_perm("members.change_token")
