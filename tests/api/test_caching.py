"""An answer that the caller has already: 304, after access was checked, and noted as a read."""

from __future__ import annotations

import json

import pytest
from django.utils import timezone

from brain import models
from brain.catalogue import READS
from brain.forms import Door
from members import tokens
from members.callers import OPERATOR
from members.models import Membership, ReadCount, Role
from tests.api.given_doors import Entrance, activities, asked
from tests.api.given_world import a_bearer
from tests.given_db import a_built_team

STAMPED = [name for name, read in READS.items() if read.stamped]
VARY = {"Authorization", "Cookie", "Accept", "HX-Request"}


def having(tag):
    return {"headers": {"If-None-Match": tag}}


def source(world):
    return models.Source.objects.filter(project=world.handbook.project)


@pytest.mark.parametrize("read", STAMPED)
def test_whoever_has_the_answer_is_told_so(door, world, read):
    first = asked(door, read, world)
    if (door.door, read) == (Door.MEMBER, "resolve"):
        assert not first.has_header("ETag")  # it is asked by POST, which no cache keeps
        return
    again = asked(door, read, world, **having(first["ETag"]))
    assert (again.status_code, again["ETag"]) == (304, first["ETag"])
    assert set(again["Vary"].split(", ")) >= VARY


def test_the_state_has_no_tag(door):
    assert not door.ask("status").has_header("ETag")
    assert door.ask("status", **having("*")).status_code == 200


@pytest.mark.parametrize("form", ["W/{}", '"other", {}', '"other",W/{}', "*"])
def test_every_form_of_naming_a_tag_counts(door, form):
    tag = door.ask("tree")["ETag"]
    assert door.ask("tree", **having(form.format(tag))).status_code == 304


@pytest.mark.parametrize("form", ['"other"', "{bare}", "", "W/", '"{bare}'])
def test_another_tag_is_no_reason(door, form):
    bare = door.ask("tree")["ETag"].strip('"')
    assert door.ask("tree", **having(form.format(bare=bare))).status_code == 200


def test_a_star_is_no_answer_to_what_does_not_exist(door):
    assert door.ask("tree", node="nowhere.md", **having("*")).status_code == 404


def test_questions_doors_and_reads_have_tags_of_their_own(portal, member):
    tags = [entrance.ask("tree", **query)["ETag"] for entrance in (portal, member) for query in ({}, {"node": "rules/"}, {"depth": 2})]  # fmt: skip
    tags += [entrance.ask("backlinks", node="README.md")["ETag"] for entrance in (portal, member)]
    assert len(set(tags)) == 8


def test_the_same_question_in_other_words_has_the_same_tag(member):
    assert member.ask("tree")["ETag"] == member.ask("tree", node="/", limit=50, depth=1)["ETag"]
    assert member.ask("tree", limit=100)["ETag"] == member.ask("tree", limit=900)["ETag"]


def test_another_state_has_another_tag(door, world):
    tag = door.ask("tree")["ETag"]
    source(world).update(state=models.State.INDEXING)
    response = door.ask("tree", **having(tag))
    assert (response.status_code, response.json()["state"]) == (200, "indexing")


def test_a_rebuild_has_another_tag_though_nothing_else_changed(door, world):
    tag = door.ask("tree")["ETag"]
    source(world).update(built_at=timezone.now())
    assert door.ask("tree", **having(tag)).status_code == 200


def test_a_brain_that_is_off_refuses_whoever_has_its_answers(door, world):
    tag = door.ask("tree")["ETag"]
    source(world).update(enabled=False)
    assert door.ask("tree", **having(tag)).json()["code"] == "brain-off"


def test_a_moved_tip_is_not_hidden_and_a_rule_that_changed_neither(db, tmp_path):
    team = a_built_team(tmp_path, {"a.md": "# A\n", "rules/b.md": "# B\n"}, "moving")
    door = Entrance(Door.MEMBER, a_bearer(team.member("eve", Role.MEMBER), team.project))
    tag = door.ask("tree")["ETag"]
    team.git.commit({"a.md": "# A again\n"})
    assert door.ask("tree", **having(tag)).status_code == 304  # the mirror knows nothing of it yet
    team.sync()
    moved = door.ask("tree", **having(tag))
    assert (moved.status_code, moved.json()["behind"]) == (200, 1)
    kept = door.ask("read", node="rules/b.md")["ETag"]
    team.git.commit({"rules/b.md": None, "restricted/b.md": "# B\n"})
    team.build()
    assert door.ask("read", node="rules/b.md", **having(kept)).status_code == 404


def test_whoever_was_removed_learns_nothing_from_a_tag(door, world):
    tag = door.ask("tree")["ETag"]
    Membership.objects.filter(member=world.people["ben"]).delete()
    assert door.ask("tree", **having(tag)).status_code == 404


def test_a_revoked_token_learns_nothing_from_a_tag(world, db):
    door = Entrance(Door.MEMBER, world.bearer("ben"))
    tag = door.ask("tree")["ETag"]
    tokens.revoke(OPERATOR, world.tokens["ben"], "a test")
    assert door.ask("tree", **having(tag)).status_code == 401


def test_a_wrong_question_is_wrong_whatever_its_caller_has(door):
    tag = door.ask("tree")["ETag"]
    assert door.ask("tree", nod="/", **having(tag)).status_code == 400


def test_a_moved_commit_is_told_to_whoever_guards_it(door, world):
    tag = door.ask("tree", commit=world.indexed)["ETag"]
    source(world).update(commit="0" * 40)
    assert door.ask("tree", commit=world.indexed, **having(tag)).json()["code"] == "commit-moved"


def test_an_answer_that_the_caller_has_is_noted_as_a_read(door):
    tag = door.ask("read", node="README.md")["ETag"]
    door.ask("read", node="README.md", **having(tag))
    first, second = activities(action="brain.read")
    assert (first.status, second.status) == (200, 304)
    assert json.loads(second.details) == {"cached": True}
    assert second.target == "README.md"


def test_an_answer_that_the_caller_has_is_counted(door):
    tag = door.ask("tree")["ETag"]
    door.ask("tree", **having(tag))
    assert ReadCount.objects.get(action="brain.tree").count == 2
