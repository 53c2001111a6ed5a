"""Projects, their document repository, and who belongs to them as what."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from django.contrib import admin
from django.db import transaction

from members import tokens
from members.activity import record
from members.admin.parts import administrator, changes_of
from members.models import Member, Membership, Project, Token
from members.projects import hold_to_remove

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.db.models import QuerySet
    from django.forms import ModelForm
    from django.http import HttpRequest  # noqa: TID251 -- a type alone

    from members.callers import Caller

    _Inline = admin.TabularInline[Membership, Project]
    _Admin = admin.ModelAdmin[Project]
else:
    _Inline, _Admin = admin.TabularInline, admin.ModelAdmin

BRAINS = "The Brain of each with its tree, and all members' tokens for it alone"

type Roles = dict[int, str]  # by the member's key


class MembershipInline(_Inline):
    """Who belongs to a project, and as what."""

    model = Membership
    autocomplete_fields = ("member",)
    extra = 0


class ProjectAdmin(_Admin):
    """A change of the project and of its members is noted in its own chain of the activity log."""

    list_display = ("name", "slug", "repository", "created_at")
    list_select_related = ("repository",)
    search_fields = ("name", "slug")
    list_filter = ("repository",)
    autocomplete_fields = ("repository",)
    prepopulated_fields: ClassVar = {"slug": ("name",)}
    inlines: ClassVar = [MembershipInline]

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:  # noqa: ARG002
        """All that belongs to it goes with it; counted, not listed, as a tree has many thousand rows."""
        projects = list(objs)
        belongings = {
            model._meta.verbose_name_plural: model.objects.filter(project__in=projects).count()  # noqa: SLF001
            for model in (Membership, Token)
        }
        counts = {Project._meta.verbose_name_plural: len(projects)} | belongings  # noqa: SLF001
        return [*map(str, projects), BRAINS], counts, set(), []

    def save_related(
        self, request: HttpRequest, form: ModelForm[Project], formsets: Iterable[Any], change: Any
    ) -> None:
        # Locked, so that of two who change its members at once each notes their own changes alone.
        project = Project.objects.select_for_update(no_key=True).get(pk=form.instance.pk)
        before = _roles(project)
        super().save_related(request, form, formsets, change)
        caller = administrator(request)
        if not change:
            record(caller, "project.add", project=project, target=project.slug)
        elif form.changed_data:
            details = changes_of(form, ("slug", "name"))
            record(caller, "project.change", project=project, target=project.slug, details=details)
        _note_roles(caller, project, before, _roles(project))

    def delete_model(self, request: HttpRequest, obj: Project) -> None:
        self._remove(request, [obj])

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Project]) -> None:
        self._remove(request, queryset)

    def _remove(self, request: HttpRequest, projects: Iterable[Project]) -> None:
        caller = administrator(request)
        with transaction.atomic():
            for project in hold_to_remove(projects):
                _note_roles(caller, project, _roles(project), {})
                record(caller, "project.remove", project=project, target=project.slug)
                project.delete()


def _roles(project: Project) -> Roles:
    return dict(project.memberships.values_list("member_id", "role"))


def _note_roles(caller: Caller, project: Project, before: Roles, after: Roles) -> None:
    """Each membership that came, changed or went; whoever went loses their tokens of the project."""
    changed = {key for key in before.keys() | after.keys() if before.get(key) != after.get(key)}
    for key, member in sorted(Member.objects.in_bulk(changed).items()):
        old, new = before.get(key), after.get(key)
        if new is None:
            tokens.revoke_of_project(caller, member, project)
        verb = "change" if old and new else "add" if new else "remove"
        role = {"from": old, "to": new} if old and new else new or old
        record(
            caller,
            f"membership.{verb}",
            project=project,
            target=member.get_username(),
            details={"role": role},
        )
