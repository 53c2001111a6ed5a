"""Every address of the portal."""

from __future__ import annotations

from django.apps import apps
from django.contrib import admin
from django.urls import include, path

from config import hooks, openapi, pages, problems
from config.mcp import endpoint as mcp

# Its pages would let an administrator call any function of Python, and no log would tell.
admin.site.unregister(
    [one for one in apps.get_app_config("django_q").get_models() if admin.site.is_registered(one)]
)

urlpatterns = [
    path("admin/", admin.site.urls),
    path("api/openapi.json", openapi.described, name="openapi"),
    path("problems/<slug:code>", problems.problem_page, name="problem"),
    path("hooks/<slug:slug>", hooks.Webhook.as_view(), name="hook"),
    path("mcp", mcp.endpoint, name="mcp"),
    path(".well-known/oauth-protected-resource/mcp", mcp.resource_metadata, name="mcp-resource"),
    path("theme", pages.set_theme, name="theme"),
    path("", include("members.urls")),
    path("", include("brain.urls")),
    path("", include("wiki.urls")),
]

handler400 = pages.refused
handler403 = pages.forbidden
handler404 = pages.not_found
handler500 = pages.broken
