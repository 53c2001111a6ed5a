"""The portal's pages of a project: who, what, read, render."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from brain.catalogue import READS, hold, keep
from brain.forms import Door, ReadQuery, TreeQuery
from brain.forms.vocabulary import VIEW
from brain.pages.addresses import Addresses, is_folder
from brain.pages.rooms import broken_room, level_room, project_rows, read_room, tree_room
from brain.reads.status import read_status
from brain.store import database_store
from members.access import may, project_open_to, projects_open_to
from members.callers import caller_of
from members.models import Project
from members.permissions import MANAGE_BRAIN


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
    """Where the Brain stands, in every state; asked again by itself while a build runs."""
    opened = project_open_to(request.user, slug)
    with database_store(opened) as store:
        status = read_status(store)
    template = "brain/state.html#now" if _asks_fragment(request) else "brain/state.html"
    may_manage = may(request.user, opened, MANAGE_BRAIN)  # a mirror's size tells of what is never indexed
    room = {"status": status, "envelope": status.envelope, "may_manage": may_manage}
    return _show(request, template, opened, room)


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
