"""Tokens: shown once, stored as a hash, and never opening more than their member may open now."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from members import tokens
from members.access import project_for
from members.callers import OPERATOR
from members.errors import AccessDenied, InsufficientScope, InvalidToken, PermissionDenied, TokenInvalid
from members.models import Member, Role, Token
from members.permissions import MEMBER_READ
from members.projects import join
from members.tokens.text import digest_of, draw
from tests.members.given_activity import a_project
from tests.members.given_tokens import (
    HERE,
    a_member,
    a_reader_of,
    a_token,
    aged,
    chain_of,
    everything_stored,
    misspelt,
    told,
)

PAST, SECOND, DAY = timedelta(seconds=-1), timedelta(seconds=1), timedelta(days=1)


# Made


def test_only_its_hash_is_stored(project):
    token, raw = a_reader_of(project)
    tokens.find(raw, HERE)
    _, other = tokens.rotate(OPERATOR, token)
    tokens.revoke_leaked(other, HERE)
    stored = everything_stored()
    for secret in (raw, other):
        assert digest_of(secret) in stored
        assert secret not in stored
        assert secret[8:] not in stored
        assert secret[:9] not in stored
    assert token.hint == raw[:8]


def test_it_names_a_project_and_lives_for_ninety_days_by_default(project):
    token, _ = a_reader_of(project)
    assert token.project == project
    assert token.scopes == [MEMBER_READ]
    assert abs(token.expires_at - datetime.now(UTC) - timedelta(days=90)) < timedelta(minutes=1)


@pytest.mark.parametrize("days", [1, 365])
def test_it_lives_for_the_days_that_were_asked_for(project, days):
    token, _ = a_token(a_member(project), project, days=days)
    assert abs(token.expires_at - datetime.now(UTC) - timedelta(days=days)) < timedelta(minutes=1)


def test_its_name_is_one_clean_line(project):
    token, _ = a_token(a_member(project), project, name=" my\u202e \n laptop\x00 ")
    assert token.name == "my laptop"


@pytest.mark.parametrize(
    ("wish", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": " \u200b "}, "name"),
        ({"name": "x" * 101}, "name"),
        ({"days": 0}, "days"),
        ({"days": 366}, "days"),
        ({"scopes": []}, "scopes"),
        ({"scopes": ["member.read", "member.write"]}, "scopes"),
    ],
)
def test_a_wish_that_is_none_is_refused_by_its_field(project, wish, field):
    with pytest.raises(InvalidToken) as refused:
        a_token(a_member(project), project, **wish)
    assert refused.value.field == field
    assert not Token.objects.exists()
    assert told() == []


def test_a_name_of_a_hundred_characters_is_taken(project):
    assert a_token(a_member(project), project, name="x" * 100)[0].name == "x" * 100


@pytest.mark.parametrize("role", [Role.MEMBER, Role.MAINTAINER])
def test_members_and_maintainers_have_tokens_for_one_project_and_for_all(project, role):
    member = a_member(project, role)
    assert a_token(member, project, name="one")[0].project == project
    assert a_token(member, None, name="all")[0].project is None


def test_a_superuser_has_tokens_for_any_project(project):
    root = Member.objects.create_superuser("root")
    assert a_token(root, project)[0].project == project


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("who", ["reader", "outsider", "inactive"])
def test_others_have_none(project, who, named):
    member = a_member(project if who != "outsider" else None, Role.READER if who == "reader" else Role.MEMBER)
    Member.objects.filter(pk=member.pk).update(is_active=who != "inactive")
    with pytest.raises(InvalidToken) as refused:
        a_token(member, project if named else None)
    assert refused.value.field == "project"


def test_being_a_member_elsewhere_gives_no_token_for_a_project_one_only_reads(project):
    member = a_member(project, Role.READER)
    join(member, a_project("other"), Role.MEMBER)
    with pytest.raises(InvalidToken):
        a_token(member, project)


def test_a_name_is_given_once_to_each_member(project):
    ada, ben = a_member(project), a_member(project, name="ben")
    a_token(ada, project)
    a_token(ben, project)
    with pytest.raises(InvalidToken) as refused:
        a_token(ada, None)
    assert refused.value.field == "name"


@pytest.mark.parametrize("end", ["revoked", "expired"])
def test_the_name_of_a_token_that_is_over_is_free(project, end):
    member = a_member(project)
    token, raw = a_token(member, project)
    if end == "revoked":
        tokens.revoke(OPERATOR, token, "lost")
    else:
        aged(token, expires_at=PAST)
    _, second = a_token(member, project)
    assert tokens.find(second, HERE).name == token.name
    with pytest.raises(TokenInvalid):
        tokens.find(raw, HERE)


def test_a_member_has_twenty_tokens_that_open_something(project):
    member = a_member(project)
    made = [a_token(member, project, name=f"no {number}")[0] for number in range(20)]
    with pytest.raises(InvalidToken) as refused:
        a_token(member, project, name="one more")
    assert "20" in str(refused.value)
    aged(made[0], expires_at=PAST)
    a_token(member, project, name="one more")
    tokens.rotate(OPERATOR, made[1])
    tokens.revoke(OPERATOR, made[2], "lost")
    a_token(member, project, name="and one more")


@pytest.mark.parametrize("named", [True, False])
def test_making_one_stands_in_the_log_of_its_project(project, named):
    token, _ = a_token(a_member(project), project if named else None)
    (row,) = told("token.create")
    assert row.chain == chain_of(project if named else None)
    assert (row.actor_type, row.target) == ("operator", "laptop")
    assert '"project": "handbook"' in row.details if named else '"project": "all"' in row.details
    assert f'"token": "{token.pk}"' in row.details
    assert MEMBER_READ in row.details
    assert token.expires_at.isoformat(timespec="seconds") in row.details


def test_a_token_that_the_log_does_not_take_is_not_made(project):
    member = a_member(project)
    with pytest.raises(Exception, match="not a valid UUID"):
        tokens.issue(replace(HERE, request_id="none"), member, name="laptop", project=project)
    assert not Token.objects.exists()


# Found


def test_it_is_found_with_its_member_by_one_select(project, django_assert_num_queries):
    token, raw = a_reader_of(project)
    tokens.find(raw, HERE)
    with django_assert_num_queries(1):
        found = tokens.find(raw, HERE)
        assert (found.pk, found.member.username) == (token.pk, "ada")


def test_a_mistyped_one_is_refused_without_asking_the_database(project, django_assert_num_queries):
    _, raw = a_reader_of(project)
    with django_assert_num_queries(0), pytest.raises(TokenInvalid):
        tokens.find(misspelt(raw), HERE)


def test_all_that_open_nothing_are_refused_in_the_same_words(project):
    raws = {name: a_token(a_member(project, name=name), project)[1] for name in ("ben", "cleo", "dora")}
    tokens.revoke(OPERATOR, Token.objects.get(member__username="ben"), "lost")
    aged(Token.objects.get(member__username="cleo"), expires_at=PAST)
    Member.objects.filter(username="dora").update(is_active=False)
    refusals = set()
    for raw in (*raws.values(), draw(), misspelt(draw()), "", "ktb_", "x" * 10_000, "ktb_é"):
        with pytest.raises(TokenInvalid) as refused:
            tokens.find(raw, HERE)
        refusals.add(str(refused.value))
    assert len(refusals) == 1


def test_it_is_over_at_its_end_by_the_clock_of_the_database(project):
    token, raw = a_reader_of(project)
    aged(token, expires_at=SECOND)
    assert tokens.find(raw, HERE)
    aged(token, expires_at=PAST)
    with pytest.raises(TokenInvalid):
        tokens.find(raw, HERE)


def test_a_revoked_one_is_refused_at_its_next_use(project):
    token, raw = a_reader_of(project)
    tokens.find(raw, HERE)
    tokens.revoke(OPERATOR, token, "lost")
    with pytest.raises(TokenInvalid):
        tokens.find(raw, HERE)


def test_its_use_is_noted_twice_a_minute_at_most(project, django_assert_num_queries):
    token, raw = a_reader_of(project)
    tokens.find(raw, HERE)
    token.refresh_from_db()
    first = token.last_used_at
    assert first
    assert token.last_agent == "curl/8"
    with django_assert_num_queries(1):
        tokens.find(raw, replace(HERE, agent="wget"))
    token.refresh_from_db()
    assert (token.last_used_at, token.last_agent) == (first, "curl/8")
    aged(token, last_used_at=timedelta(seconds=-30))
    with django_assert_num_queries(2):
        tokens.find(raw, replace(HERE, agent="wget"))
    token.refresh_from_db()
    assert token.last_used_at > first
    assert token.last_agent == "wget"


@pytest.mark.parametrize(
    ("ip", "network"),
    [("192.0.2.7", "192.0.2.0/24"), ("2001:db8:1:2::3", "2001:db8:1::/48")],
)
def test_the_first_use_from_a_network_stands_in_the_log(project, ip, network):
    token, raw = a_reader_of(project)
    for _ in range(2):
        tokens.find(raw, replace(HERE, ip=ip))
    (row,) = told("token.network")
    assert (row.chain, row.target, row.ip) == (project.pk, "laptop", ip)
    assert (row.actor_name, row.token_id, row.token_hash) == ("ada", token.pk, token.digest[:8])
    assert network in row.details
    token.refresh_from_db()
    assert token.networks == [network]


def test_the_newest_ten_networks_are_kept(project):
    token, raw = a_reader_of(project)
    for number in range(12):
        tokens.find(raw, replace(HERE, ip=f"192.0.{number}.7"))
    token.refresh_from_db()
    assert token.networks == [f"192.0.{number}.0/24" for number in range(11, 1, -1)]
    assert len(told("token.network")) == 12


def test_a_use_from_no_address_is_from_no_network(project):
    _, raw = a_reader_of(project)
    assert tokens.find(raw, replace(HERE, ip=None)).networks == []
    assert told("token.network") == []


def test_the_first_use_after_its_end_stands_in_the_log_once(project):
    token, raw = a_reader_of(project)
    aged(token, expires_at=PAST)
    for _ in range(3):
        with pytest.raises(TokenInvalid):
            tokens.find(raw, HERE)
    (row,) = told("token.expired")
    assert (row.chain, row.status, row.token_id, row.actor_name) == (project.pk, 401, token.pk, "ada")


# What it opens


def test_it_opens_what_its_member_may_open_now(project):
    token, raw = a_reader_of(project)
    caller = replace(HERE, member=token.member, token=token)
    assert project_for(caller, "handbook", MEMBER_READ) == project
    join(token.member, project, Role.READER)
    tokens.find(raw, HERE)
    with pytest.raises(PermissionDenied):
        project_for(caller, "handbook", MEMBER_READ)
    token.member.memberships.all().delete()
    tokens.find(raw, HERE)
    with pytest.raises(AccessDenied):
        project_for(caller, "handbook", MEMBER_READ)


def test_one_for_a_project_opens_no_other_of_its_member(project):
    token, _ = a_reader_of(project)
    join(token.member, a_project("other"), Role.MAINTAINER)
    with pytest.raises(AccessDenied):
        project_for(replace(HERE, member=token.member, token=token), "other", MEMBER_READ)


def test_one_without_the_scope_reads_nothing(project):
    token, _ = a_reader_of(project)
    token.scopes = []
    with pytest.raises(InsufficientScope):
        project_for(replace(HERE, member=token.member, token=token), "handbook", MEMBER_READ)
