"""What others tell of: who comes and goes, and what became of a repository, stands in the activity log."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed

from members.activity import record
from members.callers import SYSTEM, Caller, Door, caller_of
from repositories.signals import administered, default_branch_changed

if TYPE_CHECKING:
    from members.models import Member
    from repositories.models import Repository


def connect() -> None:
    """Listen from now on."""
    user_logged_in.connect(note_sign_in, dispatch_uid="activity")
    user_logged_out.connect(note_sign_out, dispatch_uid="activity")
    user_login_failed.connect(note_failure, dispatch_uid="activity")
    administered.connect(note_repository, dispatch_uid="activity")
    default_branch_changed.connect(note_first_branch, dispatch_uid="activity")


def note_sign_in(*, request: Any, user: Member, **_: Any) -> None:
    """Before the session is stored, so that nobody is in who does not stand in the log."""
    record(replace(_caller(request), member=user), "auth.login")


def note_sign_out(*, request: Any, user: Member | None, **_: Any) -> None:
    """Nothing, when nobody was signed in."""
    if user is not None:
        record(replace(_caller(request), member=user), "auth.logout")


def note_failure(*, credentials: dict[str, Any], request: Any, **_: Any) -> None:
    """A wrong name or password: of the two only the name is kept."""
    caller = replace(_caller(request), member=None)
    record(caller, "auth.failed", target=str(credentials.get("username", "")), status=401)


def note_repository(
    *, repository: Repository, request: Any, change: str, fields: list[str], old: str, **_: Any
) -> None:
    """An administrator's change of a repository, in their transaction; another default branch apart."""
    caller = caller_of(request, Door.ADMIN)
    record(
        caller, f"repository.{change}", target=repository.slug, details={"fields": fields} if fields else {}
    )
    if "default_branch" in fields:
        _note_branch(caller, repository, old)


def note_first_branch(*, repository: Repository, old: str, actor: Any, **_: Any) -> None:
    """The one that a sync found; what an administrator chose is noted with their change."""
    if actor is None:
        _note_branch(SYSTEM, repository, old)


def _note_branch(caller: Caller, repository: Repository, old: str) -> None:
    details = {"branch": {"from": old, "to": repository.default_branch}}
    record(caller, "repository.default-branch", target=repository.slug, details=details)


def _caller(request: Any) -> Caller:
    if request is None:
        return SYSTEM
    match = getattr(request, "resolver_match", None)
    return caller_of(request, Door.ADMIN if match and match.app_name == "admin" else Door.PORTAL)
