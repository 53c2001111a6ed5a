"""Who sends a request: a bearer token in the header, and nothing else."""

from __future__ import annotations

import logging
import uuid

import pytest
from django.http import HttpResponse
from django.test import Client, RequestFactory, override_settings
from django.urls import path
from rest_framework.request import Request
from rest_framework.views import APIView

import config.urls
from members import tokens
from members.authentication import BearerAuthentication, member_by_token
from members.callers import OPERATOR, Door
from members.errors import RateLimited, TokenInvalid, TokenMissing
from members.models import RateWindow
from members.tokens.text import draw
from tests.members.given_tokens import HERE, a_member, a_reader_of, everything_stored, misspelt, told


class WhoAmI(APIView):
    """Says whose token it was asked with."""

    authentication_classes = (BearerAuthentication,)
    permission_classes = ()

    def get(self, request):
        return HttpResponse(f"{request.user.get_username()} {request.auth.name if request.auth else '-'}")


urlpatterns = [path("api/who", WhoAmI.as_view()), *config.urls.urlpatterns]
handler400, handler403 = config.urls.handler400, config.urls.handler403
handler404, handler500 = config.urls.handler404, config.urls.handler500
pytestmark = [pytest.mark.django_db, pytest.mark.urls(__name__)]


def ask(header=None, client=None, **more):
    headers = {"Authorization": header} if header is not None else {}
    return (client or Client()).get("/api/who", headers=headers, **more)


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER", " Bearer "])
def test_a_token_tells_its_member(project, scheme):
    _, raw = a_reader_of(project)
    assert ask(f"{scheme} {raw} ").content == b"ada laptop"


@pytest.mark.parametrize("header", [None, "", "Basic YWRhOmFkYQ==", "Token x", "Bearerktb_"])
def test_without_a_token_one_is_nobody(header):
    assert ask(header).content == b" -"


@pytest.mark.parametrize("raw", ["", "x", "ktb_", "a b", "x" * 5_000, "ktb_é", "ktb_\udcff"])
def test_what_is_no_token_is_refused(raw):
    assert ask(f"Bearer {raw}").status_code == 401


def test_a_refusal_is_a_problem_with_the_form_to_send(project):
    _, raw = a_reader_of(project)
    answers = [ask(f"Bearer {other}") for other in (misspelt(raw), draw())]
    tokens.revoke_leaked(raw, HERE)
    answers.append(ask(f"Bearer {raw}"))
    told_once = set()
    for answer in answers:
        problem = answer.json()
        assert answer.status_code == 401
        assert answer["Content-Type"] == "application/problem+json"
        assert answer["WWW-Authenticate"] == 'Bearer realm="brain", error="invalid_token"'
        assert problem.pop("instance") == f"urn:uuid:{answer['X-Request-Id']}"
        assert problem["code"] == "token-invalid"
        told_once.add(tuple(problem.items()))
        assert not [name for name in answer.headers if "ratelimit" in name.lower()]
    assert len(told_once) == 1


def test_a_refused_token_is_looked_up_once(project, django_assert_max_num_queries):
    with django_assert_max_num_queries(2):  # the token, and the count of failures
        ask(f"Bearer {draw()}")
    assert RateWindow.objects.get().count == 1


def test_a_refused_request_is_nobodys_from_then_on(django_assert_num_queries):
    bare = RequestFactory().get("/", headers={"Authorization": f"Bearer {draw()}"})
    request = Request(bare, authenticators=[BearerAuthentication()])
    with pytest.raises(TokenInvalid):
        request.user  # noqa: B018
    with django_assert_num_queries(0):
        assert request.user.is_anonymous
        assert request.auth is None


def test_a_session_counts_for_nothing_here(project):
    client = Client()
    client.force_login(a_member(project))
    assert ask(client=client).content == b" -"
    assert ask(f"Bearer {draw()}", client=client).status_code == 401


def test_with_a_session_and_a_token_only_the_token_counts(project):
    _, raw = a_reader_of(project)
    client = Client()
    client.force_login(a_member(project, name="ben"))
    assert ask(f"Bearer {raw}", client=client).content == b"ada laptop"


def test_how_one_proves_oneself_is_told_to_whoever_does_not():
    assert BearerAuthentication().authenticate_header(None) == 'Bearer realm="brain"'


# Guesses


def test_failures_are_counted_by_address_and_then_refused_with_a_wait(project):
    _, raw = a_reader_of(project)
    with override_settings(RATE_LIMITS={"auth": 2}):
        assert [ask(f"Bearer {draw()}").status_code for _ in range(3)] == [401, 401, 429]
        refused = ask(f"Bearer {misspelt(raw)}")
        assert refused.status_code == 429
        assert 1 <= int(refused["Retry-After"]) <= 60
        assert ask(f"Bearer {draw()}", REMOTE_ADDR="192.0.2.9").status_code == 401
        assert ask(f"Bearer {raw}").content == b"ada laptop"


def test_an_address_is_not_what_a_client_says(project):
    with override_settings(RATE_LIMITS={"auth": 1}):
        codes = [ask(f"Bearer {draw()}", HTTP_X_FORWARDED_FOR=f"192.0.2.{n}").status_code for n in range(2)]
    assert codes == [401, 429]
    _, raw = a_reader_of(project)
    ask(f"Bearer {raw}", HTTP_X_FORWARDED_FOR="192.0.2.1", REMOTE_ADDR="198.51.100.7")
    (row,) = told("token.network")
    assert row.ip == "198.51.100.7"


# What is written down


