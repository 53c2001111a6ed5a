"""Who may open which address by which method: tables, held against every route that there is."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any, NamedTuple
from urllib.parse import urlencode

import pytest
from django.db import connection
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from brain.catalogue import READS
from tests.api.given_doors import a_citation, an_example
from tests.api.given_world import World, a_client, a_world
from tests.mcp.given_agents import message

# Nobody; a maintainer of another project; a reader, a member and a maintainer of this one; an auditor
# without a project; an administrator.
PEOPLE = ("nobody", "dora", "cleo", "ben", "ada", "enzo", "root")
# Of a member, for this project; of a maintainer, for all projects; without a scope; of a maintainer of
# another project, for all of hers and for that one; expired; revoked; of a member who is a reader now; of a
# reader; of somebody who left; of an administrator.
TOKENS = (
    *("ben", "ada", "ben without scope", "dora", "dora vault"),
    *("ben expired", "ben revoked", "finn", "cleo", "gus", "root"),
)
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE")
UNSAFE = METHODS[2:]


class Row(NamedTuple):
    """The status for each of PEOPLE, and for each of TOKENS or for every one of them."""

    people: str
    tokens: str

    def expected(self) -> dict[tuple[str, str], int]:
        """The status by kind and name of who asks."""
        told = self.tokens.split()
        told = told * len(TOKENS) if len(told) == 1 else told
        by_people = zip(PEOPLE, self.people.split(), strict=True)
        by_tokens = zip(TOKENS, told, strict=True)
        return {("person", name): int(status) for name, status in by_people} | {
            ("token", name): int(status) for name, status in by_tokens
        }


#             nobody dora cleo ben ada enzo root   tokens
ANYBODY = Row("200   200  200  200 200 200  200", "200")
UNKNOWN = Row("404  404  404  404 404 404  404", "404")  # nobody's session or token signs for a host
NO_MORE = Row("204   204  204  204 204 204  204", "204")
MOVED = Row(" 302   302  302  302 302 302  302", "302")
SIGNIN = Row("200   302  302  302 302 302  302", "200")
HOME = Row("  302   200  200  200 200 200  200", "302")
ROOM = Row("  302   404  200  200 200 404  200", "302")
HALL = Row("  302   404  302  302 302 404  302", "302")
LOG = Row("   302   404  403  403 200 200  200", "302")
LOGS = Row("  302   403  403  403 403 200  200", "302")
PORTAL = Row("401   404  200  200 200 404  200", "401")
MANAGED = Row("401  404  403  403 200 404  200", "401")
REBUILT = Row("401  404  403  403 202 404  202", "401")
DECIDED = Row("302  404  403  403 302 404  302", "302")
NO_WIKI = Row("302  404  404  404 404 404  404", "302")  # it is off
JOURNAL = Row("401  404  403  403 200 200  200", "401")
OWN = Row("   302   200  200  200 200 200  200", "403")  # no token looks at tokens
MADE = Row("  302   400  400  400 400 400  400", "403")  # an empty wish
BENS = Row("  302   404  404  200 404 404  404", "403")
ENDED = Row(" 302   404  404  302 404 404  404", "403")
#                                                 ben ada scope dora vault expired revoked finn cleo gus root
MEMBER = Row("401   401  401  401 401 401  401", "200 200 403   404  404   401     401     403  403  404 200")
# A tool refuses in its answer, so that the agent reads why; see tests/mcp.
AGENT = Row(" 401   401  401  401 401 401  401", "200 200 403   200  200   401     401     200  200  200 200")

LOOKING: dict[str, Row] = {
    "projects": HOME,
    "project": HALL,
    **dict.fromkeys(("state", "tree", "read", "broken"), ROOM),
    **{f"api-{read}": PORTAL for read in READS},
    **{f"member-{read}": MEMBER for read in READS if read != "resolve"},
    **dict.fromkeys(("wiki", "wiki-pages"), NO_WIKI),
    "activity": LOGS,
    "project-activity": LOG,
    "api-activity": JOURNAL,
    "tokens": OWN,
    "signin": SIGNIN,
    "openapi": ANYBODY,
    "problem": ANYBODY,
    "mcp-resource": ANYBODY,
}
PUTTING: dict[str, Row] = {"api-status": MANAGED, "api-wiki": MANAGED}
SENDING: dict[str, Row] = {  # by POST
    "member-resolve": MEMBER,
    "api-rebuild": REBUILT,
    "manage": DECIDED,
    "switch-wiki": DECIDED,
    "tokens": MADE,
    "rotate-token": BENS,
    "revoke-token": ENDED,
    "leaked-token": NO_MORE,
    "hook": UNKNOWN,
    "mcp": AGENT,
    "signin": SIGNIN,
    "signout": MOVED,
    "theme": MOVED,
}
SENT: dict[str, dict[str, str]] = {
    "leaked-token": {"token": "ktb_unknown"},
    "theme": {"theme": "dark"},
    "manage": {"do": "build"},
    "switch-wiki": {"do": "on"},
}
BODIES: dict[str, dict[str, Any]] = {  # JSON; these look for the token of a form themselves, after who asks
    "api-status": {"enabled": True},
    "api-rebuild": {},
    "api-wiki": {"enabled": True},
}
# Django's own look at no method but send who is no administrator to the door; a write needs a form token.
ADMIN: dict[str, str] = {  # by name, or by pattern where it has none: the status for an administrator
    "admin:login": "302",
    "admin:logout": "405",
    "admin:password_change*": "200",
    "admin:autocomplete": "403",
    "admin:view_on_site": "404",
    "admin:auth_user_password_change": "404",
    "admin:repositories_repository_sync": "404",
    "admin:repositories_repository_*hook": "404",
    "admin:*_changelist": "200",
    "admin:members_*_add": "200 403",
    "admin:repositories_repository_add": "200",
    "admin:*_add": "403",
    "admin:*_history": "302",
    "admin:*_delete": "302 403",
    "admin:*_change": "302",
    "admin/*/<path:object_id>/": "302",
    "admin/(?P<url>.[*])$": "404",
    "admin:index": "200",
    "admin:app_list": "200",
    "admin:jsi18n": "200",
}
ACCEPTED = {"HTTP_ACCEPT": "application/json, text/event-stream"}
BEN = "00000000-0000-4000-8000-000000000000"  # in an address, for the key of Ben's token
ARGUMENTS = {
    "slug": "handbook",
    "reference": "handbook",
    "code": "node-not-found",
    "key": BEN,
    **dict.fromkeys(("object_id", "id", "pk", "content_type_id"), "0"),
    "app_label": "members",
    "url": "nowhere/",
}
WRITTEN_BY_LOOKING = {  # a read is noted, counted and limited; a token and a session know their last use
    **dict.fromkeys([("members_activity", "inserted"), ("members_token", "updated")]),
    **dict.fromkeys([("members_readcount", "inserted"), ("members_readcount", "updated")]),
    **dict.fromkeys([("members_ratewindow", "inserted"), ("members_ratewindow", "updated")]),
    **dict.fromkeys([("django_session", "updated")]),
}


@dataclass(frozen=True, slots=True)
class Route:
    """An address that somebody answers at; its name is its pattern where it has no other."""

    name: str
    pattern: str
    address: str
    is_exempt: bool  # it asks for no form token

    def __str__(self) -> str:
        return self.name


def _routes(resolver: URLResolver, space: str, before: str, names: tuple[str, ...]) -> Iterator[Route]:
    for each in resolver.url_patterns:
        taken = (*names, *each.pattern.regex.groupindex)
        pattern = before + str(each.pattern)
        if isinstance(each, URLResolver):
            yield from _routes(each, f"{space}{each.namespace}:" if each.namespace else space, pattern, taken)
            continue
        name = f"{space}{each.name}" if each.name else pattern
        exempt = getattr(each.callback, "csrf_exempt", False)
        yield Route(name, pattern, _address(each, name, pattern, taken), exempt)


def _address(each: URLPattern, name: str, pattern: str, taken: tuple[str, ...]) -> str:
    if each.name:
        return reverse(name, kwargs={argument: ARGUMENTS[argument] for argument in taken})
    return "/" + pattern.replace("<path:object_id>", "0").replace("(?P<url>.*)$", "nowhere/")


ROUTES = list(_routes(get_resolver(), "", "", ()))
DJANGOS = [route for route in ROUTES if route.name.startswith("admin")]
OURS = [route for route in ROUTES if route not in DJANGOS]


@pytest.fixture(scope="module")
def world(tmp_path_factory, django_db_setup, django_db_blocker) -> Iterator[World]:
    """One for all tables; each test's writes are taken back."""
    with django_db_blocker.unblock(), a_world(tmp_path_factory.mktemp("matrix")) as made:
        yield made


