"""Brains in the Django admin: which branch, which globs, how the last builds went."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from django.contrib import admin
from django.db.models import F
from django.http import HttpRequest  # noqa: TID251 -- a type alone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from brain import builds
from brain.models import Build, Source
from members.activity import record
from members.callers import Door, caller_of
from repositories.cleaning import clean_text

if TYPE_CHECKING:
    from django.forms import ModelForm

    _Inline = admin.TabularInline[Build, Source]
    _Admin = admin.ModelAdmin[Source]
else:
    _Inline, _Admin = admin.TabularInline, admin.ModelAdmin

LONGEST = 500  # characters of a list of globs that the activity log keeps


class BuildInline(_Inline):
    """The newest builds of a Brain, to read only."""

    model = Build
    fields = readonly_fields = ("number", "commit", "kind", "asked_by", "started_at", "outcome", "error")
    ordering = ("-number",)
    max_num = 0
    extra = 0
    can_delete = False


@admin.register(Source)
class SourceAdmin(_Admin):
    """The state of each project's Brain; globs can be narrowed, the rest is the portal's or a build's."""

    list_display = (
        *("project", "branch", "enabled", "wiki"),
        *("state", "short_commit", "built_at", "documents", "error"),
    )
    list_filter = ("state", "enabled", "wiki")
    search_fields = ("project__name", "project__slug", "branch")
    list_select_related = ("project",)
    fields = (
        *("project", "portal", "branch", "enabled", "wiki", "include", "exclude"),
        *("state", "error", "commit", "built_at", "builder", "tree_hash", "counts"),
        *("checked_at", "differed_at"),
    )
    readonly_fields = (
        *("project", "portal", "branch", "enabled", "wiki"),
        *("state", "error", "commit", "built_at", "builder", "tree_hash", "counts"),
        *("checked_at", "differed_at"),
    )
    inlines: ClassVar = [BuildInline]

    @admin.display(description="commit", ordering="commit")
    def short_commit(self, source: Source) -> str:
        """The indexed commit, abbreviated."""
        return source.commit[:12] or "-"

    @admin.display(description="documents")
    def documents(self, source: Source) -> int:
        """How many documents the tree holds."""
        return int(source.counts.get("documents", 0))

    @admin.display(description="in the portal")
    def portal(self, source: Source) -> SafeString:
        """The way to what members see."""
        return format_html('<a href="/projects/{}/">Open</a>', source.project.slug)

    def save_model(self, request: HttpRequest, obj: Source, form: ModelForm[Source], change: Any) -> None:  # noqa: ARG002
        """Save these columns alone, beside a build that saves others; note what changed, and build anew."""
        if not form.changed_data:
            return
        obj.generation = F("generation") + 1  # a build that runs goes by the old globs: it is overtaken
        obj.save(update_fields=["generation", *form.changed_data])
        details = {
            name: {"from": _noted(form.initial.get(name)), "to": _noted(form.cleaned_data[name])}
            for name in form.changed_data
        }
        caller = caller_of(request, Door.ADMIN)
        record(caller, "brain.configure", project=obj.project, target=obj.branch, details=details)
        builds.request(obj, asked_by=request.user.get_username())

    def has_add_permission(self, request: HttpRequest) -> bool:  # noqa: ARG002
        """A Brain comes with its project."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Source | None = None) -> bool:  # noqa: ARG002
        """A Brain goes with its project."""
        return False


def _noted(value: Any) -> Any:
    return clean_text(value)[:LONGEST] if isinstance(value, str) else value