def test_a_use_is_noted_with_its_request(project):
    _, raw = a_reader_of(project)
    answer = ask(f"Bearer {raw}", HTTP_USER_AGENT="curl/8\x1b[2J")
    (row,) = told("token.network")
    assert str(row.request_id) == answer["X-Request-Id"]
    assert (row.door, row.agent) == ("api", "curl/8[2J")


def test_no_answer_log_or_row_repeats_a_token(project, caplog):
    caplog.set_level(logging.DEBUG)
    _, raw = a_reader_of(project)
    client = Client(raise_request_exception=False)
    said = [
        ask(f"Bearer {raw}", client).content,
        client.get("/api/member/v1/brain/status", {"token": raw}).content,
        client.get("/api/member/v1/brain/none", headers={"Authorization": f"Bearer {raw}"}).content,
        client.get("/tokens", headers={"Authorization": f"Bearer {raw}"}).content,
        client.post("/tokens/revoke", {"token": raw}).content,
        ask(f"Bearer {raw}", client).content,
    ]
    assert b"ada" in said[0]
    for text in (*said, caplog.text.encode(), everything_stored().encode()):
        assert raw[9:] not in text.decode()


def test_a_token_in_an_address_is_refused(project):
    _, raw = a_reader_of(project)
    answer = Client().get("/api/member/v1/brain/status", {"token": raw})
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid-argument")
    assert raw not in answer.content.decode()


# Other doors


def test_other_doors_ask_the_same_function(project):
    token, raw = a_reader_of(project)
    number = str(uuid.uuid4())
    found = member_by_token(f"Bearer {raw}", ip="192.0.2.7", agent="claude", request_id=number)
    assert (found.pk, found.member.username) == (token.pk, "ada")
    (row,) = told("token.network")
    assert (row.door, row.agent, str(row.request_id)) == (Door.MCP, "claude", number)


def test_and_are_refused_alike():
    with override_settings(RATE_LIMITS={"auth": 1}):
        for header, refusal in (
            ("", TokenMissing),
            ("Basic x", TokenMissing),
            ("Bearer x", TokenInvalid),
            ("Bearer x", RateLimited),
        ):
            with pytest.raises(refusal):
                member_by_token(header, ip="192.0.2.7", agent="")


# The door for finders


def leaked(body=None, client=None, **more):
    return (client or Client(enforce_csrf_checks=True)).post("/tokens/revoke", body, **more)


@pytest.mark.parametrize("form", ["json", "form"])
def test_whoever_finds_a_token_ends_it(project, form):
    token, raw = a_reader_of(project)
    more = (
        {"content_type": "application/json"}
        if form == "json"
        else {"content_type": "application/x-www-form-urlencoded"}
    )
    body = {"token": raw} if form == "json" else f"token={raw}"
    answer = leaked(body, **more, HTTP_USER_AGENT="scanner/1")
    assert (answer.status_code, answer.content) == (204, b"")
    assert ask(f"Bearer {raw}").status_code == 401
    token.refresh_from_db()
    assert token.revoked_why == "reported as leaked"
    (row,) = told("token.revoke")
    assert (row.actor_type, row.ip, row.agent, row.door) == ("anonymous", "127.0.0.1", "scanner/1", "api")
    assert str(row.request_id) == answer["X-Request-Id"]


def test_a_finder_can_not_tell_whether_there_was_one(project):
    token, raw = a_reader_of(project)
    _, over = tokens.rotate(OPERATOR, token)
    tokens.revoke_leaked(over, HERE)
    seen = set()
    for text in (raw, raw, over, draw(), misspelt(raw), "x"):
        answer = leaked({"token": text}, content_type="application/json")
        answer.headers.pop("X-Request-Id")
        seen.add((answer.status_code, answer.content, tuple(sorted(answer.headers.items()))))
    assert len(seen) == 1


@pytest.mark.parametrize(
    ("body", "content_type", "status"),
    [
        ("", "application/json", 400),
        ("{", "application/json", 400),
        ("[]", "application/json", 400),
        ('"ktb_x"', "application/json", 400),
        ("{}", "application/json", 400),
        ('{"token": 1}', "application/json", 400),
        ('{"token": ""}', "application/json", 400),
        ('{"token": ["ktb_x"]}', "application/json", 400),
        ("x=1", "application/x-www-form-urlencoded", 400),
        ("token=", "application/x-www-form-urlencoded", 400),
        ("ktb_x", "text/plain", 415),
        ('{"token": "' + "x" * 4_100 + '"}', "application/json", 413),
    ],
)
def test_what_holds_no_token_is_refused(body, content_type, status):
    answer = leaked(body, content_type=content_type)
    assert answer.status_code == status
    assert answer["Content-Type"] == "application/problem+json"


def test_a_token_in_the_address_of_this_door_is_refused_too(project):
    _, raw = a_reader_of(project)
    answer = Client().post(f"/tokens/revoke?token={raw}")
    assert answer.status_code == 400
    assert raw not in answer.content.decode()


@pytest.mark.parametrize("method", ["get", "put", "delete", "options"])
def test_it_takes_nothing_but_posts(method):
    assert getattr(Client(), method)("/tokens/revoke").status_code == 405


def test_finders_are_counted_by_address():
    with override_settings(RATE_LIMITS={"auth": 2}):
        codes = [leaked({"token": draw()}, content_type="application/json").status_code for _ in range(3)]
    assert codes == [204, 204, 429]


def test_a_finder_needs_no_form_and_no_session_of_ours(project):
    _, raw = a_reader_of(project)
    client = Client(enforce_csrf_checks=True)
    client.force_login(a_member(project, name="ben"))
    assert leaked({"token": raw}, client, content_type="application/json").status_code == 204
    (row,) = told("token.revoke")
    assert row.actor_type == "anonymous"
