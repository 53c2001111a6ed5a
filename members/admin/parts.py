"""What the pages of the admin share: pages to look at only, and what a form has changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin

from members.callers import Caller, Door, caller_of
from members.models import Token

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.forms import ModelForm
    from django.http import HttpRequest  # noqa: TID251 -- a type alone

    _Admin = admin.ModelAdmin[Any]
else:
    _Admin = admin.ModelAdmin


class LookedAt(_Admin):
    """Rows that nobody adds, changes or removes here."""

    def has_add_permission(self, request: HttpRequest) -> bool:  # noqa: ARG002
        """Nobody."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002
        """Nobody."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002
        """Nobody."""
        return False


def administrator(request: HttpRequest) -> Caller:
    """Who changes something here."""
    return caller_of(request, Door.ADMIN)


def without_tokens(found: tuple[Any, Any, set[Any], Any]) -> tuple[Any, Any, set[Any], Any]:
    """What would be deleted, and what forbids it: tokens go with whom they belong to, though not alone."""
    objects, counts, forbidden, protected = found
    return objects, counts, forbidden - {Token._meta.verbose_name}, protected  # noqa: SLF001


def changes_of(form: ModelForm[Any], told: Iterable[str]) -> dict[str, Any]:
    """What was changed: of the fields that may be `told` the old value and the new, of others the name."""
    told = frozenset(told)
    details: dict[str, Any] = {
        name: {"from": _plain(form.initial.get(name)), "to": _plain(form.cleaned_data.get(name))}
        for name in form.changed_data
        if name in told
    }
    others = sorted(set(form.changed_data) - told)
    return details | ({"fields": others} if others else {})


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, bool | str):
        return value
    return sorted(map(str, value))
