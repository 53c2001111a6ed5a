"""The portal's pages of a project: who, what, read, render; and the form that manages its Brain."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from brain.catalogue import READS, hold, keep
from brain.errors import InvalidArgument, Refusal
from brain.following import configure, rebuild
from brain.forms import Door, ReadQuery, TreeQuery
from brain.forms.vocabulary import VIEW
from brain.pages.addresses import Addresses, is_folder
from brain.pages.rooms import broken_room, level_room, project_rows, read_room, state_room, tree_room
from brain.store import database_store
from members.access import may, project_for, project_open_to, projects_open_to
from members.callers import caller_of
from members.models import Project
from members.permissions import MANAGE_BRAIN, MANAGE_WIKI
from repositories.errors import RepositoryError

WISHES = {  # what the form can ask for: what is told when it is done
    "build": "A build of {branch} is queued.",
    "rebuild": "A whole build of {branch} is queued.",
    "on": "The Brain is on. A build of {branch} is queued.",
    "off": "The Brain is off. Its tree is kept.",
}


@require_safe
@login_required
def projects(request: HttpRequest) -> HttpResponse:
    """The projects of the member, each with the state of its Brain."""
    rows = project_rows(projects_open_to(request.user))
    return render(request, "brain/projects.html", {"rows": rows})


@require_safe
@login_required
def project(request: HttpRequest, slug: str) -> HttpResponse:
    """A project opens on its tree."""
    return redirect("tree", project_open_to(request.user, slug).slug)


@require_safe
@login_required
def state(request: HttpRequest, slug: str) -> HttpResponse:
    """Where the Brain stands, in every state; asked again by itself while a build runs.

    Such a request says with `step` which step its page has told, so that only a new one is told aloud.
    """
    opened = project_open_to(request.user, slug)
    may_manage = may(request.user, opened, MANAGE_BRAIN)
    with database_store(opened) as store:
        room = state_room(store, opened, may_manage=may_manage)
    told = {
        "may_manage": may_manage,  # or see what a mirror's size tells
        "may_switch": may(request.user, opened, MANAGE_WIKI),
        "sync_minutes": settings.SYNC_MINUTES,
        "seen": request.GET.get("step", ""),
    }
    template = "brain/state.html#live" if _asks_fragment(request) else "brain/state.html"
    return _show(request, template, opened, room | told)


@require_POST
@login_required
def manage(request: HttpRequest, slug: str) -> HttpResponse:
    """Build, turn on or off, or rebuild; what is refused is told on the page that asked for it."""
    caller = caller_of(request)
    opened = project_for(caller, slug, MANAGE_BRAIN)
    wish = request.POST.get("do", "")
    if wish not in WISHES:
        raise InvalidArgument("do", f"do is one of: {', '.join(WISHES)}.")
    try:
        if wish == "rebuild":
            source = rebuild(opened, caller)
        else:
            branch = request.POST.get("branch", "")
            source = configure(opened, caller, enabled=wish != "off", branch=branch)
    except (Refusal, RepositoryError) as refusal:
        messages.error(request, f"{refusal}")
    else:
        messages.success(request, WISHES[wish].format(branch=source.branch))
    return redirect("state", opened.slug)


@require_safe
@login_required
def tree(request: HttpRequest, slug: str) -> HttpResponse:
    """A level of the tree; for htmx its rows alone, which join the tree at the side."""
    opened = project_open_to(request.user, slug)
    query = TreeQuery.parse(request.GET.dict(), Door.PORTAL, strict=False)
    rows_only = _asks_fragment(request)
    with database_store(opened) as store:
        room = level_room(store, query) if rows_only else tree_room(store, query, Addresses(opened.slug))
    keep(caller_of(request), opened, READS["tree"], query, room)
    if room.get("article"):
        keep(caller_of(request), opened, READS["read"], ReadQuery(node=query.node), room["page"].reading)
    return _show(request, "brain/_tree.html#level" if rows_only else "brain/tree.html", opened, room)


@require_safe
@login_required
def read(request: HttpRequest, slug: str) -> HttpResponse:
    """A document or a part of one, rendered or as written."""
    opened = project_open_to(request.user, slug)
    asked = request.GET.dict()
    query, view = ReadQuery.parse(asked, Door.PORTAL, strict=False), VIEW.read(asked)
    if is_folder(query.node):
        return redirect(Addresses(opened.slug).tree(query.node))
    with database_store(opened) as store:
        hold(store, query)
        room = read_room(store, query, Addresses(opened.slug), view)
    keep(caller_of(request), opened, READS["read"], query, room["reading"])
    return _show(request, f"brain/{view}.html", opened, room)


@require_safe
@login_required
def broken(request: HttpRequest, slug: str) -> HttpResponse:
    """What the indexed commit says that nobody could follow."""
    opened = project_open_to(request.user, slug)
    with database_store(opened) as store:
        room = broken_room(store, Addresses(opened.slug))
    keep(caller_of(request), opened, READS["broken"], None, room)
    return _show(request, "brain/broken.html", opened, room)


def _show(request: HttpRequest, template: str, opened: Project, room: dict[str, Any]) -> HttpResponse:
    return render(request, template, {"project": opened, **room})


def _asks_fragment(request: HttpRequest) -> bool:
    return bool(getattr(request, "htmx", False))
