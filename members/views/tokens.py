"""The page of a member's own tokens; it is for people at a browser, never for a token."""

from __future__ import annotations

import functools
import uuid
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from members.access import projects_open_to
from members.callers import caller_of
from members.clients import PLACEHOLDER, configured
from members.errors import InvalidToken, PermissionDenied
from members.forms.tokens import NewToken, PasswordAgain
from members.models import Member, Token
from members.tokens import State, issue, projects_for_tokens, revoke, rotate, tokens_shown
from members.views.freshness import is_stale, remember_proof

if TYPE_CHECKING:

    class MemberRequest(HttpRequest):
        """A request of somebody who is signed in."""

        user: Member

else:
    MemberRequest = HttpRequest

BY_HAND = "by its owner"

type View = Callable[..., HttpResponse]


def for_people(view: View) -> View:
    """A view for whoever is signed in, and for no bearer of a token; nobody keeps its answers."""
    signed_in = login_required(view)

    @never_cache
    @functools.wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.headers.get("Authorization", "").lower().startswith("bearer"):
            raise PermissionDenied("Tokens are made and revoked by people at a browser, not with a token.")
        return signed_in(request, *args, **kwargs)

    return guarded


@require_http_methods(["GET", "HEAD", "POST"])
@for_people
def tokens(request: MemberRequest) -> HttpResponse:
    """The member's tokens, and a form that makes one, whose text stands in the answer this once."""
    if request.method != "POST":
        return _page(request)
    form = _form(request, request.POST)
    if _is_sent_well(form):
        try:
            token, raw = issue(caller_of(request), request.user, **form.wish)
        except InvalidToken as error:
            form.add_error(error.field, str(error))
        else:
            return _page(request, made=token, raw=raw)
    return _page(request, form, status=400)


@require_POST
@for_people
def rotated(request: MemberRequest, key: uuid.UUID) -> HttpResponse:
    """A new token in the place of one, shown as a new one is."""
    token = _own(request, key)
    form = PasswordAgain(request.POST, request=request, is_stale=is_stale(request))
    if not _is_sent_well(form):
        return _page(request, status=400, refused=f"{form.errors['password'][0]} Nothing was changed.")
    try:
        made, raw = rotate(caller_of(request), token)
    except InvalidToken as error:
        return _page(request, status=400, refused=str(error))
    return _page(request, made=made, raw=raw, replaces=token)


@require_POST
@for_people
def revoked(request: MemberRequest, key: uuid.UUID) -> HttpResponse:
    """The end of a token."""
    revoke(caller_of(request), _own(request, key), BY_HAND)
    return redirect("tokens")


def _page(
    request: MemberRequest, form: NewToken | None = None, *, status: int = 200, **told: Any
) -> HttpResponse:
    projects = projects_for_tokens(request.user)
    rows = tokens_shown(request.user, projects, timezone.now())
    room = {
        "form": form or _form(request),
        "is_stale": is_stale(request),
        "rows": rows,
        "soon": [row for row in rows if row.state is State.LIVE and row.days_left],
        "projects": projects,
        "readable": None if projects else projects_open_to(request.user),
        "origin": request.build_absolute_uri("/").rstrip("/"),
        "clients": configured(request.build_absolute_uri(reverse("mcp")), told.get("raw", PLACEHOLDER)),
        "placeholder": PLACEHOLDER,
    }
    return render(request, "members/tokens.html", room | told, status=status)


def _form(request: MemberRequest, data: Any = None) -> NewToken:
    projects = projects_for_tokens(request.user)
    return NewToken(data, request=request, is_stale=is_stale(request), projects=projects)


def _is_sent_well(form: PasswordAgain) -> bool:
    """Whether all is as it should be; a password that was asked for again and is right is a fresh proof."""
    if not form.is_valid():
        return False
    if "password" in form.fields:
        remember_proof(request=form.request)
    return True


def _own(request: MemberRequest, key: uuid.UUID) -> Token:
    token = Token.objects.filter(member=request.user, pk=key).select_related("member", "project").first()
    if token is None:
        raise Http404
    return token
