"""Tokens replaced, revoked and over, by one or by many at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from django.db import transaction

from members import tokens
from members.callers import OPERATOR
from members.errors import InvalidToken, TokenInvalid
from members.models import Role, Token
from members.projects import join
from members.tokens.text import draw
from tests.members.given_activity import a_project
from tests.members.given_tokens import (
    HERE,
    a_member,
    a_reader_of,
    a_token,
    aged,
    at_once,
    is_kept,
    misspelt,
    told,
    wait_for_a_waiter,
)

PAST, SECOND, DAY = timedelta(seconds=-1), timedelta(seconds=1), timedelta(days=1)


# Replaced


def test_the_new_one_is_like_the_old_one(project):
    old, raw = a_token(a_member(project), project, days=30)
    new, other = tokens.rotate(OPERATOR, old)
    assert other != raw
    assert (new.name, new.project, new.scopes) == (old.name, old.project, old.scopes)
    assert abs(new.expires_at - old.expires_at) < timedelta(minutes=1)
    old.refresh_from_db()
    assert old.successor == new
    (row,) = told("token.rotate")
    assert (row.chain, row.target) == (project.pk, "laptop")
    assert f'"replaces": "{old.pk}"' in row.details


def test_both_open_the_same_for_a_day(project):
    old, raw = a_reader_of(project)
    _, other = tokens.rotate(OPERATOR, old)
    assert tokens.find(raw, HERE)
    assert tokens.find(other, HERE)
    old.refresh_from_db()
    assert abs(old.expires_at - datetime.now(UTC) - DAY) < timedelta(minutes=1)


def test_one_that_ends_sooner_still_ends_then(project):
    old, _ = a_reader_of(project)
    aged(old, expires_at=timedelta(hours=1))
    tokens.rotate(OPERATOR, old)
    old.refresh_from_db()
    assert old.expires_at - datetime.now(UTC) < timedelta(hours=2)


@pytest.mark.parametrize("end", ["revoked", "expired", "replaced"])
def test_one_that_is_over_is_not_replaced(project, end):
    old, _ = a_reader_of(project)
    match end:
        case "revoked":
            tokens.revoke(OPERATOR, old, "lost")
        case "expired":
            aged(old, expires_at=PAST)
        case "replaced":
            tokens.rotate(OPERATOR, old)
    count = Token.objects.count()
    with pytest.raises(InvalidToken):
        tokens.rotate(OPERATOR, old)
    assert Token.objects.count() == count


def test_whoever_could_not_make_it_now_does_not_replace_it(project):
    old, _ = a_reader_of(project)
    join(old.member, project, Role.READER)
    with pytest.raises(InvalidToken):
        tokens.rotate(OPERATOR, old)
    old.refresh_from_db()
    assert old.successor is None


def test_using_a_replaced_one_after_its_day_revokes_all_that_came_after(project):
    first, raw = a_reader_of(project)
    second, _ = tokens.rotate(OPERATOR, first)
    third, newest = tokens.rotate(OPERATOR, second)
    _, bystander = a_token(first.member, project, name="other")
    aged(first, expires_at=PAST)
    for _ in range(2):
        with pytest.raises(TokenInvalid):
            tokens.find(raw, HERE)
    with pytest.raises(TokenInvalid):
        tokens.find(newest, HERE)
    assert tokens.find(bystander, HERE)
    (row,) = told("token.reuse")
    assert (row.chain, row.status, row.token_id) == (project.pk, 401, first.pk)
    assert all(str(each.pk) in row.details for each in (first, second, third))
    assert row.reason
    third.refresh_from_db()
    assert (third.revoked_by, third.revoked_why) == ("system", row.reason)
    assert told("token.expired") == []


def test_one_that_was_revoked_before_its_day_was_over_ends_nothing_else(project):
    old, raw = a_reader_of(project)
    _, other = tokens.rotate(OPERATOR, old)
    tokens.revoke(OPERATOR, old, "lost")
    aged(old, expires_at=PAST)
    with pytest.raises(TokenInvalid):
        tokens.find(raw, HERE)
    assert tokens.find(other, HERE)
    assert told("token.reuse") == told("token.expired") == []


# Revoked


def test_the_first_reason_for_revoking_stays(project):
    token, _ = a_reader_of(project)
    ada = replace(HERE, member=token.member)
    tokens.revoke(ada, token, "lost my laptop")
    tokens.revoke(OPERATOR, token, "another")
    token.refresh_from_db()
    assert (token.revoked_by, token.revoked_why) == ("ada", "lost my laptop")
    (row,) = told("token.revoke")
    assert (row.chain, row.target, row.reason) == (project.pk, "laptop", "lost my laptop")


def test_a_leaked_one_is_revoked_by_its_text(project):
    token, raw = a_reader_of(project)
    tokens.revoke_leaked(raw, HERE)
    token.refresh_from_db()
    assert token.revoked_why == "reported as leaked"
    (row,) = told("token.revoke")
    assert (row.actor_type, row.ip, row.reason) == ("anonymous", "192.0.2.7", "reported as leaked")


def test_a_report_of_no_token_changes_nothing(project):
    _, raw = a_reader_of(project)
    for other in (draw(), misspelt(raw), "", raw.lower()):
        tokens.revoke_leaked(other, HERE)
    assert tokens.find(raw, HERE)
    assert told("token.revoke") == []


def test_whoever_leaves_a_project_leaves_its_tokens(project):
    token, raw = a_reader_of(project)
    _, everywhere = a_token(token.member, None, name="all")
    _, colleague = a_token(a_member(project, name="ben"), project)
    tokens.revoke_of_project(OPERATOR, token.member, project)
    with pytest.raises(TokenInvalid):
        tokens.find(raw, HERE)
    assert tokens.find(everywhere, HERE)
    assert tokens.find(colleague, HERE)
    (row,) = told("token.revoke")
    assert (row.target, row.reason) == ("laptop", "left the project")


def test_tokens_go_with_their_member_and_their_project(project):
    _, raw = a_reader_of(project)
    ben = a_member(project, name="ben")
    _, other = a_token(ben, None)
    project.delete()
    assert not is_kept(raw)
    ben.delete()
    assert not is_kept(other)


@pytest.mark.parametrize("which", ["member", "project"])
def test_tokens_that_were_replaced_go_too(project, which):
    first, _ = a_reader_of(project)
    tokens.rotate(OPERATOR, first)
    (first.member if which == "member" else project).delete()
    assert not Token.objects.exists()


# Soon over


@pytest.mark.parametrize(
    ("left", "days"),
    [
        (timedelta(days=14, seconds=1), None),
        (timedelta(days=14), 14),
        (timedelta(days=2, seconds=1), 3),
        (timedelta(days=1), 1),
        (timedelta(seconds=1), 1),
        (timedelta(0), None),
        (timedelta(days=-1), None),
    ],
)
def test_the_last_days_are_counted(left, days):
    now = datetime.now(UTC)
    assert tokens.warning(Token(expires_at=now + left), now) == days


# Many at once


@pytest.mark.django_db(transaction=True)
def test_of_many_who_replace_one_token_one_does():
    token, _ = a_reader_of(a_project())
    made = at_once(8, lambda _: tokens.rotate(OPERATOR, token))
    assert sum(isinstance(each, InvalidToken) for each in made) == 7
    assert Token.objects.count() == 2
    assert len(told("token.rotate")) == 1


@pytest.mark.django_db(transaction=True)
def test_one_that_is_being_revoked_is_not_replaced_meanwhile():
    token, _ = a_reader_of(a_project())
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            tokens.revoke(OPERATOR, token, "lost")
            rotating = pool.submit(at_once, 1, lambda _: tokens.rotate(OPERATOR, token), threads=1)
            wait_for_a_waiter()
        (refused,) = rotating.result()
    assert isinstance(refused, InvalidToken)
    assert Token.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_of_many_who_take_one_name_one_gets_it():
    project = a_project()
    member = a_member(project)
    made = at_once(8, lambda _: a_token(member, project))
    assert sum(isinstance(each, InvalidToken) for each in made) == 7
    assert len(told("token.create")) == 1


@pytest.mark.django_db(transaction=True)
def test_many_at_once_get_no_more_than_twenty():
    project = a_project()
    member = a_member(project)
    made = at_once(24, lambda number: a_token(member, project, name=f"no {number}"))
    assert sum(isinstance(each, InvalidToken) for each in made) == 4
    assert Token.objects.count() == 20


@pytest.mark.django_db(transaction=True)
def test_what_many_see_at_once_is_noted_once():
    token, raw = a_reader_of(a_project())
    at_once(16, lambda _: tokens.find(raw, HERE))
    assert len(told("token.network")) == 1
    aged(token, expires_at=PAST)
    refused = at_once(16, lambda _: tokens.find(raw, HERE))
    assert all(isinstance(each, TokenInvalid) for each in refused)
    assert len(told("token.expired")) == 1


@pytest.mark.django_db(transaction=True)
def test_a_replaced_token_that_many_use_revokes_its_family_once():
    token, raw = a_reader_of(a_project())
    tokens.rotate(OPERATOR, token)
    aged(token, expires_at=PAST)
    at_once(16, lambda _: tokens.find(raw, HERE))
    assert len(told("token.reuse")) == 1
    assert Token.objects.filter(revoked_at=None).count() == 0
