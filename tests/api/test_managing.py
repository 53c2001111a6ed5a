"""Managing over HTTP: what a maintainer sends is done, answered by the state, and refused in one order."""

from __future__ import annotations

import json
from typing import NamedTuple

import pytest
from django.conf import settings
from django.middleware.csrf import get_token
from django.test import RequestFactory

from brain.models import Source
from repositories.models import Repository
from tests.api.described import document, held, problem, refused
from tests.api.given_doors import activities
from tests.api.given_world import a_client
from tests.brain.given_managing import change, said, source_of


class Door(NamedTuple):
    """One of the addresses, and a body that is good."""

    method: str
    path: str
    body: dict
    action: str
    success: int = 200

    def __str__(self):
        return self.action


BRAIN = Door("put", "brain", {"enabled": True}, "brain.configure")
REBUILD = Door("post", "brain/rebuild", {}, "brain.rebuild", 202)
WIKI = Door("put", "wiki", {"enabled": True}, "wiki.switch")
DOORS = (BRAIN, REBUILD, WIKI)
every_door = pytest.mark.parametrize("door", DOORS, ids=str)


@pytest.fixture
def ada(db, world):
    """A maintainer of the handbook, in the portal."""
    return world.session("ada")


def send(client, door, project="handbook", **more):
    address, body = f"/api/projects/{project}/{door.path}", more.pop("body", door.body)
    sent = body if isinstance(body, str) else json.dumps(body)
    kind = more.pop("kind", "application/json")
    return getattr(client, more.pop("method", door.method))(address, sent, kind, **more)


def row(world):
    return source_of(world.handbook.project)


def wrong_fields(response):
    assert problem(response) == (400, "invalid-argument")
    return [one["field"] for one in response.json()["errors"]]


@every_door
def test_what_a_maintainer_asks_for_is_queued_and_answered_by_the_state(ada, world, door):
    response = held("status", send(ada, door))
    told = response.json()
    assert response.status_code == door.success
    assert (told["state"], told["enabled"], told["branch"], told["commit"]) == (
        "queued",
        True,
        "main",
        world.indexed,
    )
    assert told["wiki"] is (door is WIKI)
    assert row(world).wanted == ("whole" if door is REBUILD else "build")
    (activity,) = activities(action=door.action)
    assert (activity.door, activity.actor_name, activity.target, activity.status) == (
        "portal",
        "ada",
        "main",
        200,
    )
    assert activity.request_id is not None


def test_a_brain_is_turned_off_and_on_again_with_its_tree(ada, world):
    assert held("status", send(ada, BRAIN, body={"enabled": False})).json()["state"] == "off"
    assert problem(ada.get("/api/projects/handbook/brain/tree")) == (409, "brain-off")
    assert send(ada, BRAIN).json()["state"] == "queued"
    assert ada.get("/api/projects/handbook/brain/tree").status_code == 200


def test_the_state_is_asked_for_at_the_same_address_as_before(ada):
    told = held("status", ada.get("/api/projects/handbook/brain"))
    assert (told.status_code, told.json()["state"]) == (200, "ready")
    assert wrong_fields(ada.get("/api/projects/handbook/brain?enabled=true")) == ["enabled"]


@every_door
def test_a_project_is_named_by_its_id_too(ada, world, door):
    assert send(ada, door, str(world.handbook.project.pk)).status_code == door.success


def test_a_rebuild_takes_no_body_at_all(ada):
    assert ada.generic("POST", "/api/projects/handbook/brain/rebuild").status_code == 202


