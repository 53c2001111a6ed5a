"""The portal as it is served, and one view that does nothing: what a request costs at least."""

from __future__ import annotations

import os

from django.http import HttpRequest, HttpResponse
from django.urls import path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")


def empty(_: HttpRequest) -> HttpResponse:
    """Nothing, behind every middleware."""
    return HttpResponse(b"{}", content_type="application/json")


def _application() -> object:
    from django.conf import settings
    from django.core.wsgi import get_wsgi_application

    settings.ROOT_URLCONF = "benchmarks.served"
    return get_wsgi_application()


def __getattr__(name: str) -> object:
    # Both are made when they are asked for: the addresses need an application that is set up.
    if name == "application":
        return _application()
    if name == "urlpatterns":
        from config.urls import urlpatterns

        return [path("empty", empty), *urlpatterns]
    raise AttributeError(name)
