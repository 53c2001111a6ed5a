"""Whoever asks for what is not theirs stands in the activity log, by whichever door."""

from __future__ import annotations

from typing import Any

from members.activity import record
from members.callers import Caller, Door, caller_of
from members.errors import AccessDenied, PermissionDenied

DENIED = "access.denied"


def note_denial(request: Any, error: BaseException, asked: str = "") -> None:
    """Record a refusal of access to a signed-in member or a token; `asked` is what they wanted to do."""
    door = Door.API if request.path.startswith("/api/") else Door.PORTAL
    caller = caller_of(request, door)
    if caller.member is not None:
        record_denial(caller, error, asked or _place(request), _reference(request))


def record_denial(caller: Caller, error: BaseException, asked: str, reference: str) -> None:
    """Record it: in the project's own chain where the project is open to the caller."""
    match error:
        case PermissionDenied():
            record(caller, DENIED, project=error.project, target=asked, status=403, reason=str(error))
        case AccessDenied():
            record(caller, DENIED, target=reference[:63], details={"asked": asked}, status=404)


def _place(request: Any) -> str:
    return request.resolver_match.url_name or "" if request.resolver_match else ""


def _reference(request: Any) -> str:
    named = dict(request.resolver_match.kwargs) if request.resolver_match else {}
    return str(named.get("slug") or named.get("reference") or request.GET.get("projectId") or "")
