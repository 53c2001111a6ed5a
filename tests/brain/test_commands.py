"""The command line: projects, members, and the reads of a Brain."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError

from brain import snapshots, store
from members.models import Activity, Member, Project
from repositories.models import Repository
from tests.given_db import Team, a_built_team
from tests.repositories.given_git import GitWorld, a_repository

pytestmark = pytest.mark.django_db(transaction=True)

FILES = {
    "README.md": "# Handbook\n\nSee [gone](gone.md).\n",
    "rules/a.md": "# A rule\n\nBack to [all](../README.md).\n",
}


@pytest.fixture
def git(tmp_path: Path) -> GitWorld:
    settings.MIRROR_LOCAL_ROOTS = [tmp_path]
    return a_repository(tmp_path / "handbook", [FILES])


def test_a_project_is_added_built_listed_and_removed(git: GitWorld) -> None:
    added = _json("project", "add", "docs", "--repository", str(git.path))
    assert (added["slug"], added["branch"], added["state"]) == ("docs", "main", "not-built")
    built = _json("project", "build", "docs")
    assert (built["commit"], built["counts"]["documents"]) == (git.tip(), 2)
    assert [(one["slug"], one["state"]) for one in _json("project", "list")] == [("docs", "ready")]
    source, mirror = store.source_of(Project.objects.get()), Repository.objects.get().mirror
    assert _json("project", "remove", "docs") == {"removed": "docs"}
    assert (Project.objects.count(), Repository.objects.count(), mirror.exists()) == (0, 0, False)
    assert not snapshots.path_of(source.pk, git.tip()).parent.exists()
    removed = Activity.objects.get(action="project.remove")
    assert (removed.target, removed.actor_type) == ("docs", "operator")


def test_a_build_fetches_first_and_says_in_words_what_it_holds(git: GitWorld) -> None:
    _json("project", "add", "docs", "--repository", str(git.path))
    git.commit({"b.md": "# B\n"})
    said = _said("project", "build", "docs")
    assert "3 documents, 1 folder, " in said
    assert git.tip()[:12] in said


def test_two_projects_share_one_mirror_and_the_last_one_takes_it_away(git: GitWorld) -> None:
    for slug in ("one", "two"):
        _json("project", "add", slug, "--repository", str(git.path))
    mirror = Repository.objects.get().mirror
    _json("project", "remove", "one")
    assert mirror.exists()
    _json("project", "remove", "two")
    assert not mirror.exists()


def test_a_branch_can_be_chosen_and_a_missing_one_is_refused_without_a_trace(git: GitWorld) -> None:
    git.branch("next", git.tip())
    assert (
        _json("project", "add", "docs", "--repository", str(git.path), "--branch", "next")["branch"] == "next"
    )
    _json("project", "remove", "docs")
    assert "nowhere" in _refusal(
        "project", "add", "docs", "--repository", str(git.path), "--branch", "nowhere"
    )
    assert (Project.objects.count(), Repository.objects.count()) == (0, 0)


def test_a_repository_whose_head_points_nowhere_is_followed_on_its_only_branch(git: GitWorld) -> None:
    git.default_branch("absent")
    assert _json("project", "add", "docs", "--repository", str(git.path))["branch"] == "main"


@pytest.mark.parametrize(
    ("slug", "remote", "words"),
    [
        ("Not A Slug", "", "Lower case letters"),
        ("docs", "http://example.org/x.git", "https"),
        ("docs", "/etc", "MIRROR_LOCAL_ROOTS"),
    ],
)
def test_what_cannot_be_added_is_refused_in_a_sentence(
    git: GitWorld, slug: str, remote: str, words: str
) -> None:
    assert words in _refusal("project", "add", slug, "--repository", remote or str(git.path))
    assert (Project.objects.count(), Repository.objects.count()) == (0, 0)


def test_a_member_is_added_once_and_given_roles(tmp_path: Path) -> None:
    team = Team(tmp_path, FILES)
    told = _json("member", "add", "ada", "--project", team.project.slug, "--role", "maintainer")
    member = Member.objects.get(username="ada")
    assert member.check_password(told["password"])
    assert [one.role for one in member.memberships.all()] == ["maintainer"]
    again = _json("member", "add", "ada", "--project", team.project.slug, "--role", "reader")
    assert (again["password"], again["role"]) == (None, "reader")


def test_the_reads_answer_for_a_project_and_for_a_folder_alike(tmp_path: Path) -> None:
    team = a_built_team(tmp_path, FILES)
    for arguments in (
        ["tree", "rules/"],
        ["read", "README.md", "--line-numbers"],
        ["lookup", "a"],
        ["broken"],
    ):
        database = _json("brain", *arguments, "--in", "handbook")
        folder = _json("brain", *arguments, "--path", str(team.git.path))
        differing = {key for key in database if database[key] != folder[key]}
        assert differing <= {"projectId", "builtAt", "syncedAt", "breadcrumb", "matches"}


def test_a_folder_without_git_is_read_from_disk(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.md").write_text("# On disk\n")
    (tmp_path / "notes" / ".hidden").mkdir()
    (tmp_path / "notes" / ".hidden" / "b.md").write_text("# Hidden\n")
    (tmp_path / "notes" / "link.md").symlink_to("/etc/hostname")
    tree = _json("brain", "tree", "--path", str(tmp_path / "notes"))
    assert [child["id"] for child in tree["children"]] == ["a.md"]
    assert "# On disk" in _said("brain", "read", "a.md", "--path", str(tmp_path / "notes"))


def test_the_dump_names_every_node_link_and_broken_link_once(tmp_path: Path) -> None:
    a_built_team(tmp_path, FILES)
    lines = [json.loads(line) for line in _said("brain", "dump", "--in", "handbook").splitlines()]
    assert [line["id"] for line in lines if line["type"] == "node"] == [
        "/",
        "rules/",
        "rules/a.md",
        "README.md",
    ]
    assert [line["target"] for line in lines if line["type"] == "broken"] == ["gone.md"]
    assert [(line["from"], line["to"]) for line in lines if line["type"] == "link"] == [
        ("rules/a.md", "README.md")
    ]


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["tree", "--in", "nowhere"], 1, "No such project"),
        (["tree", "none.md", "--in", "handbook"], 1, "no such node"),
        (["tree", "--in", "handbook", "--limit", "many"], 64, "limit is a whole number"),
        (["read", "README.md", "--in", "handbook", "--from-line", "99"], 64, "1 to 3"),
        (["lookup", "--in", "handbook"], 64, "query is"),
        (["tree", "--path", "/no/such/folder"], 64, "no such folder"),
    ],
)
def test_a_wrong_question_ends_with_a_sentence_and_its_exit_code(
    tmp_path: Path, arguments: list[str], code: int, words: str
) -> None:
    a_built_team(tmp_path, FILES)
    with pytest.raises(CommandError, match=words) as refused:
        call_command("brain", *arguments)
    assert refused.value.returncode == code


def _said(*arguments: str) -> str:
    out = io.StringIO()
    call_command(*arguments, stdout=out, stderr=io.StringIO())
    return out.getvalue()


def _json(*arguments: str) -> Any:
    return json.loads(_said(*arguments, "--json"))


def _refusal(*arguments: str) -> str:
    err = io.StringIO()
    with pytest.raises(SystemExit) as refused:
        call_command(*arguments, stdout=io.StringIO(), stderr=err)
    assert refused.value.code == 1
    return err.getvalue()
