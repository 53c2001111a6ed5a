"""The activity log, to look at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin

from members.access import is_auditor
from members.admin.parts import LookedAt
from members.exports import actions_known
from members.models import Activity

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.http import HttpRequest  # noqa: TID251 -- a type alone

    _Filter = admin.SimpleListFilter
else:
    _Filter = admin.SimpleListFilter

LONGEST = 80  # characters of a target in the list


class ByAction(_Filter):
    """What was done; the names come from the index, because the log may be long."""

    title = parameter_name = "action"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:  # noqa: ARG002
        """Every action there is."""
        return [(action, action) for action in actions_known()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Activity]) -> QuerySet[Activity]:  # noqa: ARG002
        """Those of the chosen one."""
        return queryset.filter(action=self.value()) if self.value() else queryset


class ByOutcome(_Filter):
    """How it ended."""

    title = parameter_name = "outcome"
    BOUNDS = {"done": (0, 400), "refused": (400, 500), "failed": (500, 1_000)}  # noqa: RUF012 -- Django's class

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:  # noqa: ARG002
        """The three ends."""
        return [(name, name) for name in self.BOUNDS]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Activity]) -> QuerySet[Activity]:  # noqa: ARG002
        """Those of the chosen one."""
        least, most = self.BOUNDS.get(self.value() or "", (0, 0))
        return queryset.filter(status__gte=least, status__lt=most) if most else queryset


class ActivityAdmin(LookedAt):
    """Auditors and superusers see it; nobody changes it, and the database would not let them."""

    list_display = ("when", "who", "action", "project", "what", "door", "status", "ip")
    list_filter = (ByAction, "door", ByOutcome, "at")
    list_per_page = 50
    search_fields = ("actor_name", "target")
    show_full_result_count = False

    @admin.display(description="when (UTC)", ordering="pk")
    def when(self, row: Activity) -> str:
        """To the second, because much happens in a minute."""
        return f"{row.at:%Y-%m-%d %H:%M:%S}"

    @admin.display(description="who", ordering="actor_name")
    def who(self, row: Activity) -> str:
        """The member, and with which token."""
        name = row.actor_name or row.actor_type
        return f"{name}, by {row.token_name}" if row.token_id else name

    @admin.display(description="on")
    def what(self, row: Activity) -> str:
        """What it was about, cut."""
        return row.target[:LONGEST]

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002
        """Whoever may read the activity of every project."""
        return is_auditor(request.user)

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Auditors too, who have no other permission here."""
        return is_auditor(request.user) or super().has_module_permission(request)
