"""Every address of the portal."""

from __future__ import annotations

from django.contrib import admin
from django.urls import include, path

from config import openapi, pages, problems

urlpatterns = [
    path("admin/", admin.site.urls),
    path("api/openapi.json", openapi.described, name="openapi"),
    path("problems/<slug:code>", problems.problem_page, name="problem"),
    path("theme", pages.set_theme, name="theme"),
    path("", include("members.urls")),
    path("", include("brain.urls")),
]

handler400 = pages.refused
handler403 = pages.forbidden
handler404 = pages.not_found
handler500 = pages.broken
