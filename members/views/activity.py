"""The activity log: its pages, the portal's JSON of a project's, and both as files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from itertools import batched
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponseBase, JsonResponse, StreamingHttpResponse
from django.shortcuts import render
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_safe

from members import limits
from members.access import every_project, is_auditor, project_for_audit, projects_open_to
from members.activity import record
from members.callers import Caller, caller_of
from members.errors import InvalidArgument, NotSignedIn, PermissionDenied, Refusal
from members.exports import (
    ActivityFilter,
    actions_known,
    activities,
    activity_json,
    csv_rows,
    every_activity,
    ndjson_lines,
)
from members.forms.activity import MAX_OFFSET, NAMES, ActivityQuery
from members.models import Activity, Member
from members.views.activity_chart import reads_a_day
from members.views.activity_rows import Choice, choices, shown
from repositories.cleaning import clean_line

if TYPE_CHECKING:
    from members.models import Project

ROWS = 50  # on a page
ACTORS = 200  # that the field of names offers
CHUNK = 100  # lines of a file that are sent at once
AUDITORS_ONLY = "Only auditors may read the activity of all projects."
TYPES = {"csv": "text/csv; charset=utf-8; header=present", "ndjson": "application/x-ndjson"}


@require_safe
@login_required
def everyone(request: HttpRequest) -> HttpResponseBase:
    """The activity of all projects and of what belongs to none, for auditors."""
    if not is_auditor(request.user):
        raise PermissionDenied(AUDITORS_ONLY)
    return _page(request, None)


@require_safe
@login_required
def of_project(request: HttpRequest, slug: str) -> HttpResponseBase:
    """The activity of a project, for its maintainers and for auditors."""
    return _page(request, project_for_audit(caller_of(request), slug))


@require_safe
def api(request: HttpRequest, reference: str) -> HttpResponseBase:
    """The same as JSON, or as a file, for whoever is signed in."""
    query = ActivityQuery.parse(request.GET.dict())
    caller = caller_of(request)
    if caller.member is None:
        raise NotSignedIn("Sign in to the portal first; no token opens the activity log.")
    taken = limits.take(caller.key, "default")
    project = project_for_audit(caller, reference)
    response = (
        _file(caller, query, project) if query.is_export else JsonResponse(_json(query.wanted, project))
    )
    for name, value in limits.headers_of(taken).items() if taken else ():
        response[name] = value
    return response


def _page(request: HttpRequest, project: Project | None) -> HttpResponseBase:
    told = {name: clean_line(request.GET[name]) for name in NAMES if name in request.GET}
    query, wrong = ActivityQuery(ActivityFilter(), "json"), None
    try:
        query = ActivityQuery.parse(told, limit=ROWS)
    except InvalidArgument as error:
        wrong = error
    if query.is_export:
        return _file(caller_of(request), query, project)
    context = {
        "project": project,
        "closed": project is not None and not projects_open_to(request.user).filter(pk=project.pk).exists(),
        "auditor": is_auditor(request.user),
        "told": told,
        "wrong": wrong,
        "why": _in_words(wrong),
        **_choices(told, project),
        **({} if wrong else _window(query.wanted, project, told)),
    }
    return render(request, "members/activity.html", context, status=400 if wrong else 200)


def _window(wanted: ActivityFilter, project: Project | None, told: dict[str, str]) -> dict[str, Any]:
    """The rows of a page and the ways on, with the chart on the first page of everything."""
    rows, total = activities(wanted, project)
    size, end = wanted.limit or ROWS, wanted.offset + len(rows)
    is_first = not wanted.names and not wanted.offset
    slugs = dict(every_project().filter(pk__in={row.chain for row in rows}).values_list("pk", "slug"))
    return {
        "rows": [shown(row, datetime.now(UTC), slugs) for row in rows],
        "total": total,
        "first": wanted.offset + 1,
        "last": end,
        "filtered": bool(wanted.names),
        "newer": _address(told, offset=max(0, wanted.offset - size)) if wanted.offset else "",
        "older": _address(told, offset=end) if end < total and end <= MAX_OFFSET else "",
        "is_deepest": end < total and end > MAX_OFFSET,
        "files": {name: _address(told, format=name, offset=0) for name in TYPES},
        "chart": reads_a_day(project) if is_first else None,
    }


def _in_words(wrong: InvalidArgument | None) -> str:
    """What is wrong, with the names that the fields have on the page."""
    return str(wrong or "").replace("since", "From").replace("until", "To")


def _choices(told: dict[str, str], project: Project | None) -> dict[str, list[str] | list[Choice]]:
    """What the filters offer: names of members, and every kind of action there is."""
    people = Member.objects.order_by("username").values_list("username", flat=True)
    if project is not None:
        people = people.filter(memberships__project=project.pk)
    others = [kind.value for kind in Activity.Actor if kind != Activity.Actor.MEMBER]
    return {
        "actors": [*map(clean_line, people[:ACTORS]), *others],
        "actions": choices(actions_known(), told.get("action", "")),
    }


def _json(wanted: ActivityFilter, project: Project) -> dict[str, Any]:
    rows, total = activities(wanted, project)
    end = wanted.offset + len(rows)
    goes_on = rows and end < total and end <= MAX_OFFSET
    return {
        "projectId": str(project.pk),
        "activities": [activity_json(row) for row in rows],
        "total": total,
        "offset": wanted.offset,
        "limit": wanted.limit,
        "nextOffset": end if goes_on else None,
    }


def _file(caller: Caller, query: ActivityQuery, project: Project | None) -> HttpResponseBase:
    """All that was asked for, as it is read; that somebody took it away is noted first."""
    details = {"format": query.format, "filters": list(query.wanted.names)}
    record(caller, "activity.export", project=project, details=details)
    rows = every_activity(query.wanted, project, still_open=_still_open(caller, project))
    lines = csv_rows(rows) if query.format == "csv" else ndjson_lines(rows)
    body = ("".join(chunk) for chunk in batched(lines, CHUNK, strict=False))
    response = StreamingHttpResponse(body, content_type=TYPES[query.format])
    name = f"activity-{project.slug if project else 'all'}-{datetime.now(UTC):%Y-%m-%d}.{query.format}"
    response["Content-Disposition"] = content_disposition_header(as_attachment=True, filename=name) or ""
    response["Cache-Control"] = "private, no-store"
    return response


def _still_open(caller: Caller, project: Project | None) -> Callable[[], bool]:
    """Whether the reader may go on, as the database says at that moment."""

    key = caller.member.pk if caller.member else None

    def ask() -> bool:
        member = Member.objects.filter(pk=key).first() if key else None
        if member is None or project is None:
            return member is not None and is_auditor(member)
        try:
            project_for_audit(replace(caller, member=member), str(project.pk))
        except Refusal:
            return False
        return True

    return ask


def _address(told: dict[str, str], **changed: Any) -> str:
    """This page's address with other arguments."""
    kept = {**told, **changed}
    return f"?{urlencode({name: value for name, value in kept.items() if value not in ('', 0)})}"
