"""The world of the HTTP doors: projects over real repositories, people in every role, their tokens."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.models import Group
from django.db import connection, connections
from django.test import Client, override_settings
from django.test.client import ClientHandler
from pytest_django.live_server_helper import LiveServer

from brain.management import operating
from brain.models import Source, State
from members import tokens
from members.callers import OPERATOR
from members.models import Activity, Member, Membership, Project, RateWindow, Role, Token
from members.permissions import AUDITOR, MEMBER_READ
from tests.api.given_handbook import FIRST, SECOND
from tests.given_db import Team, a_built_team

UNHURRIED: dict[str, int] = {}  # nobody waits
NAMES = ("ada", "ben", "cleo", "finn", "gus", "dora", "enzo", "root")
ROLES = {"ada": Role.MAINTAINER, "ben": Role.MEMBER, "cleo": Role.READER, "finn": Role.READER}


@dataclass(frozen=True, slots=True)
class World:
    """A built project that is one commit behind, a foreign one, one without a Brain, and who asks."""

    handbook: Team
    vault: Team
    empty: Project
    people: Mapping[str, Member]
    tokens: Mapping[str, Token]
    raw: Mapping[str, str]  # each token as it was shown once
    sessions: Mapping[str, str]
    first: str  # commits of the handbook, by age
    indexed: str
    tip: str

    def session(self, name: str, **options: Any) -> Client:
        """The browser of somebody who is signed in."""
        client = a_client(**options)
        client.cookies[settings.SESSION_COOKIE_NAME] = self.sessions[name]
        return client

    def bearer(self, name: str, **options: Any) -> Client:
        """A program with this token."""
        return a_client(headers={"Authorization": f"Bearer {self.raw[name]}"}, **options)


def a_client(**options: Any) -> Client:
    """A client of nobody; all of them share their middleware, which takes longer to load than to answer."""
    client = Client(**options)
    client.handler = _handler(options.get("enforce_csrf_checks", False))
    return client


@functools.cache
def _handler(csrf: bool) -> ClientHandler:  # noqa: FBT001
    return ClientHandler(enforce_csrf_checks=csrf)


@contextmanager
def a_world(folder: Path, **setting: Any) -> Iterator[World]:
    """Made once for many tests, which only read, or write inside a transaction of their own."""
    with override_settings(MIRROR_LOCAL_ROOTS=[folder], RATE_LIMITS=UNHURRIED, **setting):
        before = last_activity()
        try:
            yield _world(folder)
        finally:
            for project in Project.objects.filter(slug__in=["handbook", "vault", "empty"]):
                operating.remove(project)
            Member.objects.filter(username__in=NAMES).delete()
            RateWindow.objects.all().delete()
            forget_activities(before)


@contextmanager
def a_server() -> Iterator[str]:
    """A real server over the database of the tests; its address. It sees what was committed alone."""
    connections.settings["default"]["CONN_MAX_AGE"] = 0  # or its threads outlive the database
    server = LiveServer("127.0.0.1")
    try:
        yield server.url
    finally:
        server.stop()


def last_activity() -> int:
    """Where the log ends."""
    return Activity.objects.order_by("-id").values_list("id", flat=True).first() or 0


def forget_activities(before: int) -> None:
    """Take back what the server of a world wrote, which only the owner of the table can."""
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE members_activity DISABLE TRIGGER activity_stays")
        cursor.execute("DELETE FROM members_activity WHERE id > %s", [before])
        cursor.execute("ALTER TABLE members_activity ENABLE TRIGGER activity_stays")
        cursor.execute("DELETE FROM members_readcount")


def a_token(member: Member, name: str, project: Project | None) -> tuple[Token, str]:
    """A token of the member, and its raw text."""
    return tokens.issue(OPERATOR, member, name=name, project=project, scopes=(MEMBER_READ,), days=30)


def a_bearer(member: Member, project: Project | None) -> Client:
    """A program with a new token of the member."""
    return a_client(headers={"Authorization": f"Bearer {a_token(member, 'new', project)[1]}"})


def _world(folder: Path) -> World:
    handbook = Team(folder, FIRST)
    indexed = handbook.git.commit(SECOND)
    handbook.build()
    tip = handbook.git.commit({"later.md": "# Later\n\nNobody has read of zebras yet.\n"})
    handbook.sync()
    # What the sync asked for is never built here, so that the tree stays one commit behind.
    Source.objects.filter(project=handbook.project).update(state=State.READY, wanted="", wanted_at=None)
    vault = a_built_team(folder, {"README.md": "# Vault\n\nNobody else's.\n"}, "vault")
    empty = Project.objects.create(slug="empty", name="Empty", repository=handbook.repository)
    people = _people(handbook.project, vault.project, empty)
    made = _tokens(people, handbook.project, vault.project)
    return World(
        handbook=handbook,
        vault=vault,
        empty=empty,
        people=people,
        tokens={name: token for name, (token, _) in made.items()},
        raw={name: raw for name, (_, raw) in made.items()},
        sessions={name: _session(member) for name, member in people.items()},
        first=handbook.first,
        indexed=indexed,
        tip=tip,
    )


def _people(handbook: Project, vault: Project, empty: Project) -> dict[str, Member]:
    people = {name: Member.objects.create(username=name, is_superuser=name == "root") for name in NAMES}
    for name in ("ada", "ben", "cleo", "finn", "gus"):  # as maintainers, until their tokens are made
        for project in (handbook, empty):
            Membership.objects.create(member=people[name], project=project, role=Role.MAINTAINER)
    Membership.objects.create(member=people["dora"], project=vault, role=Role.MAINTAINER)
    people["enzo"].groups.add(Group.objects.get(name=AUDITOR))
    Member.objects.filter(username="root").update(is_staff=True)
    return people


def _tokens(people: Mapping[str, Member], handbook: Project, vault: Project) -> dict[str, tuple[Token, str]]:
    wanted: dict[str, tuple[str, Project | None]] = {
        "ada": ("ada", None),
        "ben": ("ben", handbook),
        "ben expired": ("ben", handbook),
        "ben revoked": ("ben", handbook),
        "ben without scope": ("ben", handbook),
        "cleo": ("cleo", None),
        "finn": ("finn", handbook),  # a member no more
        "gus": ("gus", handbook),  # belongs to nothing any more
        "dora": ("dora", None),
        "dora vault": ("dora", vault),
        "root": ("root", None),
    }
    made = {name: a_token(people[who], name, project) for name, (who, project) in wanted.items()}
    Token.objects.filter(name="ben expired").update(expires_at="2020-01-01T00:00:00Z")
    Token.objects.filter(name="ben without scope").update(scopes=[])
    tokens.revoke(OPERATOR, made["ben revoked"][0], "a test")
    for name, role in ROLES.items():
        Membership.objects.filter(member=people[name]).update(role=role)
    Membership.objects.filter(member=people["gus"]).delete()
    return made


def _session(member: Member) -> str:
    client = a_client()
    client.force_login(member, backend="django.contrib.auth.backends.ModelBackend")
    return client.cookies[settings.SESSION_COOKIE_NAME].value
