"""`manage.py token` and `member`: what an operator does to tokens and people, and that it is noted."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.core.management import load_command_class

from members import tokens
from members.errors import TokenInvalid
from members.models import Member, Membership, Role, Token
from members.tokens.text import is_well_formed
from tests.members.given_tokens import HERE, a_member, a_reader_of, a_token, aged, everything_stored, told

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(capsys, monkeypatch):
    """A command as from a shell: exit code, standard output, standard error."""
    monkeypatch.setattr("django.db.connections.close_all", lambda: None)

    def ran(command: str, *arguments: str) -> tuple[int, str, str]:
        code = 0
        try:
            load_command_class("members", command).run_from_argv(["manage.py", command, *arguments])
        except SystemExit as end:
            code = int(end.code or 0)
        return code, *capsys.readouterr()

    return ran


def answer(ran: tuple[int, str, str]) -> object:
    assert ran[0] == 0, ran[2]
    return json.loads(ran[1])


# Making


def test_a_token_is_printed_once_and_reads(run, project):
    a_member(project)
    code, out, _ = run("token", "create", "--member", "ada", "--project", "handbook")
    raw = out.split()[-1]
    assert code == 0
    assert is_well_formed(raw)
    found = tokens.find(raw, HERE)
    assert (found.name, found.project, found.member.username) == ("command line", project, "ada")
    assert raw not in run("token", "list")[1]
    assert raw not in everything_stored()


def test_as_json_it_comes_with_all_about_it(run, project):
    a_member(project)
    made = answer(run("token", "create", "--member", "ada", "--all", "--days", "7", "--name", "ci", "--json"))
    token = Token.objects.get()
    assert is_well_formed(made.pop("token"))
    assert made == {
        "id": str(token.pk),
        "hint": token.hint,
        "name": "ci",
        "member": "ada",
        "project": None,
        "scopes": ["member.read"],
        "state": "live",
        "expiresAt": token.expires_at.isoformat(timespec="seconds"),
        "lastUsedAt": None,
    }
    assert token.expires_at - token.created_at < timedelta(days=7, minutes=1)


def test_tokens_without_a_name_get_a_free_one(run, project):
    a_member(project)
    names = [answer(run("token", "create", "--member", "ada", "--all", "--json"))["name"] for _ in range(3)]
    assert names == ["command line", "command line 2", "command line 3"]


def test_making_one_stands_in_the_log_as_the_operators(run, project):
    a_member(project)
    run("token", "create", "--member", "ada", "--project", "handbook")
    (row,) = told("token.create")
    assert (row.actor_type, row.door, row.chain) == ("operator", "command", project.pk)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["--member", "eve", "--all"], "no member eve"),
        (["--member", "ada", "--project", "nope"], "No such project"),
        (["--member", "ada", "--project", "handbook"], "role member or maintainer"),
        (["--member", "ada", "--all"], "role member or maintainer"),
    ],
)
@pytest.mark.parametrize("as_json", [False, True])
def test_a_refusal_is_a_sentence_and_one(run, project, arguments, why, as_json):
    a_member(project, Role.READER)
    code, out, err = run("token", "create", *arguments, *(["--json"] if as_json else []))
    assert code == 1
    assert why in err
    assert (why in json.loads(out)["error"]) if as_json else out == ""


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["create"],
        ["create", "--member", "ada"],
        ["create", "--member", "ada", "--all", "--project", "handbook"],
        ["create", "--member", "ada", "--all", "--days", "0"],
        ["create", "--member", "ada", "--all", "--days", "366"],
        ["create", "--member", "ada", "--all", "--days", "²"],
        ["revoke"],
        ["rotate"],
    ],
)
def test_wrong_use_ends_with_64(run, arguments):
    assert run("token", *arguments)[0] == 64


# Listing


def test_the_list_has_every_token_with_what_became_of_it(run, project):
    ada = a_member(project)
    for name in ("live", "replaced", "expired", "revoked"):
        a_token(ada, project, name=name)
    aged(Token.objects.get(name="expired"), expires_at=timedelta(seconds=-1))
    tokens.revoke(HERE, Token.objects.get(name="revoked"), "lost")
    tokens.rotate(HERE, Token.objects.get(name="replaced"))
    a_token(a_member(project, name="ben"), None)
    listed = [(one["member"], one["name"], one["state"]) for one in answer(run("token", "list", "--json"))]
    assert listed == [
        ("ada", "replaced", "live"),
        ("ada", "revoked", "revoked"),
        ("ada", "expired", "expired"),
        ("ada", "replaced", "replaced"),
        ("ada", "live", "live"),
        ("ben", "laptop", "live"),
    ]
    lines = run("token", "list", "--member", "ben")[1].splitlines()
    assert len(lines) == 1
    assert "ben  laptop: all projects, live, until " in lines[0]


def test_no_token_is_said(run):
    assert run("token", "list")[1] == "There is no token.\n"


# Revoking


def test_tokens_end_by_id_and_by_hint(run, project):
    ada = a_member(project)
    made = [a_token(ada, project, name=name) for name in ("one", "two", "three")]
    ended = answer(run("token", "revoke", str(made[0][0].pk), made[1][0].hint, "--json"))
    assert [one["state"] for one in ended] == ["revoked", "revoked"]
    for _, raw in made[:2]:
        with pytest.raises(TokenInvalid):
            tokens.find(raw, HERE)
    assert tokens.find(made[2][1], HERE)
    rows = told("token.revoke")
    assert {(row.actor_type, row.reason) for row in rows} == {("operator", "by the operator")}
    assert len(rows) == 2


def test_if_one_is_unknown_none_ends(run, project):
    token, raw = a_reader_of(project)
    code, _, err = run("token", "revoke", token.hint, "ktb_none")
    assert (code, err) == (1, "There is no token ktb_none.\n")
    assert tokens.find(raw, HERE)


def test_a_hint_of_several_is_refused_with_their_ids(run, project):
    ada = a_member(project)
    made = [a_token(ada, project, name=name)[0] for name in ("one", "two")]
    Token.objects.update(hint="ktb_same")
    code, _, err = run("token", "revoke", "ktb_same")
    assert code == 1
    assert all(str(token.pk) in err for token in made)
    assert told("token.revoke") == []


# People


def test_a_new_member_and_their_role_stand_in_the_log(run, project):
    assert run("member", "add", "ada", "--project", "handbook", "--role", "member")[0] == 0
    person, role = told()
    assert (person.action, person.target, person.actor_type) == ("member.add", "ada", "operator")
    assert (role.action, role.target, role.chain) == ("membership.add", "ada", project.pk)
    assert json.loads(role.details) == {"role": "member"}


def test_another_role_stands_there_with_the_one_before_and_the_same_again_does_not(run, project):
    a_member(project, Role.MEMBER)
    for _ in range(2):
        run("member", "add", "ada", "--project", "handbook", "--role", "reader")
    (row,) = told()
    assert row.action == "membership.change"
    assert json.loads(row.details) == {"role": {"from": "member", "to": "reader"}}


def test_nobody_is_added_who_can_not_stand_in_the_log(run, monkeypatch, project):
    from dataclasses import replace

    from members.callers import OPERATOR

    broken = replace(OPERATOR, request_id="none")
    monkeypatch.setattr("members.management.commands.member.OPERATOR", broken)
    with pytest.raises(Exception, match="not a valid UUID"):
        run("member", "add", "ada", "--project", "handbook")
    assert not Member.objects.exists()
    assert not Membership.objects.exists()