@pytest.mark.parametrize(
    ("door", "body", "field"),
    [
        (BRAIN, {}, "enabled"),
        (BRAIN, {"enabled": None}, "enabled"),
        (BRAIN, {"enabled": "true"}, "enabled"),
        (BRAIN, {"enabled": 1}, "enabled"),
        (BRAIN, {"enabled": []}, "enabled"),
        (BRAIN, {"enabled": True, "wiki": True}, "wiki"),
        (BRAIN, {"enabled": True, "branch": 7}, "branch"),
        (BRAIN, {"enabled": True, "branch": ["main"]}, "branch"),
        (BRAIN, {"enabled": True, "branch": "x" * 201}, "branch"),
        (BRAIN, {"enabled": True, "branch": "-x"}, "branch"),
        (BRAIN, {"enabled": True, "branch": "a..b"}, "branch"),
        (BRAIN, {"enabled": True, "branch": "two words"}, "branch"),
        (BRAIN, {"enabled": True, "branch": "kintsugi/notes"}, "branch"),
        (BRAIN, {"enabled": True, "branch": "nul\0"}, "branch"),
        (WIKI, {}, "enabled"),
        (WIKI, {"enabled": "on"}, "enabled"),
        (WIKI, {"enabled": True, "branch": "main"}, "branch"),
        (REBUILD, {"whole": True}, "whole"),
        (BRAIN, [], "body"),
        (WIKI, "true", "body"),
        (REBUILD, "7", "body"),
    ],
)
def test_a_body_that_is_not_of_its_form_is_refused_by_the_name_of_what_is_wrong(
    ada, world, door, body, field
):
    before = Source.objects.filter(pk=row(world).pk).values().get()
    assert wrong_fields(send(ada, door, body=body)) == [field]
    assert Source.objects.filter(pk=row(world).pk).values().get() == before
    assert said() == []


@every_door
def test_what_is_no_json_is_refused(ada, door):
    assert problem(send(ada, door, body="{")) == (400, "invalid-argument")
    assert problem(send(ada, door, body="enabled=true", kind="application/x-www-form-urlencoded")) == (
        415, "unsupported-media-type",
    )  # fmt: skip
    assert problem(send(ada, door, body="[" * 100_000)) == (400, "invalid-argument")
    assert problem(send(ada, door, body={"enabled": "x" * 2_000_000})) == (413, "body-too-large")


@every_door
def test_a_question_in_the_address_is_refused(ada, door):
    assert wrong_fields(ada.generic(door.method.upper(), f"/api/projects/handbook/{door.path}?enabled=true",
                                    json.dumps(door.body), "application/json")) == ["enabled"]  # fmt: skip


@every_door
def test_a_request_that_is_wrong_in_all_ways_is_refused_for_the_first(world, db, door):
    change(world.handbook.project, enabled=False, wiki=True)
    Repository.objects.filter(pk=world.handbook.repository.pk).update(default_branch="gone")
    sessions = {name: world.session(name) for name in ("dora", "ben", "ada")}
    wrong = {"body": {"nonsense": True}}
    assert problem(send(a_client(), door, method="delete", **wrong)) == (405, "method-not-allowed")
    assert problem(send(a_client(), door, **wrong)) == (400, "invalid-argument")
    assert problem(send(a_client(), door)) == (401, "not-signed-in")
    assert problem(send(sessions["dora"], door)) == (404, "project-not-found")
    assert problem(send(sessions["ben"], door)) == (403, "permission-denied")
    response = send(sessions["ada"], door)
    assert problem(response) == (409, "brain-off" if door is REBUILD else "branch-missing")
    assert response.json()["state"] == "off"


@every_door
def test_a_token_manages_nothing(world, db, door):
    assert problem(send(world.bearer("ada"), door)) == (401, "not-signed-in")


@every_door
def test_a_session_needs_the_token_of_a_form(world, db, door):
    client = world.session("ada", enforce_csrf_checks=True)
    response = send(client, door)
    assert problem(response) == (403, "permission-denied")
    assert "X-CSRFToken" in response.json()["detail"]
    assert said() == []
    request = RequestFactory().get("/")
    token = get_token(request)
    client.cookies[settings.CSRF_COOKIE_NAME] = request.META["CSRF_COOKIE"]
    assert send(client, door, headers={"X-CSRFToken": token}).status_code == door.success


@every_door
def test_whoever_may_not_stands_in_the_log_with_what_they_wanted(world, db, door):
    send(world.session("ben"), door)
    send(world.session("dora"), door)
    ben, dora = activities(action="access.denied")
    assert (ben.actor_name, ben.target, ben.status) == ("ben", door.action, 403)
    assert (dora.actor_name, json.loads(dora.details), dora.status) == ("dora", {"asked": door.action}, 404)


