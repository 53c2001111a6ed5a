"""What every page has: a request id, careful caching, the theme, and one way to say what went wrong."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST
from django_htmx.http import HttpResponseClientRedirect, retarget

from config.denials import note_denial
from config.errors import FORGED, UNKNOWN, Answer, answer_for, detail_of
from config.problems import RETRY_AFTER, problem_json, wants_json
from members.access import project_open_to
from members.errors import AccessDenied
from members.models import Project

THEMES = ("system", "light", "dark")
THEME_COOKIE = "theme"
THEME_AGE = 400 * 24 * 3600  # seconds; browsers keep no cookie longer
REQUEST_ID = "REQUEST_ID"  # in request.META; every template can show it

log = logging.getLogger(__name__)


class ProblemPages:
    """Names each request, answers what a view refused, and tells caches to keep nothing to themselves."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request.META[REQUEST_ID] = str(uuid.uuid4())
        response = self.get_response(request)
        if _asks_fragment(request) and response.status_code in (301, 302):
            response = HttpResponseClientRedirect(response["Location"])
        response["X-Request-Id"] = request.META[REQUEST_ID]
        if not response.has_header("Cache-Control"):
            patch_cache_control(response, private=True, no_cache=True)
        patch_vary_headers(response, ["Authorization", "Cookie", "Accept", "HX-Request"])
        return response

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """The page of a refusal; None leaves an unknown error to Django, which logs it."""
        answer = answer_for(error)
        if answer is None:
            return None
        note_denial(request, error)
        return problem(request, answer, detail_of(error, answer), error)


def problem(
    request: HttpRequest, answer: Answer, detail: str, error: BaseException | None = None
) -> HttpResponse:
    """What went wrong, as a page, as a note for htmx, or as problem details for a program."""
    if answer.status >= 500:
        log.error("%s %s: %s", request.META.get(REQUEST_ID), answer.code, request.path)
    if wants_json(request):
        return problem_json(request, answer, detail, error)
    if _asks_fragment(request) and answer.status == 409:
        return HttpResponseClientRedirect(request.get_full_path())
    context = {"answer": answer, "detail": detail, "request": request}
    if _asks_fragment(request):
        note = render(request, "errors/problem.html#note", context, status=answer.status)
        return retarget(note, "#problem")
    response = _bare(context) if answer.status >= 500 else _within(request, context)
    if answer.status == 503:
        response["Retry-After"] = RETRY_AFTER
    return response


def theme(request: HttpRequest) -> dict[str, Any]:
    """The theme that the member chose, for every template."""
    chosen = request.COOKIES.get(THEME_COOKIE)
    return {"theme": chosen if chosen in THEMES else THEMES[0], "themes": THEMES}


@require_POST
def set_theme(request: HttpRequest) -> HttpResponse:
    """Keep the theme in a cookie and go back to the page it was chosen on."""
    back = request.POST.get("next", "")
    safe = url_has_allowed_host_and_scheme(back, allowed_hosts=None) and back.startswith("/")
    response = redirect(back if safe else "/")
    chosen = request.POST.get("theme")
    if chosen in THEMES:
        secure = settings.SESSION_COOKIE_SECURE
        response.set_cookie(
            THEME_COOKIE, chosen, max_age=THEME_AGE, secure=secure, httponly=True, samesite="Lax"
        )
    return response


def refused(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400, from Django itself."""
    answer = answer_for(exception) or UNKNOWN
    return problem(request, answer, detail_of(exception, answer), exception)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """403, from Django itself."""
    return refused(request, exception)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """404, from Django itself."""
    return refused(request, exception)


def broken(request: HttpRequest) -> HttpResponse:
    """500: an error that nobody foresaw."""
    return problem(request, UNKNOWN, detail_of(None, UNKNOWN))


def forged(request: HttpRequest, reason: str = "") -> HttpResponse:
    """403 for a form without the token that its page gave it."""
    log.info("%s: %s", request.path, reason)
    return problem(request, FORGED, "Open the page again and send it once more; nothing was changed.")


def _asks_fragment(request: HttpRequest) -> bool:
    return bool(getattr(request, "htmx", False))  # an early refusal comes before htmx was looked for


def _within(request: HttpRequest, context: dict[str, Any]) -> HttpResponse:
    """The page inside its project, when the member may see it."""
    opened = _project_of(request)
    answer: Answer = context["answer"]
    return render(request, "errors/problem.html", {**context, "project": opened}, status=answer.status)


def _bare(context: dict[str, Any]) -> HttpResponse:
    """The page without anything that asks the database, which may be what is away."""
    answer: Answer = context["answer"]
    return HttpResponse(render_to_string("errors/problem.html", context), status=answer.status)


def _project_of(request: HttpRequest) -> Project | None:
    match = request.resolver_match
    if not match or "slug" not in match.kwargs or not request.user.is_authenticated:
        return None
    try:
        return project_open_to(request.user, match.kwargs["slug"])
    except AccessDenied:
        return None
