"""People and projects in the Django admin."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import Group

from members.models import Member, Membership, Project

if TYPE_CHECKING:
    _Inline = admin.TabularInline[Membership, Project]
    _People = UserAdmin[Member]
    _Admin = admin.ModelAdmin[Project]
else:
    _Inline, _People, _Admin = admin.TabularInline, UserAdmin, admin.ModelAdmin

admin.site.unregister(Group)
admin.site.site_header = admin.site.site_title = "Kintsugi Brain"
admin.site.index_title = "Administration"


class MembershipInline(_Inline):
    """Who belongs to a project, and as what."""

    model = Membership
    autocomplete_fields = ("member",)
    extra = 0


@admin.register(Member)
class MemberAdmin(_People):
    """The people who sign in."""

    filter_horizontal = ()
    list_display = ("username", "email", "first_name", "last_name", "is_active", "is_superuser", "last_login")


@admin.register(Project)
class ProjectAdmin(_Admin):
    """Projects, their document repository and their members."""

    list_display = ("name", "slug", "repository", "created_at")
    search_fields = ("name", "slug")
    list_filter = ("repository",)
    autocomplete_fields = ("repository",)
    prepopulated_fields: ClassVar = {"slug": ("name",)}
    inlines: ClassVar = [MembershipInline]
