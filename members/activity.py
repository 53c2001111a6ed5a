"""What was done and refused: written in the writer's transaction, and before the body of a read leaves."""

from __future__ import annotations

import json
import uuid
from typing import TYPE_CHECKING, Any

from members.models import Activity
from repositories.cleaning import clean_line

if TYPE_CHECKING:
    from members.callers import Caller
    from members.models import Project

NO_PROJECT = uuid.UUID(int=0)  # the chain of what belongs to no project
MAX_TARGET = 2_000  # characters


def record(
    caller: Caller,
    action: str,
    *,
    project: Project | None = None,
    target: str = "",
    details: dict[str, Any] | None = None,
    status: int = 200,
    reason: str = "",
) -> None:
    """Write one activity; whatever the caller's transaction does, happens to it too.

    `details` hold ids, commits, lines and counts, never a text or a query.
    """
    member, token = caller.member, caller.token
    Activity.objects.create(
        chain=project.pk if project else NO_PROJECT,
        actor_type=_actor_type(caller),
        actor_id=member.pk if member else None,
        actor_name=clean_line(member.username, 150) if member else "",
        door=caller.door,
        token_id=token.pk if token else None,
        token_name=clean_line(token.name, 100) if token else "",
        token_hash=token.digest[:8] if token else "",
        ip=caller.ip,
        agent=clean_line(caller.agent, 200),
        action=action,
        project=project.slug if project else "",
        target=clean_line(target, MAX_TARGET),
        details=json.dumps(details or {}, ensure_ascii=True, sort_keys=True),
        status=status,
        reason=clean_line(reason, 200),
        request_id=caller.request_id,
    )


def _actor_type(caller: Caller) -> Activity.Actor:
    if caller.member:
        return Activity.Actor.MEMBER
    match caller.door:
        case Activity.Door.COMMAND:
            return Activity.Actor.OPERATOR
        case Activity.Door.SYSTEM:
            return Activity.Actor.SYSTEM
    return Activity.Actor.ANONYMOUS
