"""Admin → Git repositories: their remotes, their default branches, Sync now, and their webhooks."""

from __future__ import annotations

import copy
from functools import partial
from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.shortcuts import get_object_or_404, redirect, render
from django.template.defaultfilters import filesizeformat
from django.urls import path, reverse
from django.views.decorators.cache import never_cache

from repositories import mirrors, scheduling, signals, webhooks
from repositories.forms import RepositoryForm, mirrored_branches
from repositories.models import Repository

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.forms import ModelForm
    from django.http import HttpRequest, HttpResponse  # noqa: TID251 (types alone)
    from django.urls import URLPattern

    ModelAdmin = admin.ModelAdmin[Repository]
else:
    ModelAdmin = admin.ModelAdmin

BRANCHES_SHOWN = 50
SECRET = frozenset({"user", "token", "forget"})  # what the form takes in and never gives out
REACHED = frozenset({"remote", "user", "token"})  # with another of these, a sync may end otherwise


@admin.register(Repository)
class RepositoryAdmin(ModelAdmin):
    """Who may enter here decides which code is read and which branch is the truth."""

    form = RepositoryForm
    actions = ("sync_now",)
    list_display = ("name", "remote", "default_branch", "outcome", "synced_at", "mirror_size")
    search_fields = ("name", "slug", "remote")
    readonly_fields = (
        "sync_state",
        "outcome",
        "error",
        "attempted_at",
        "synced_at",
        "mirror_size",
        "remote_branch",
        "branches",
    )
    fieldsets = (
        (None, {"fields": ("name", "slug", "remote", "web_address", "default_branch")}),
        ("Credentials", {"fields": ("user", "token", "forget")}),
        ("Use", {"fields": ("write_back", "linkable")}),
        ("Last sync", {"fields": readonly_fields}),
    )
    prepopulated_fields = {"slug": ("name",)}  # noqa: RUF012 (Django's attribute)

    @admin.display(description="sync")
    def sync_state(self, repository: Repository) -> str:
        return scheduling.state_of(repository) or "–"

    @admin.display(description="size", ordering="size")
    def mirror_size(self, repository: Repository) -> str:
        return filesizeformat(repository.size)

    @admin.display(description="the remote's default branch")
    def remote_branch(self, repository: Repository) -> str:
        theirs, ours = repository.remote_default_branch, repository.default_branch
        return f"{theirs} (Kintsugi follows {ours})" if theirs and theirs != ours else theirs or "–"

    @admin.display(description="mirrored branches")
    def branches(self, repository: Repository) -> str:
        names = mirrored_branches(repository) if repository.pk else []
        more = f" and {len(names) - BRANCHES_SHOWN} more" if len(names) > BRANCHES_SHOWN else ""
        return ", ".join(names[:BRANCHES_SHOWN]) + more or "–"

    @admin.action(description="Sync now", permissions=["change"])
    def sync_now(self, request: HttpRequest, chosen: QuerySet[Repository]) -> None:
        for repository in chosen:
            _sync(request, repository)

    def sync_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """The button of one repository's page."""
        _sync(request, self._posted(request, pk))
        return redirect("admin:repositories_repository_change", pk)

    def hook_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Make or renew the secret of the webhook; this answer alone shows it."""
        repository = self._posted(request, pk)
        with transaction.atomic():
            _administered(request, repository, "change", fields=["webhook"])
            secret = webhooks.renew_secret(repository)
        place = request.build_absolute_uri(reverse("hook", args=[repository.slug]))
        context = {**self.admin_site.each_context(request), "title": "Webhook", "opts": self.opts}
        told = {"repository": repository, "place": place, "secret": secret}
        return render(request, "admin/repositories/repository/webhook.html", context | told)

    def unhook_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Remove the webhook."""
        repository = self._posted(request, pk)
        with transaction.atomic():
            _administered(request, repository, "change", fields=["webhook"])
            webhooks.remove_secret(repository)
        messages.success(request, f"{repository}: the webhook is removed.")
        return redirect("admin:repositories_repository_change", pk)

    def get_urls(self) -> list[URLPattern]:
        buttons = {"sync": self.sync_view, "hook": never_cache(self.hook_view), "unhook": self.unhook_view}
        ours = [
            path(
                f"<int:pk>/{name}/", self.admin_site.admin_view(view), name=f"repositories_repository_{name}"
            )
            for name, view in buttons.items()
        ]
        return [*ours, *super().get_urls()]

    def save_model(
        self, request: HttpRequest, obj: Repository, form: ModelForm[Repository], change: Any
    ) -> None:
        old = form.initial.get("default_branch", "")
        # These columns alone: a sync may have noted the others since they were read.
        obj.save(update_fields=[*RepositoryForm.Meta.fields, "credentials"] if change else None)
        if not change or REACHED & set(form.changed_data):
            scheduling.sync_later(obj)
        if form.changed_data or not change:
            _administered(request, obj, "change" if change else "add", fields=_changed(form), old=old)
        branch = obj.default_branch
        if branch and branch not in mirrored_branches(obj):
            messages.warning(request, f"The branch {branch} is not mirrored yet; it is followed once it is.")
        if branch != old:
            # After the save: what listeners do may fail without undoing it.
            transaction.on_commit(partial(_tell, obj, old, request.user))

    def delete_model(self, request: HttpRequest, obj: Repository) -> None:
        gone = copy.copy(obj)
        _administered(request, obj, "remove")
        super().delete_model(request, obj)
        transaction.on_commit(partial(mirrors.remove, gone), robust=True)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Repository]) -> None:
        gone = list(queryset)
        with transaction.atomic():
            for repository in gone:
                _administered(request, repository, "remove")
            super().delete_queryset(request, queryset)
            for repository in gone:
                transaction.on_commit(partial(mirrors.remove, repository), robust=True)

    def _posted(self, request: HttpRequest, pk: int) -> Repository:
        """The repository whose button was pressed."""
        repository = get_object_or_404(Repository, pk=pk)
        if request.method != "POST" or not self.has_change_permission(request, repository):
            raise PermissionDenied
        return repository


def _sync(request: HttpRequest, repository: Repository) -> None:
    queued = scheduling.sync_later(repository)
    messages.success(request, f"{repository}: a sync {'is queued' if queued else 'waits already'}.")


def _tell(repository: Repository, old: str, actor: Any) -> None:
    signals.default_branch_changed.send_robust(
        Repository, repository=repository, old=old, new=repository.default_branch, actor=actor
    )


def _changed(form: ModelForm[Repository]) -> list[str]:
    """The changed columns by name; of the credentials only that they were touched."""
    touched = set(form.changed_data)
    return sorted(touched - SECRET) + ["credentials"] * bool(touched & SECRET)


def _administered(
    request: HttpRequest,
    repository: Repository,
    change: str,
    *,
    fields: list[str] | None = None,
    old: str = "",
) -> None:
    told = {"request": request, "change": change, "fields": fields or [], "old": old}
    signals.administered.send(Repository, repository=repository, **told)
