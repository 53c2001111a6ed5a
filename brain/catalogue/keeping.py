"""What a read leaves behind: a row of the activity log, or a count."""

from __future__ import annotations

from typing import Any

from brain.catalogue.kinds import Read
from members.activity import record
from members.callers import Caller
from members.counting import count_read
from members.models import Project


def keep(caller: Caller, project: Project, read: Read, query: Any, answer: Any) -> None:
    """Note the read, before its body leaves; `answer` is None where the caller has it already (304)."""
    note = read.noted(query, answer)
    if note is None:
        count_read(caller, project, read.action)
        return
    status = 304 if answer is None else 200
    record(caller, read.action, project=project, target=note.target, details=note.details, status=status)
