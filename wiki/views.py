"""The wiki's pages: its spaces, the pages of one or with a label, and the form that turns it on and off."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from brain.catalogue import READS, keep
from brain.errors import InvalidArgument, Refusal
from brain.forms import Door
from brain.store import Store, database_store
from members.access import may, project_for, project_open_to
from members.callers import caller_of
from members.models import Project
from members.permissions import MANAGE_WIKI
from repositories.errors import RepositoryError
from wiki.spaces import PagesQuery, pages_of, spaces_of
from wiki.switch import switch

WISHES = {  # what the form can ask for: what is told when it is done
    "on": "The wiki is on. It follows {branch}.",
    "off": "The wiki is off. The Brain stays as it is, and still follows {branch}.",
}


@require_safe
@login_required
def wiki(request: HttpRequest, slug: str) -> HttpResponse:
    """The spaces of the wiki, by their home pages."""
    opened = project_open_to(request.user, slug)
    with database_store(opened) as store:
        if not store.standing.wiki:
            return _off(request, opened, store)
        room = {"envelope": store.envelope, "spaces": spaces_of(store, opened)}
    keep(caller_of(request), opened, READS["tree"], None, room)
    return render(request, "wiki/spaces.html", {"project": opened, **room})


@require_safe
@login_required
def wiki_pages(request: HttpRequest, slug: str) -> HttpResponse:
    """The pages of a space, or with a label, or both."""
    opened = project_open_to(request.user, slug)
    query = PagesQuery.parse(request.GET.dict(), Door.PORTAL, strict=False)
    with database_store(opened) as store:
        if not store.standing.wiki:
            return _off(request, opened, store)
        room = {"envelope": store.envelope, "pages": pages_of(store, opened, query)}
    keep(caller_of(request), opened, READS["tree"], query, room)
    return render(request, "wiki/pages.html", {"project": opened, **room})


@require_POST
@login_required
def switch_wiki(request: HttpRequest, slug: str) -> HttpResponse:
    """Turn the wiki on or off; what is refused is told on the page that asked for it."""
    caller = caller_of(request)
    opened = project_for(caller, slug, MANAGE_WIKI)
    wish = request.POST.get("do", "")
    if wish not in WISHES:
        raise InvalidArgument("do", f"do is one of: {', '.join(WISHES)}.")
    try:
        source = switch(opened, caller, enabled=wish == "on")
    except (Refusal, RepositoryError) as refusal:
        messages.error(request, f"{refusal}")
    else:
        messages.success(request, WISHES[wish].format(branch=source.branch))
    return redirect("state", opened.slug)


def _off(request: HttpRequest, opened: Project, store: Store) -> HttpResponse:
    told = {
        "project": opened,
        "envelope": store.envelope,
        "may_switch": may(request.user, opened, MANAGE_WIKI),
    }
    return render(request, "wiki/off.html", told, status=404)
