"""What went wrong is told on one page, with the status of the table and the request's number."""

from __future__ import annotations

import logging
import re

import pytest
from django.db import OperationalError
from django.http import Http404
from django.test import Client

import brain.errors
import members.errors
import repositories.errors
from config.errors import ANSWERS, answer_for

ROOM = "/projects/lending/brain"
RANDOM = re.compile(r'(nonce|value)="[^"]{20,}"')


def refusals():
    """Every error that one of our apps may raise at a reader."""
    modules = (brain.errors, members.errors, repositories.errors)
    found = [each for module in modules for each in vars(module).values() if isinstance(each, type)]
    return [each for each in found if issubclass(each, Exception)]


@pytest.mark.parametrize("refusal", refusals())
def test_every_refusal_has_an_answer(refusal):
    assert any(kind in ANSWERS for kind in refusal.__mro__)


def test_an_error_that_nobody_foresaw_has_none():
    assert answer_for(KeyError()) is None


@pytest.mark.parametrize(
    ("address", "status", "code"),
    [
        ("/nope", 404, "not-found"),
        ("/projects/nope/brain", 404, "project-not-found"),
        (f"{ROOM}/tree?node=nope.md", 404, "node-not-found"),
        (f"{ROOM}/tree?offset=x", 400, "invalid-argument"),
        (f"{ROOM}/read?node=long.md&fromLine=99999", 400, "invalid-argument"),
        ("/projects/people/brain/tree", 409, "brain-not-built"),
        ("/projects/people/brain/broken", 409, "brain-not-built"),
    ],
)
def test_a_problem_has_its_status_its_code_and_its_request(ines, address, status, code):
    answer = ines.get(address)
    html = answer.content.decode()
    assert answer.status_code == status
    assert code in html
    assert f"<code>{answer['X-Request-Id']}</code>" in html


def test_a_closed_project_and_one_that_does_not_exist_look_alike(noor):
    pages = []
    for slug in ("lending", "nope"):
        answer = noor.get(f"/projects/{slug}/brain/tree")
        html = answer.content.decode().replace(answer["X-Request-Id"], "").replace(slug, "")
        pages.append((answer.status_code, RANDOM.sub("", html)))
    assert pages[0] == pages[1]


def test_htmx_gets_a_note_for_the_top_of_the_page(ines):
    answer = ines.get(f"{ROOM}/tree?node=nope.md", headers={"HX-Request": "true"})
    assert (answer.status_code, answer["HX-Retarget"]) == (404, "#problem")
    assert answer.content.decode().strip().startswith('<div class="note" data-tone="bad" role="alert">')


def test_htmx_is_led_to_the_page_when_there_is_no_tree(ines):
    answer = ines.get("/projects/people/brain/tree", headers={"HX-Request": "true"})
    assert answer["HX-Redirect"] == "/projects/people/brain/tree"


def test_a_database_that_is_away_is_told_without_asking_it(ines, monkeypatch, caplog):
    def away(*_args, **_options):
        raise OperationalError("connection refused at 10.0.0.1")

    monkeypatch.setattr("brain.views.state_room", away)
    with caplog.at_level(logging.ERROR):
        answer = ines.get(ROOM)
    assert (answer.status_code, answer["Retry-After"]) == (503, "30")
    assert "10.0.0.1" not in answer.content.decode()


def test_an_unknown_error_tells_its_number_and_nothing_else(ines, monkeypatch, caplog):
    def broken(*_args, **_options):
        raise KeyError("a secret of the server")

    monkeypatch.setattr("brain.views.state_room", broken)
    ines.raise_request_exception = False
    with caplog.at_level(logging.ERROR):
        answer = ines.get(ROOM)
    assert answer.status_code == 500
    assert answer["X-Request-Id"] in answer.content.decode()
    assert "a secret" not in answer.content.decode()


def test_a_view_that_finds_nothing_gets_the_same_page(ines, monkeypatch):
    def missing(*_args, **_options):
        raise Http404

    monkeypatch.setattr("brain.views.state_room", missing)
    assert "Nothing is at this address" in ines.get(ROOM).content.decode()


def test_a_form_without_its_token_changes_nothing(world, db):
    answer = Client(enforce_csrf_checks=True).post("/theme", {"theme": "dark"})
    assert answer.status_code == 403
    assert "theme" not in answer.cookies


@pytest.mark.parametrize("address", ["/", ROOM, f"{ROOM}/tree", "/nope", f"{ROOM}/tree?offset=x"])
def test_no_cache_keeps_a_page_of_a_project(ines, address):
    answer = ines.get(address)
    assert answer["Cache-Control"] == "private, no-cache"
    assert {"Cookie", "HX-Request", "Accept", "Authorization"} <= set(answer["Vary"].split(", "))


@pytest.mark.parametrize("address", ["/", ROOM, "/nope", "/signin", f"{ROOM}/tree?offset=x"])
def test_every_page_has_a_strict_policy(ines, address):
    policy = ines.get(address)["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