@pytest.fixture
def ask(db, world) -> Callable[..., int]:
    """The status of a request that is good but for who sends it and how."""

    def status(route: Route, method: str, actor: tuple[str, str], **options: Any) -> int:
        address = route.address.replace(BEN, str(world.tokens["ben"].pk))
        return _sent(_client(world, *actor, **options), route.name, method, address, world)

    return status


def methods_of(name: str) -> set[str]:
    """By which methods a route may be asked."""
    looking = {"GET", "HEAD"} if name in LOOKING else set()
    return looking | ({"POST"} if name in SENDING else set()) | ({"PUT"} if name in PUTTING else set())


def row_of(name: str, method: str) -> Row:
    """What the tables say of a route that is asked by this method."""
    return {"POST": SENDING, "PUT": PUTTING}.get(method, LOOKING)[name]


def statuses_of_an_administrator(route: Route) -> str:
    """What the table of the admin says of a route."""
    return next(status for name, status in ADMIN.items() if fnmatchcase(route.name, name))


def test_every_route_has_a_row_and_every_row_a_route():
    assert {route.name for route in OURS} == set(LOOKING) | set(SENDING) | set(PUTTING)
    named = {name for route in DJANGOS for name in ADMIN if fnmatchcase(route.name, name)}
    assert named == set(ADMIN)


