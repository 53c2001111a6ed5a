"""Who gets to the page "Tokens and clients": people at a browser who signed in lately, and no token."""

from __future__ import annotations

import re

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone

from members import tokens
from members.models import Member, Role, Token
from members.views.freshness import PROVED_AT
from tests.members.given_token_pages import PASSWORD, browser_of, shown, wish, with_password, words
from tests.members.given_tokens import HERE, a_member, a_reader_of, a_token, told

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada(project) -> Member:
    return a_member(project, Role.MEMBER)


# Whose page it is


def addresses(token: Token) -> list[tuple[str, str]]:
    return [
        ("get", "/tokens"),
        ("post", "/tokens"),
        ("post", f"/tokens/{token.pk}/rotate"),
        ("post", f"/tokens/{token.pk}/revoke"),
    ]


def test_whoever_is_not_signed_in_is_sent_to_the_door(project):
    token, _ = a_reader_of(project)
    for method, address in addresses(token):
        answer = getattr(Client(), method)(address)
        assert (answer.status_code, answer["Location"]) == (302, f"/signin?next={address}")


@pytest.mark.parametrize("with_session", [False, True])
def test_a_token_makes_lists_and_revokes_no_tokens(project, with_session):
    token, raw = a_reader_of(project)
    client = browser_of(token.member) if with_session else Client()
    for method, address in addresses(token):
        answer = getattr(client, method)(address, wish(project), headers={"Authorization": f"Bearer {raw}"})
        assert answer.status_code == 403
        assert "not with a token" in words(answer)
    assert Token.objects.count() == 1
    assert tokens.find(raw, HERE)


def test_forms_from_elsewhere_are_refused(project, ada):
    token, raw = a_token(ada, project)
    client = Client(enforce_csrf_checks=True)
    client.cookies[settings.SESSION_COOKIE_NAME] = browser_of(ada).cookies[settings.SESSION_COOKIE_NAME].value
    for method, address in addresses(token):
        if method == "post":
            assert client.post(address, wish(project, name="forged")).status_code == 403
    assert Token.objects.count() == 1
    assert tokens.find(raw, HERE)


# Long after signing in


def test_signing_in_is_remembered_in_the_session(project, ada):
    client = Client()
    with_password(ada)
    client.post("/signin", {"username": "ada", "password": PASSWORD})
    assert timezone.now().timestamp() - client.session[PROVED_AT] < 60
    assert client.post("/tokens", wish(project)).status_code == 200


@pytest.mark.parametrize(("hours", "is_asked"), [(11.9, False), (12.1, True)])
def test_twelve_hours_later_the_password_is_asked_for(project, ada, hours, is_asked):
    a_token(ada, project, name="old")
    client = browser_of(ada, hours=hours)
    page = client.get("/tokens").content.decode()
    assert page.count('type="password"') == (2 if is_asked else 0)
    assert client.post("/tokens", wish(project)).status_code == (400 if is_asked else 200)


def test_a_session_from_before_anybody_remembered_is_an_old_one(project, ada):
    client = browser_of(ada)
    session = client.session
    del session[PROVED_AT]
    session.save()
    assert client.post("/tokens", wish(project)).status_code == 400


def test_the_right_password_makes_it_and_counts_for_twelve_hours(project, ada):
    client = browser_of(with_password(ada), hours=13)
    assert shown(client.post("/tokens", wish(project, password=PASSWORD)))
    assert shown(client.post("/tokens", wish(project, name="second")))


def test_a_wrong_one_makes_nothing(project, ada):
    client = browser_of(with_password(ada), hours=13)
    for password in ("", "wrong"):
        answer = client.post("/tokens", wish(project, password=password))
        assert answer.status_code == 400
        assert 'id="tw-e"' in answer.content.decode()
        assert "wrong" not in re.findall(r'value="([^"]*)"', answer.content.decode())
    assert not Token.objects.exists()
    assert client.post("/tokens", wish(project)).status_code == 400
    assert len(told("auth.failed")) == 1


def test_it_is_asked_for_rotating_too(project, ada):
    token, _ = a_token(with_password(ada), project)
    client = browser_of(ada, hours=13)
    for told_, why in (({}, "password is needed again"), ({"password": "wrong"}, "not your password")):
        answer = client.post(f"/tokens/{token.pk}/rotate", told_)
        assert answer.status_code == 400
        assert why in words(answer)
        assert shown(answer) is None
    assert shown(client.post(f"/tokens/{token.pk}/rotate", {"password": PASSWORD}))


def test_guessing_it_ends_at_the_door(project, ada):
    client = browser_of(with_password(ada), hours=13)
    for _ in range(settings.AXES_FAILURE_LIMIT):
        answer = client.post("/tokens", wish(project, password="wrong"))
    assert answer.status_code == 429
    assert client.post("/tokens", wish(project, password=PASSWORD)).status_code != 200
    assert not Token.objects.exists()


# In the menu


def test_the_menu_leads_there(project, ada):
    assert '<a href="/tokens">Tokens and clients</a>' in browser_of(ada).get("/").content.decode()


@pytest.mark.parametrize("who", ["member", "auditor", "superuser"])
def test_the_menu_leads_auditors_to_everybodys_activity(project, ada, who):
    from django.contrib.auth.models import Group

    if who == "auditor":
        ada.groups.add(Group.objects.get_or_create(name="auditor")[0])
    Member.objects.filter(pk=ada.pk).update(is_superuser=who == "superuser")
    page = browser_of(ada).get("/tokens").content.decode()
    assert ('<a href="/activity">Activity</a>' in page) == (who != "member")