@every_door
def test_what_is_asked_counts_against_the_limit(world, db, settings, door):
    settings.RATE_LIMITS = {"default": 2}
    ada = world.session("ada")
    left = [send(ada, door)["X-RateLimit-Remaining"] for _ in range(2)]
    assert left == ["1", "0"]
    assert problem(send(ada, door)) == (429, "rate-limited")


@pytest.mark.parametrize(
    ("columns", "door", "body", "code", "detail"),
    [
        ({"wiki": True}, BRAIN, {"enabled": True, "branch": "next"}, "wiki-follows-default",
         "A wiki project's Brain follows the default branch"),
        ({"wiki": True}, BRAIN, {"enabled": False}, "wiki-on",
         "Turn the wiki off before turning the Brain off"),
        ({}, BRAIN, {"enabled": True, "branch": "gone"}, "branch-missing",
         "The branch gone is not in the mirror; a sync brings it."),
        ({"enabled": False}, REBUILD, {}, "brain-off",
         "The Brain is turned off: turn it on, which builds it too."),
    ],
)  # fmt: skip
def test_a_state_that_does_not_allow_it_says_which_and_why(ada, world, columns, door, body, code, detail):
    change(world.handbook.project, **columns)
    told = refused(send(ada, door, body=body)).json()
    assert (told["status"], told["code"], told["detail"]) == (409, code, detail)
    assert told["state"] == ("off" if "enabled" in columns else "ready")
    assert said() == []


@every_door
def test_without_a_repository_the_answer_is_a_conflict(ada, world, door):
    world.handbook.project.__class__.objects.filter(slug="handbook").update(repository=None)
    assert problem(send(ada, door)) == (409, "no-repository")


@pytest.mark.parametrize(
    ("door", "code"), [(BRAIN, (503, "mirror-missing")), (WIKI, (409, "branch-missing"))]
)
def test_before_the_first_sync_the_answer_says_so(ada, world, door, code):
    away = Repository.objects.create(slug="away", name="away", remote="https://example.org/away.git")
    world.handbook.project.__class__.objects.filter(slug="handbook").update(repository=away)
    assert problem(send(ada, door)) == code


@pytest.mark.parametrize("body", [{"enabled": True}, {"enabled": True, "branch": "main"}])
def test_while_the_wiki_is_on_the_default_branch_or_none_still_works(ada, world, body):
    change(world.handbook.project, wiki=True)
    assert send(ada, BRAIN, body=body).status_code == 200


def test_to_ask_for_the_wiki_that_there_is_changes_queues_and_notes_nothing(ada, world):
    for enabled in (True, False):
        change(world.handbook.project, wiki=enabled)
        before = Source.objects.filter(pk=row(world).pk).values().get()
        assert send(ada, WIKI, body={"enabled": enabled}).status_code == 200
        assert Source.objects.filter(pk=row(world).pk).values().get() == before
    assert said() == []


@every_door
def test_an_address_is_described_with_the_members_of_its_body(door):
    told = document()["paths"][f"/api/projects/{{reference}}/{door.path}"][door.method]
    body = told["requestBody"]["content"]["application/json"]["schema"]
    members = {"brain": {"enabled", "branch"}, "wiki": {"enabled"}, "brain/rebuild": set()}[door.path]
    assert (set(body["properties"]), body["additionalProperties"]) == (members, False)
    assert body["required"] == (["enabled"] if members else [])
    assert told["security"] == [{"session": []}]
    assert str(door.success) in told["responses"]
    for code in ("no-repository", "branch-missing", "wiki-on", "wiki-follows-default", "brain-off"):
        assert code in told["responses"]["409"]["description"]


def test_no_read_is_said_to_be_refused_as_only_a_change_is():
    told = document()["paths"]["/api/projects/{reference}/brain"]["get"]["responses"]["409"]["description"]
    assert "wiki-on" not in told
