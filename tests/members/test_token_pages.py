"""The page "Tokens and clients": for people at a browser who signed in lately, and for their own tokens."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from django.utils import timezone
from django.utils.html import escape

from members import tokens
from members.clients import CLIENTS, PLACEHOLDER, configured
from members.errors import TokenInvalid
from members.models import Member, Role, Token
from members.projects import join
from tests.members.given_activity import a_project
from tests.members.given_token_pages import browser_of, shown, wish, words
from tests.members.given_tokens import HERE, a_member, a_token, aged, told

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada(project) -> Member:
    return a_member(project, Role.MEMBER)


# Made


def test_a_token_is_shown_once_and_reads(project, ada):
    client = browser_of(ada)
    made = client.post("/tokens", wish(project))
    raw = shown(made)
    assert made.status_code == 200
    assert tokens.find(raw, HERE).member == ada
    assert "laptop is ready" in words(made)
    assert f"Reads Handbook until {timezone.now() + timedelta(days=30):%-d %B %Y}" in words(made)
    again = client.get("/tokens")
    assert shown(again) is None
    assert f"{raw[:8]}…" in words(again)


def test_it_can_be_for_all_projects(project, ada):
    client = browser_of(ada)
    assert "Reads all your projects until" in words(client.post("/tokens", wish(None)))
    assert Token.objects.get().project is None


@pytest.mark.parametrize("method", ["get", "post"])
def test_nobody_keeps_a_copy_of_the_page(project, ada, method):
    answer = getattr(browser_of(ada), method)("/tokens", wish(project) if method == "post" else {})
    assert "no-store" in answer["Cache-Control"]


def test_sending_the_form_again_makes_and_shows_nothing(project, ada):
    client = browser_of(ada)
    client.post("/tokens", wish(project))
    again = client.post("/tokens", wish(project))
    assert again.status_code == 400
    assert shown(again) is None
    assert "There is a token of this name already" in words(again)
    assert Token.objects.count() == 1


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"name": ""}, "Name it after the client"),
        ({"name": "x" * 101}, "at most 100 characters"),
        ({"name": "\u200b"}, "A name has 1 to 100 characters"),
        ({"project": "nope"}, "Choose one of the projects"),
        ({"project": str(uuid.uuid4())}, "Choose one of the projects"),
        ({"days": "31"}, "Choose one of these"),
        ({"days": "x"}, "Choose one of these"),
        ({"scopes": "member.write"}, "Choose one of these"),
        ({"scopes": []}, "may do nothing"),
    ],
)
def test_a_wrong_wish_is_refused_beside_its_field_and_kept(project, ada, wrong, why):
    answer = browser_of(ada).post("/tokens", wish(project) | wrong)
    assert answer.status_code == 400
    assert why in words(answer)
    assert not Token.objects.exists()
    if "name" not in wrong:
        assert 'value="laptop"' in answer.content.decode()


def test_a_name_is_written_with_care(project, ada):
    hostile = '"><img src=x onerror=alert(1)>'
    client = browser_of(ada)
    for answer in (client.post("/tokens", wish(project, name=hostile)), client.get("/tokens")):
        assert "<img" not in answer.content.decode()
        assert hostile in words(answer)


def test_only_projects_that_a_token_can_read_are_offered(project, ada):
    other, closed = a_project("other"), a_project("closed")
    join(ada, other, Role.READER)
    client = browser_of(ada)
    page = client.get("/tokens").content.decode()
    assert f'value="{project.pk}"' in page
    for each in (other, closed):
        assert f'value="{each.pk}"' not in page
        assert client.post("/tokens", wish(each)).status_code == 400
    assert not Token.objects.exists()


def test_a_superuser_is_offered_all_projects(project):
    root = Member.objects.create(username="root", is_superuser=True)
    assert f'value="{project.pk}"' in browser_of(root).get("/tokens").content.decode()


def test_readers_are_told_why_they_have_none(project):
    client = browser_of(a_member(project, Role.READER))
    page = client.get("/tokens")
    assert "needs the role member or maintainer. You are a reader in Handbook" in words(page)
    assert '<form class="form"' not in page.content.decode()
    assert client.post("/tokens", wish(project)).status_code == 400
    assert client.post("/tokens", wish(None)).status_code == 400
    assert not Token.objects.exists()


def test_whoever_has_no_project_is_told_so(db):
    assert "member of no project" in words(browser_of(a_member()).get("/tokens"))


def test_making_one_stands_in_the_log_as_its_members(project, ada):
    answer = browser_of(ada).post("/tokens", wish(project), headers={"User-Agent": "Firefox"})
    (row,) = told("token.create")
    assert (row.actor_name, row.door, row.ip, row.agent) == ("ada", "portal", "127.0.0.1", "Firefox")
    assert str(row.request_id) == answer["X-Request-Id"]
    assert row.token_id is None


# Listed


def test_the_list_says_what_each_is_for_and_how_long(project, ada):
    made = {name: a_token(ada, project, name=name) for name in ("fresh", "soon", "sooner", "last", "used")}
    for name, left in (("soon", 13.5), ("sooner", 2.5), ("last", 0.5)):
        aged(made[name][0], expires_at=timedelta(days=left))
    tokens.find(made["used"][1], HERE)
    said = words(browser_of(ada).get("/tokens"))
    for row in ("not used yet 14 days left", "3 days left", "last day", "just now curl/8"):
        assert row in said
    assert "3 tokens expire soon" in said
    assert "soon in 14 days" in said
    assert "last within a day" in said


def test_one_that_is_soon_over_is_named(project, ada):
    aged(a_token(ada, project)[0], expires_at=timedelta(days=2.5))
    assert "laptop expires in 3 days. Rotate it" in words(browser_of(ada).get("/tokens"))


def test_many_days_need_no_word(project, ada):
    a_token(ada, project, days=15)
    assert "expire" not in words(browser_of(ada).get("/tokens")).replace("Expires", "")


def test_those_that_are_over_come_last(project, ada):
    for name in ("oldest", "older", "newest"):
        token, _ = a_token(ada, project, name=name)
    tokens.revoke(HERE, token, "lost")
    said = words(browser_of(ada).get("/tokens"))
    places = [said.index(f"{name} ktb_") for name in ("older", "oldest", "newest")]
    assert places == sorted(places)


def test_an_old_one_whose_name_was_given_away_is_expired(project, ada):
    aged(a_token(ada, project)[0], expires_at=timedelta(days=-2))
    client = browser_of(ada)
    client.post("/tokens", wish(project))
    said = words(client.get("/tokens"))
    assert "expired" in said
    assert "revoked" not in said


@pytest.mark.parametrize("end", ["expired", "revoked"])
def test_one_that_is_over_is_listed_for_a_month(project, ada, end):
    token, _ = a_token(ada, project)
    if end == "revoked":
        tokens.revoke(HERE, token, "lost my laptop")
    moved = "revoked_at" if end == "revoked" else "expires_at"
    aged(token, **{moved: timedelta(days=-29)})
    page = browser_of(ada).get("/tokens")
    assert '<tr role="row" class="past">' in page.content.decode()
    assert end in words(page)
    assert ("lost my laptop" in words(page)) == (end == "revoked")
    assert "Revoke laptop" not in page.content.decode()
    aged(token, **{moved: timedelta(days=-31)})
    assert token.hint not in words(browser_of(ada).get("/tokens"))


def test_one_that_opens_nothing_any_more_says_so(project, ada):
    a_token(ada, project)
    a_token(ada, None, name="all")
    join(ada, project, Role.READER)
    said = words(browser_of(ada).get("/tokens"))
    assert "Handbook not any more" in said
    assert "all your projects not any more" in said


def test_nobody_sees_the_tokens_of_others(project, ada):
    token, _ = a_token(a_member(project, name="ben"), project, name="of ben")
    said = browser_of(ada).get("/tokens").content.decode()
    assert "of ben" not in said
    assert token.hint not in said


def test_how_to_ask_is_said_with_the_address_of_this_server(project, ada):
    said = words(browser_of(ada).get("/tokens", headers={"Host": "localhost:8123"}))
    assert "http://localhost:8123/api/member/v1/brain/tree?node=/" in said


# Connected


def test_every_client_is_told_of_this_server(project, ada):
    page = browser_of(ada).get("/tokens", headers={"Host": "localhost:8123"}).content.decode()
    for client, texts in configured("http://localhost:8123/mcp"):
        assert f"</svg>{client.name}</summary>" in page
        for _, text in texts:
            assert f"<code>{escape(text)}</code>" in page


def test_a_token_stands_ready_in_what_its_client_is_told(project, ada):
    made = browser_of(ada).post("/tokens", wish(project))
    for _, texts in configured("http://testserver/mcp", shown(made)):
        for _, text in texts:
            assert f'data-copy="{escape(text)}"' in made.content.decode()
    assert PLACEHOLDER not in words(made)


def test_one_that_came_in_the_place_of_another_stands_there_too(project, ada):
    token, _ = a_token(ada, project)
    made = browser_of(ada).post(f"/tokens/{token.pk}/rotate")
    assert f'--header "Authorization: Bearer {shown(made)}"' in words(made)


def test_until_then_its_place_is_marked(project, ada):
    assert f'export KTB_TOKEN="{PLACEHOLDER}"' in words(browser_of(ada).get("/tokens"))


def test_without_script_every_client_can_be_opened(project, ada):
    page = browser_of(ada).get("/tokens").content.decode()
    assert page.count('<details class="fold" name="client"') == len(CLIENTS) + 1
    assert page.count('<details class="fold" name="client" open>') == 1


def test_nobody_without_a_project_is_told_how_to_connect(db):
    assert "Connect a client" not in words(browser_of(a_member()).get("/tokens"))


# Rotated and revoked


def test_a_new_one_comes_in_its_place_and_is_shown_once(project, ada):
    token, raw = a_token(ada, project)
    client = browser_of(ada)
    answer = client.post(f"/tokens/{token.pk}/rotate")
    assert answer.status_code == 200
    assert "no-store" in answer["Cache-Control"]
    other = shown(answer)
    assert tokens.find(other, HERE).name == "laptop"
    assert tokens.find(raw, HERE)
    page = client.get("/tokens")
    assert shown(page) is None
    assert "replaced until" in words(page)
    (row,) = told("token.rotate")
    assert (row.actor_name, row.door) == ("ada", "portal")


def test_doing_it_again_shows_nothing(project, ada):
    token, _ = a_token(ada, project)
    client = browser_of(ada)
    client.post(f"/tokens/{token.pk}/rotate")
    again = client.post(f"/tokens/{token.pk}/rotate")
    assert again.status_code == 400
    assert shown(again) is None
    assert "replaced already" in words(again)
    assert Token.objects.count() == 2


def test_one_is_revoked_at_once(project, ada):
    token, raw = a_token(ada, project)
    answer = browser_of(ada, hours=20).post(f"/tokens/{token.pk}/revoke")
    assert (answer.status_code, answer["Location"]) == (302, "/tokens")
    with pytest.raises(TokenInvalid):
        tokens.find(raw, HERE)
    (row,) = told("token.revoke")
    assert (row.actor_name, row.door, row.reason) == ("ada", "portal", "by its owner")


@pytest.mark.parametrize("verb", ["rotate", "revoke"])
def test_those_of_others_and_those_that_are_none_are_not_found(project, ada, verb):
    token, _ = a_token(a_member(project, name="ben"), project)
    client = browser_of(ada)
    assert client.post(f"/tokens/{token.pk}/{verb}").status_code == 404
    assert client.post(f"/tokens/{uuid.uuid4()}/{verb}").status_code == 404
    token.refresh_from_db()
    assert (token.revoked_at, token.successor) == (None, None)


@pytest.mark.parametrize("verb", ["rotate", "revoke"])
def test_looking_changes_nothing(project, ada, verb):
    token, _ = a_token(ada, project)
    client, before = browser_of(ada), told()
    assert client.get(f"/tokens/{token.pk}/{verb}").status_code == 405
    client.get("/tokens")
    client.head("/tokens")
    token.refresh_from_db()
    assert (token.revoked_at, token.successor) == (None, None)
    assert told() == before
