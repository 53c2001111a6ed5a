"""Signing in and out, and the theme."""

from __future__ import annotations

import pytest
from django.conf import settings

from tests.portal.conftest import PASSWORD

TREE = "/projects/lending/brain/tree"


def sign_in(client, password, **more):
    return client.post("/signin", {"username": "ines", "password": password, **more})


@pytest.mark.parametrize(
    "address", ["/", "/projects/lending/", "/projects/lending/brain", TREE, "/projects/nope/brain/broken"]
)
def test_whoever_is_not_signed_in_is_sent_to_the_door(nobody, address):
    answer = nobody.get(address)
    assert (answer.status_code, answer["Location"]) == (302, f"/signin?next={address}")


def test_htmx_is_sent_to_the_door_as_a_page(nobody):
    answer = nobody.get(TREE, headers={"HX-Request": "true"})
    assert answer["HX-Redirect"] == f"/signin?next={TREE}"


def test_the_right_password_leads_where_one_wanted_to_go(nobody):
    assert sign_in(nobody, PASSWORD, next=TREE)["Location"] == TREE


def test_another_site_is_nowhere_one_wanted_to_go(nobody):
    assert sign_in(nobody, PASSWORD, next="https://evil.example/")["Location"] == "/"


def test_a_wrong_password_is_refused_in_words(nobody):
    answer = sign_in(nobody, "wrong")
    assert answer.status_code == 200
    assert "do not belong together" in answer.content.decode()


def test_after_five_wrong_tries_the_door_is_shut_even_for_the_right_password(nobody):
    for _ in range(settings.AXES_FAILURE_LIMIT):
        answer = sign_in(nobody, "wrong")
    assert answer.status_code == 429
    assert "Try again in 15 minutes" in answer.content.decode()
    assert sign_in(nobody, PASSWORD).status_code == 429


def test_the_door_is_never_kept_by_a_cache(nobody):
    assert "no-store" in nobody.get("/signin")["Cache-Control"]


def test_signing_out_takes_a_post(ines):
    assert ines.get("/signout").status_code == 405
    assert ines.post("/signout")["Location"] == "/signin"
    assert ines.get("/").status_code == 302


@pytest.mark.parametrize("chosen", ["light", "dark"])
def test_the_chosen_theme_is_on_the_page_that_it_was_chosen_on(ines, chosen):
    answer = ines.post("/theme", {"theme": chosen, "next": f"{TREE}?node=lending/"}, follow=True)
    assert answer.request["PATH_INFO"] == TREE
    assert f'data-theme="{chosen}"' in answer.content.decode()


@pytest.mark.parametrize(
    "back", ["https://evil.example/", "//evil.example/", "/\\evil.example", "", "javascript:1"]
)
def test_the_theme_leads_back_to_this_site_only(ines, back):
    assert ines.post("/theme", {"theme": "dark", "next": back})["Location"] == "/"


def test_a_theme_that_does_not_exist_is_not_kept(ines):
    assert "theme" not in ines.post("/theme", {"theme": "<b>", "next": "/"}).cookies