@pytest.mark.parametrize("route", OURS, ids=str)
def test_a_route_answers_whoever_asks_as_its_row_says(route, ask):
    wrong = []
    for method in sorted(methods_of(route.name)):
        row = row_of(route.name, method)
        found = {actor: ask(route, method, actor) for actor in row.expected()}
        wrong += [(method, actor, got) for actor, got in found.items() if got != row.expected()[actor]]
    assert wrong == []


@pytest.mark.parametrize("route", OURS, ids=str)
def test_a_route_takes_no_other_method(route, ask):
    actors = (("person", "nobody"), ("person", "ada"), ("person", "root"), ("token", "ben"))
    others = [method for method in METHODS if method not in methods_of(route.name)]
    found = {(method, actor): ask(route, method, actor) for method in others for actor in actors}
    assert [(*asked, status) for asked, status in found.items() if status != 405] == []


@pytest.mark.parametrize("route", DJANGOS, ids=str)
def test_the_admin_opens_to_administrators_alone(route, ask):
    outside = {ask(route, "GET", ("person", name)) for name in PEOPLE if name != "root"}
    assert outside == {200 if route.name == "admin:login" else 302}
    assert ask(route, "GET", ("token", "root")) == outside.pop()
    assert str(ask(route, "GET", ("person", "root"))) in statuses_of_an_administrator(route).split()


@pytest.mark.parametrize("route", ROUTES, ids=str)
def test_no_session_writes_without_the_token_of_a_form(route, ask):
    told = {method: ask(route, method, ("person", "root"), enforce_csrf_checks=True) for method in UNSAFE}
    if route.name in BODIES:
        assert told == {method: 403 if method in methods_of(route.name) else 405 for method in UNSAFE}
    elif not route.is_exempt:
        assert set(told.values()) == {403}
    elif route.name not in SENDING:
        assert set(told.values()) == {405}


def test_what_asks_for_no_form_token_looks_at_no_session_when_it_writes():
    writing = set(SENDING) | set(PUTTING)
    assert {route.name for route in OURS if route.is_exempt and route.name in writing - set(BODIES)} == {
        "member-resolve",  # a token alone opens it, and it only reads
        "mcp",  # the same
        "leaked-token",  # whoever has the token may end it
        "hook",  # a host signs what it sends, and can only ask for a sync
    }
    assert not [route.name for route in DJANGOS if route.is_exempt]


def test_looking_at_everything_writes_nothing_but_that_it_was_looked_at(ask):
    before = _written()
    for actor in (("person", "nobody"), ("person", "ada"), ("person", "root"), ("token", "ben")):
        for route in ROUTES if actor[1] == "root" else OURS:
            ask(route, "GET", actor)
    written = {what for what, count in _written().items() if count > before.get(what, 0)}
    assert written - set(WRITTEN_BY_LOOKING) == set()
    assert ("members_activity", "inserted") in written


def _client(world: World, kind: str, name: str, **options: Any) -> Client:
    if kind == "token":
        return world.bearer(name)
    return a_client(**options) if name == "nobody" else world.session(name, **options)


def _sent(client: Client, name: str, method: str, address: str, world: World) -> int:
    if name == "member-resolve":
        body = {"projectId": "handbook", "citations": [a_citation(world)]}
        return client.generic(method, address, json.dumps(body), "application/json").status_code
    if name == "mcp":
        call = message("tools/call", name="brain_tree", arguments={"projectId": "handbook"})
        return client.generic(method, address, json.dumps(call), "application/json", **ACCEPTED).status_code
    if name in BODIES and method not in {"GET", "HEAD"}:
        return client.generic(method, address, json.dumps(BODIES[name]), "application/json").status_code
    if method == "POST":
        form = urlencode(SENT.get(name, {}))
        return client.post(address, form, "application/x-www-form-urlencoded").status_code
    door, _, read = name.partition("-")
    asked = an_example(read or name, world)
    named = {"projectId": "handbook"} if door == "member" else {}
    query = urlencode({**asked, **named}) if method in {"GET", "HEAD"} else ""
    return client.generic(method, address, QUERY_STRING=query).status_code


def _written() -> dict[tuple[str, str], int]:
    """How many rows this transaction has written so far, by table and verb."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT relname, n_tup_ins, n_tup_upd, n_tup_del FROM pg_stat_xact_user_tables")
        rows = cursor.fetchall()
    verbs = ("inserted", "updated", "deleted")
    return {
        (table, verb): count
        for table, *counts in rows
        for verb, count in zip(verbs, counts, strict=True)
        if count
    }
