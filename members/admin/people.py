"""The people who sign in, and what they may do beside their projects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.db import transaction
from django.forms import CheckboxSelectMultiple

from members import tokens
from members.activity import record
from members.admin.parts import administrator, changes_of, without_tokens
from members.models import Member

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.db.models import QuerySet
    from django.forms import ModelForm
    from django.http import HttpRequest, HttpResponse  # noqa: TID251 -- types alone

    from members.callers import Caller

    _People = UserAdmin[Member]
else:
    _People = UserAdmin

TOLD = ("username", "is_active", "is_staff", "is_superuser", "groups", "user_permissions")
POWERS = ("is_staff", "is_superuser", "groups", "user_permissions")  # a superuser's to give
REMOVED = "its member was removed"


class MemberAdmin(_People):
    """Only a superuser gives powers, or touches somebody who has them all."""

    filter_horizontal = ()
    list_display = ("username", "email", "first_name", "last_name", "is_active", "is_superuser", "last_login")
    readonly_fields = ("last_login", "date_joined")

    def get_readonly_fields(self, request: HttpRequest, obj: Member | None = None) -> Any:
        """Powers too, for whoever has not all of them: else they would take them."""
        fields = super().get_readonly_fields(request, obj)
        return fields if request.user.is_superuser else (*fields, *POWERS)

    def formfield_for_manytomany(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Groups are few, and to be taken out of the last one is a click too."""
        if db_field.name == "groups":
            kwargs["widget"] = CheckboxSelectMultiple
        return super().formfield_for_manytomany(db_field, request, **kwargs)

    def has_change_permission(self, request: HttpRequest, obj: Member | None = None) -> bool:
        """With a superuser's password one is a superuser."""
        return super().has_change_permission(request, obj) and _is_within_reach(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Member | None = None) -> bool:
        """Not of a superuser, for whoever is none."""
        return super().has_delete_permission(request, obj) and _is_within_reach(request, obj)

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """Their tokens go with them."""
        return without_tokens(super().get_deleted_objects(objs, request))

    def save_related(
        self, request: HttpRequest, form: ModelForm[Member], formsets: Iterable[Any], change: Any
    ) -> None:
        super().save_related(request, form, formsets, change)
        caller, name = administrator(request), form.instance.get_username()
        if not change:
            record(caller, "member.add", target=name)
        elif form.changed_data:
            record(caller, "member.change", target=name, details=changes_of(form, TOLD))

    def delete_model(self, request: HttpRequest, obj: Member) -> None:
        self._remove(request, [obj])

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Member]) -> None:
        self._remove(request, queryset)

    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> HttpResponse:  # noqa: A002
        """Django's page; a password that it set is noted."""
        with transaction.atomic():
            before = _password_of(id)
            response = super().user_change_password(request, id, form_url)
            _note_password(request, id, before)
        return response

    def _remove(self, request: HttpRequest, members: Iterable[Member]) -> None:
        with transaction.atomic():
            for member in members:
                _note_removal(administrator(request), member)
                member.delete()


def change_own_password(request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
    """The admin's page for one's own password; a new one is noted."""
    with transaction.atomic():
        before = _password_of(request.user.pk)
        response = admin.AdminSite.password_change(admin.site, request, extra_context)
        _note_password(request, request.user.pk, before)
    return response


def _is_within_reach(request: HttpRequest, member: Member | None) -> bool:
    return bool(request.user.is_superuser or member is None or not member.is_superuser)


def _password_of(key: Any) -> tuple[str, str] | None:
    """Name and hash, to see whether it is another one later; it goes nowhere."""
    return Member.objects.filter(pk=key).values_list("username", "password").first()


def _note_password(request: HttpRequest, key: Any, before: tuple[str, str] | None) -> None:
    after = _password_of(key)
    if after and after != before:
        record(administrator(request), "member.password", target=after[0])


def _note_removal(caller: Caller, member: Member) -> None:
    for token in tokens.live_of(member).order_by("created_at"):
        tokens.revoke(caller, token, REMOVED)
    for membership in member.memberships.select_related("project").order_by("project_id"):
        details = {"role": membership.role}
        record(
            caller,
            "membership.remove",
            project=membership.project,
            target=member.get_username(),
            details=details,
        )
    record(caller, "member.remove", target=member.get_username())
