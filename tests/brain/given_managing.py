"""How a test states who manages a Brain, and what came of it."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test import override_settings

from brain.management import operating
from brain.models import Source
from members.callers import Caller, Door
from members.models import Activity, Member, Membership, Project, Role
from tests.api.given_world import forget_activities, last_activity
from tests.given_db import Team, a_built_team

_BLOCKED = "SELECT count(*) FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))"
FILES = {"README.md": "# Handbook\n\nHow we work.\n"}


@contextmanager
def a_standing_team(folder: Path) -> Iterator[Team]:
    """A built project over the branches main and next, made once for tests that take back what they write."""
    before = last_activity()
    with override_settings(MIRROR_LOCAL_ROOTS=[folder]):
        team = a_built_team(folder, FILES, "managed")
        team.git.commit({"new.md": "# New\n"}, branch="next", parents=[team.first])
        team.git.branch("kintsugi/notes", team.first)
        team.sync()
        try:
            yield team
        finally:
            operating.remove(team.project)
            forget_activities(before)


def a_manager(team: Team, name: str = "ada") -> Caller:
    """A maintainer of the project, in the portal."""
    member = Member.objects.create(username=name)
    Membership.objects.create(member=member, project=team.project, role=Role.MAINTAINER)
    return Caller(door=Door.PORTAL, member=member)


def source_of(project: Project) -> Source:
    """The row as it is stored."""
    return Source.objects.get(project=project)


def change(project: Project, **columns: Any) -> Source:
    """Let the row be so, by whatever way it came to that."""
    Source.objects.filter(project=project).update(**columns)
    return source_of(project)


def said(*actions: str) -> list[tuple[str, str, dict[str, Any], str]]:
    """Action, target, details and reason of what the log keeps of managing, the oldest first."""
    rows = Activity.objects.filter(action__in=actions or ("brain.configure", "brain.rebuild", "wiki.switch"))
    return [(row.action, row.target, json.loads(row.details), row.reason) for row in rows.order_by("id")]


def elsewhere(act: Callable[[], Any]) -> Any:
    """What the act gives in a database session of its own, once it is done."""
    return Elsewhere(act).result()


class Elsewhere:
    """An act in a database session of its own, beside the test."""

    def __init__(self, act: Callable[[], Any]) -> None:
        self._outcome: list[Any] = []
        self._thread = threading.Thread(target=self._run, args=(act,))
        self._thread.start()

    def result(self) -> Any:
        """What came of it; raises what it raised."""
        self._thread.join(timeout=60)
        assert not self._thread.is_alive()
        (outcome,) = self._outcome
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome

    def waits(self) -> bool:
        """Whether it comes to wait for a lock that this session holds."""
        for _ in range(1_000):
            with connection.cursor() as cursor:
                cursor.execute(_BLOCKED)
                if cursor.fetchone()[0]:
                    return True
            if not self._thread.is_alive():
                return False
            time.sleep(0.01)
        return pytest.fail("It neither ended nor came to wait.")

    def _run(self, act: Callable[[], Any]) -> None:
        try:
            self._outcome.append(act())
        except BaseException as error:  # noqa: BLE001 (told by `result`)
            self._outcome.append(error)
        finally:
            connection.close()
