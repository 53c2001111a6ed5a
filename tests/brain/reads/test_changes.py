"""Changes: which documents, sections and cards differ between an earlier commit and the indexed one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from brain import wire
from brain.errors import BrainOff, CommitNotFound, CommitUnavailable, NodeNotFound, NoHistory, NotBuilt
from brain.folder import open_folder
from brain.reads import changes
from brain.reads.answers import ChangedDocument, Changes
from brain.reads.changes import read_changes
from brain.store import database_store, source_of
from brain.tree.nodes import Kind
from brain.tree.scope import MAX_DOCUMENT_BYTES
from tests.brain.test_cases import LOG
from tests.given_db import Team, a_built_team
from tests.repositories.given_git import Content, Executable, GitWorld, Symlink, a_repository

WITH_ROWS = pytest.mark.django_db(transaction=True)

type Files = Mapping[str, Content]

REVIEW = """\
# Review

Two pairs of eyes.

## Scope

All code.

### Exceptions

None so far.

## RULE-A-001 Be kind

Always.

## Limits

Five files.
"""


def a_history(folder: Path, *commits: Files) -> tuple[GitWorld, list[str]]:
    """A repository of these commits, and their ids; each states all files there are after it."""
    repo = a_repository(folder / "handbook.git")
    made, there = [], set[str]()
    for files in commits:
        made.append(repo.commit({**dict.fromkeys(there - set(files)), **files}))
        there = set(files)
    return repo, made


def changes_between(folder: Path, *commits: Files, under: str = "") -> Changes:
    """What changed from the first of these commits to the last."""
    repo, made = a_history(folder, *commits)
    return read_changes(open_folder(repo.path), made[0], under=under)


def rows(answer: Changes) -> list[tuple]:
    return [
        (one.status, one.path, one.old_path, one.lines_added, one.lines_removed) for one in answer.documents
    ]


def nodes(answer: Changes) -> list[tuple[str, str]]:
    """(status, id) of every changed section and card."""
    return [(node.status, node.id) for one in answer.documents for node in one.nodes]


def nodes_of_edit(folder: Path, before: str, after: str) -> list[tuple[str, str]]:
    return nodes(changes_between(folder, {"a.md": before}, {"a.md": after}))


# Documents


def test_documents_are_told_by_path_with_status_and_lines(tmp_path):
    answer = changes_between(
        tmp_path,
        {"edited.md": REVIEW, "gone.md": "# Gone\n\nx\n", "old/moved.md": "# Moved\n\ny\n", "logo.png": "1"},
        {"edited.md": REVIEW.replace("All", "Most"), "new/moved.md": "# Moved\n\ny\n", "new.md": "# New\n", "logo.png": "2"},
    )  # fmt: skip

    assert rows(answer) == [
        ("modified", "edited.md", None, 1, 1),
        ("deleted", "gone.md", None, 0, 3),
        ("added", "new.md", None, 1, 0),
        ("renamed", "new/moved.md", "old/moved.md", 0, 0),
    ]
    assert all(one.lines_known for one in answer.documents)
    assert answer.truncated is False


def test_the_answer_names_both_commits_whole(tmp_path):
    repo, made = a_history(tmp_path, {"a.md": "# A\n"}, {"a.md": "# A\n\nx\n"})
    answer = read_changes(open_folder(repo.path), made[0][:8].upper())
    assert (answer.since, answer.envelope.commit) == tuple(made)


def test_nothing_changed_since_the_indexed_commit(tmp_path):
    repo, made = a_history(tmp_path, {"a.md": "# A\n"}, {"a.md": "# B\n"})
    answer = read_changes(open_folder(repo.path), made[-1])
    assert (answer.documents, answer.truncated, answer.since) == ((), False, made[-1])


def test_what_was_changed_and_changed_back_did_not_change(tmp_path):
    assert rows(changes_between(tmp_path, {"a.md": "# A\n"}, {"a.md": "# B\n"}, {"a.md": "# A\n"})) == []


def test_modes_are_no_change_and_a_link_that_became_a_file_is_added(tmp_path):
    before = {"a.md": "# A\n", "b.md": Symlink("a.md"), "c.md": "# C\n"}
    after = {"a.md": Executable("# A\n"), "b.md": "# B\n\nown\n", "c.md": Symlink("a.md")}
    assert rows(changes_between(tmp_path, before, after)) == [
        ("added", "b.md", None, 3, 0),
        ("deleted", "c.md", None, 0, 1),
    ]


def test_a_document_that_grew_too_large_is_deleted_and_one_that_shrank_is_added(tmp_path):
    large = "x\n" * (MAX_DOCUMENT_BYTES // 2) + "x"
    before = {"grew.md": "# Grew\n", "shrank.md": large, "stayed.md": large}
    after = {"grew.md": large, "shrank.md": "# Shrank\n", "stayed.md": large + "x"}
    assert rows(changes_between(tmp_path, before, after)) == [
        ("deleted", "grew.md", None, 0, 1),
        ("added", "shrank.md", None, 1, 0),
    ]


def test_more_than_a_hundred_documents_are_cut_by_path(tmp_path):
    files = {f"{number:03}.md": f"# Number {number}\n" for number in range(101)}

    all_of_them = changes_between(tmp_path / "1", {**files, "a.md": "# A\n"}, {"a.md": "# A\n"})
    but_one = changes_between(tmp_path / "2", files, {"000.md": "# Number 0\n"})

    assert [one.path for one in all_of_them.documents] == [f"{number:03}.md" for number in range(100)]
    assert all_of_them.truncated is True
    assert (len(but_one.documents), but_one.truncated) == (100, False)


# Sections and cards


def test_only_a_part_whose_own_lines_changed_is_told(tmp_path):
    after = REVIEW.replace("Two pairs of eyes.", "Two pairs\nof eyes.").replace("None so far.", "Scripts.")
    assert nodes_of_edit(tmp_path, REVIEW, after) == [("modified", "a.md#exceptions")]


def test_parts_are_told_in_order_those_that_are_gone_last(tmp_path):
    after = (
        REVIEW.replace("## Limits", "## Bounds").replace("Always.", "Mostly.").replace("All code.", "All.")
    )
    (document,) = changes_between(tmp_path, {"a.md": REVIEW}, {"a.md": after}).documents
    assert [(node.status, node.id, node.title, node.kind) for node in document.nodes] == [
        ("modified", "a.md#scope", "Scope", Kind.SECTION),
        ("modified", "a.md#RULE-A-001", "Be kind", Kind.CARD),
        ("added", "a.md#bounds", "Bounds", Kind.SECTION),
        ("deleted", "a.md#limits", "Limits", Kind.SECTION),
    ]


def test_a_title_that_changed_under_the_same_id_is_a_change_of_its_card(tmp_path):
    assert nodes_of_edit(tmp_path, REVIEW, REVIEW.replace("Be kind", "Be fair")) == [
        ("modified", "a.md#RULE-A-001")
    ]


def test_a_part_that_only_moved_did_not_change(tmp_path):
    swapped = "# T\n\n## B\n\nb\n\n## A\n\na\n\n"
    assert nodes_of_edit(tmp_path, "# T\n\n## A\n\na\n\n## B\n\nb\n\n", swapped) == []


def test_other_line_ends_change_every_part(tmp_path):
    assert nodes_of_edit(tmp_path, "# T\n\n## A\n\na\n", "# T\r\n\r\n## A\r\n\r\na\r\n") == [
        ("modified", "a.md#a")
    ]


def test_a_last_line_that_lost_its_line_feed_changed_its_part(tmp_path):
    assert nodes_of_edit(tmp_path, "# T\n## A\na\n## B\nb\n", "# T\n## A\na\n## B\nb") == [
        ("modified", "a.md#b")
    ]


def test_a_heading_inside_a_fence_is_text_on_both_sides(tmp_path):
    before, after = "# T\n## A\n```\n## B\n```\n", "# T\n## A\n~~~\n## B\n~~~\n"
    assert nodes_of_edit(tmp_path, before, after) == [("modified", "a.md#a")]


def test_all_parts_of_a_new_document_are_added_and_of_a_deleted_one_deleted(tmp_path):
    parts = ["scope", "exceptions", "RULE-A-001", "limits"]
    added = changes_between(tmp_path / "1", {"x.md": "# X\n"}, {"x.md": "# X\n", "a.md": REVIEW})
    deleted = changes_between(tmp_path / "2", {"x.md": "# X\n", "a.md": REVIEW}, {"x.md": "# X\n"})
    assert nodes(added) == [("added", f"a.md#{part}") for part in parts]
    assert nodes(deleted) == [("deleted", f"a.md#{part}") for part in parts]


def test_parts_of_a_document_that_moved_are_matched_by_anchor(tmp_path):
    after = REVIEW.replace("Always.", "Mostly.").replace("## Limits\n\nFive files.\n", "## Bounds\n\nFive.\n")
    answer = changes_between(tmp_path, {"old.md": REVIEW}, {"new.md": after})
    assert [one.status for one in answer.documents] == ["renamed"]
    assert nodes(answer) == [
        ("modified", "new.md#RULE-A-001"),
        ("added", "new.md#bounds"),
        ("deleted", "old.md#limits"),  # the id it had: today it has none
    ]


def test_a_document_that_moved_as_it_was_has_no_changed_parts(tmp_path):
    assert nodes(changes_between(tmp_path, {"old.md": REVIEW}, {"new.md": REVIEW})) == []


def test_a_path_with_a_hash_keeps_its_parts_apart(tmp_path):
    answer = changes_between(tmp_path, {"a#b.md": REVIEW}, {"a#b.md": REVIEW.replace("Always", "Mostly")})
    assert nodes(answer) == [("modified", "a#b.md#RULE-A-001")]


def test_at_most_thirty_parts_of_a_document_are_told(tmp_path):
    after = "# T\n" + "".join(f"## Part {number}\n" for number in range(31))
    (document,) = changes_between(tmp_path, {"a.md": "# T\n"}, {"a.md": after}).documents
    assert [node.id for node in document.nodes] == [f"a.md#part-{number}" for number in range(30)]


def test_a_binary_text_has_parts_but_no_lines(tmp_path):
    (document,) = changes_between(
        tmp_path, {"a.md": b"# T\0\n## A\na\n"}, {"a.md": b"# T\0\n## A\nb\n"}
    ).documents
    assert (document.lines_added, document.lines_removed, document.lines_known) == (None, None, False)
    assert [node.id for node in document.nodes] == ["a.md#a"]


# Under a node


UNDER = (
    {"docs/a.md": REVIEW, "docs/deep/b.md": "# B\n", "other/c.md": "# C\n\nc\n", "docs/out.md": "# Out\n\no\n", "x.md": "# X\n"},
    {"docs/a.md": REVIEW + "\n", "docs/deep/b.md": "# B\n\nb\n", "docs/c.md": "# C\n\nc\n", "other/out.md": "# Out\n\no\n",
     "x.md": "# X\n\nx\n"},
)  # fmt: skip


@pytest.mark.parametrize(
    ("under", "paths"),
    [
        ("/", ["docs/a.md", "docs/c.md", "docs/deep/b.md", "other/out.md", "x.md"]),
        ("docs/", ["docs/a.md", "docs/c.md", "docs/deep/b.md", "other/out.md"]),
        ("docs/deep/", ["docs/deep/b.md"]),
        ("other/", ["docs/c.md", "other/out.md"]),
        ("docs/c.md", ["docs/c.md"]),
        ("x.md", ["x.md"]),
        ("docs/a.md#limits", ["docs/a.md"]),
        ("docs/a.md#scope", []),
    ],
)
def test_only_what_is_or_was_under_the_node_is_told(tmp_path, under, paths):
    answer = changes_between(tmp_path, *UNDER, under=under)
    assert [one.path for one in answer.documents] == paths


def test_a_document_that_moved_into_a_folder_is_renamed_there_too(tmp_path):
    answer = changes_between(tmp_path, *UNDER, under="docs/")
    assert ("renamed", "docs/c.md", "other/c.md", 0, 0) in rows(answer)
    assert ("renamed", "other/out.md", "docs/out.md", 0, 0) in rows(answer)


def test_under_a_folder_the_hundred_are_counted_there(tmp_path):
    files = {f"a/{number:03}.md": f"# Number {number}\n" for number in range(101)} | {"b/z.md": "# Z\n"}
    after = {path: f"{text}\nmore\n" for path, text in files.items()}
    answer = changes_between(tmp_path, files, after, under="b/")
    assert ([one.path for one in answer.documents], answer.truncated) == (["b/z.md"], False)


def test_under_a_part_only_it_and_what_it_holds_are_told(tmp_path):
    after = (
        REVIEW.replace("None so far.", "Scripts.")
        .replace("Always.", "Mostly.")
        .replace("### Exceptions", "### Notes\n\nn\n\n### Exceptions")
    )
    answer = changes_between(tmp_path, {"a.md": REVIEW}, {"a.md": after}, under="a.md#scope")
    assert nodes(answer) == [("added", "a.md#notes"), ("modified", "a.md#exceptions")]
    assert rows(answer) == [("modified", "a.md", None, 6, 2)]


def test_under_a_part_what_is_gone_from_it_is_told_and_what_left_it_for_another_is_not(tmp_path):
    before = "# T\n\n## A\n\n### Gone\n\ng\n\n### Moved\n\nm\n\n## B\n\n### Else\n\ne\n\n"
    after = "# T\n\n## A\n\n## B\n\n### Moved\n\nm\n\n"
    versions = {"a.md": before}, {"a.md": after}
    assert nodes(changes_between(tmp_path / "1", *versions, under="a.md#a")) == [("deleted", "a.md#gone")]
    assert nodes(changes_between(tmp_path / "2", *versions, under="a.md#b")) == [("deleted", "a.md#else")]


def test_an_unknown_node_is_refused(tmp_path):
    repo, made = a_history(tmp_path, {"a.md": "# A\n", "restricted/b.md": "# B\n"})
    for under in ("gone.md", "a.md#gone", "restricted/", "restricted/b.md", "--output=x"):
        with pytest.raises(NodeNotFound):
            read_changes(open_folder(repo.path), made[0], under=under)


# Refusals


@pytest.mark.parametrize(
    "since",
    ["", "0" * 39 + "1", "HEAD", "HEAD~1", "main", "v1", ":/Change", "--output={folder}/pwned", "abc", "g" * 40,
     "{tip}0", "{side}", "{side12}", "{tree}", "{blob}", "{tip}\n", "{tip}^", "-{tip}", "main:a.md"],
)  # fmt: skip
def test_what_is_no_earlier_commit_of_the_branch_is_refused_in_the_same_words(tmp_path, since):
    repo, made = a_history(tmp_path, {"a.md": "# A\n"}, {"a.md": "# A\n\nx\n"})
    repo.git("tag", "--no-sign", "v1", made[0])
    repo.branch("side", made[0])
    side = repo.commit({"side.md": "# Side\n"}, branch="side")
    tree = repo.git("rev-parse", "main^{tree}").decode().strip()
    blob = repo.files_of(made[0])[b"a.md"][1]

    with pytest.raises(CommitNotFound) as refused:
        read_changes(
            open_folder(repo.path),
            since.format(folder=tmp_path, tip=made[-1], side=side, side12=side[:12], tree=tree, blob=blob),
        )

    assert str(refused.value) == changes.NOT_FOUND
    assert refused.value.told == {}
    assert refused.value.__cause__ is None
    assert not (tmp_path / "pwned").exists()


def test_files_on_disk_have_no_history(tmp_path):
    (tmp_path / "a.md").write_text("# A\n")
    with pytest.raises(NoHistory):
        read_changes(open_folder(tmp_path), "abcd")


def test_a_mirror_without_the_indexed_commit_says_that(tmp_path):
    repo, made = a_history(tmp_path, {"a.md": "# A\n"}, {"a.md": "# B\n"})
    store = open_folder(repo.path)
    (repo.path / "objects" / made[1][:2] / made[1][2:]).unlink()
    for since in (made[0], "abcd", "no id"):
        with pytest.raises(CommitUnavailable):
            read_changes(store, since)


# What is never told


@pytest.mark.parametrize("edit", ["", "\nmore\n"], ids=["exact", "edited"])
@pytest.mark.parametrize("hidden", ["restricted/", "docs/Restricted/deep/", ".hidden/", "scratch/"])
def test_a_move_over_the_edge_of_the_index_tells_nothing_of_its_other_side(tmp_path, hidden, edit):
    memo = "# Memo\n\nalpha\nbeta\ngamma\ndelta\nepsilon\nzeta\n"
    repo, made = a_history(
        tmp_path,
        {"a/plan.md": REVIEW, f"{hidden}memo.md": memo, "k.md": "# K\n"},
        {f"{hidden}plan.md": REVIEW + edit, "a/memo.md": memo + edit, "k.md": "# K\n"},
    )

    answer = read_changes(open_folder(repo.path), made[0])

    assert [(one.status, one.path, one.old_path) for one in answer.documents] == [
        ("added", "a/memo.md", None),
        ("deleted", "a/plan.md", None),
    ]
    said = json.dumps(wire.changes_json(answer))
    blobs = {oid for commit in made for _, oid in repo.files_of(commit).values()}
    assert not [word for word in (hidden, hidden.strip("/"), *blobs) if word in said]


def test_hidden_files_change_no_answer(tmp_path):
    before, after = {"old.md": REVIEW, "k.md": "# K\n"}, {"new.md": REVIEW + "\nmore\n", "k.md": "# K\n"}
    twin = {"restricted/twin.md": REVIEW + "\nmore\n", "scratch/y.md": REVIEW}
    plain = changes_between(tmp_path / "1", before, after)
    with_twin = changes_between(tmp_path / "2", before | twin, after)
    assert with_twin.documents == plain.documents
    assert rows(plain) == [("renamed", "new.md", "old.md", 2, 0)]


# Damage and limits


def lose(repo: GitWorld, commit: str, path: str) -> None:
    oid = repo.files_of(commit)[path.encode()][1]
    (repo.path / "objects" / oid[:2] / oid[2:]).unlink()


def test_documents_whose_older_text_is_lost_are_told_without_lines_and_parts(tmp_path):
    before = {"a.md": REVIEW, "b.md": REVIEW + "b\n", "c.md": "# C\n\n## D\n\nd\n"}
    repo, made = a_history(tmp_path, before, {"a.md": REVIEW + "\nmore\n", "c.md": "# C\n\n## D\n\ne\n"})
    lose(repo, made[0], "a.md")
    lose(repo, made[0], "b.md")
    store = open_folder(repo.path)

    answer = read_changes(store, made[0])

    unknown = {"lines_added": None, "lines_removed": None, "lines_known": False}
    assert answer.documents[:2] == (
        ChangedDocument(status="modified", path="a.md", **unknown),
        ChangedDocument(status="deleted", path="b.md", **unknown),
    )
    assert rows(answer)[2:] == [("modified", "c.md", None, 1, 1)]
    assert nodes(answer) == [("modified", "c.md#d")]
    assert answer.truncated is False
    (under,) = read_changes(store, made[0], under="a.md#limits").documents
    assert (under.path, under.nodes) == ("a.md", ())  # nobody can say that it did not change


def test_an_older_text_there_is_no_time_to_parse_is_told_without_parts(tmp_path, monkeypatch):
    monkeypatch.setattr(changes, "SLOWEST", 1)
    answer = changes_between(tmp_path, {"a.md": REVIEW}, {"a.md": REVIEW + "\nmore\n"})
    assert rows(answer) == [("modified", "a.md", None, 2, 0)]
    assert (nodes(answer), answer.truncated) == ([], True)


def test_without_time_to_count_lines_are_not_known(tmp_path, monkeypatch):
    monkeypatch.setattr(changes, "COUNTING", 0)
    answer = changes_between(tmp_path, {"a.md": REVIEW}, {"a.md": REVIEW + "\nmore\n"})
    assert rows(answer) == [("modified", "a.md", None, None, None)]
    assert (answer.documents[0].lines_known, answer.truncated) == (False, True)


def test_changes_may_be_read_in_a_thread_of_the_server(tmp_path):
    repo, made = a_history(tmp_path, {"a.md": REVIEW}, {"a.md": REVIEW + "\nmore\n"})
    store = open_folder(repo.path)
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(read_changes, store, made[0]).result() == read_changes(store, made[0])


# A project's Brain


@pytest.fixture
def team(tmp_path: Path, transactional_db: None) -> Team:
    """A Brain of two commits with changes of every kind."""
    first, second = UNDER
    team = a_built_team(tmp_path, {**first, "restricted/r.md": REVIEW})
    team.git.commit({**dict.fromkeys(set(first) - set(second)), **second})
    team.build()
    return team


@pytest.mark.parametrize("under", ["", "docs/", "docs/a.md#limits"])
def test_a_project_answers_as_its_repository_does(team, under):
    with database_store(team.project) as store:
        answer = read_changes(store, team.first[:12], under=under)
    held = read_changes(open_folder(team.git.path), team.first, under=under)
    assert (answer.documents, answer.since, answer.truncated) == (held.documents, held.since, held.truncated)
    assert answer.documents


def test_changes_end_at_the_indexed_commit_not_at_the_tip(team):
    later = team.git.commit({"later.md": "# Later\n"})
    team.sync()
    with database_store(team.project) as store:
        answer = read_changes(store, team.first)
        assert "later.md" not in [one.path for one in answer.documents]
        assert answer.envelope.tip == later
        with pytest.raises(CommitNotFound):
            read_changes(store, later)


def test_what_the_project_excludes_is_not_told(team):
    source = source_of(team.project)
    source.exclude = "docs/\n"
    source.save()
    team.git.commit({"x.md": "# X\n\nmore\n"})
    team.build()
    with database_store(team.project) as store:
        answer = read_changes(store, team.first)
    assert rows(answer) == [
        ("deleted", "other/c.md", None, 0, 3),
        ("added", "other/out.md", None, 3, 0),
        ("modified", "x.md", None, 2, 0),
    ]


@WITH_ROWS
def test_without_a_tree_nothing_is_read(tmp_path):
    team = Team(tmp_path, {"a.md": "# A\n"})
    with database_store(team.project) as store, pytest.raises(NotBuilt):
        read_changes(store, team.first)
    team.build()
    source = source_of(team.project)
    source.enabled = False
    source.save()
    with database_store(team.project) as store, pytest.raises(BrainOff):
        read_changes(store, team.first)


# The case log


def logged(check: str) -> list:
    lines = LOG.read_text().split("\n") if LOG.exists() else []
    cases = [json.loads(line) for line in lines if line]
    return [pytest.param(case, id=case["id"]) for case in cases if case["check"] == check]


@pytest.mark.parametrize("case", logged("changes"))
def test_documents_are_those_of_the_log(tmp_path, case):
    expected = [
        (one["status"], one["path"], one.get("oldPath"), one["added"], one["removed"])
        for one in case["expected"]
    ]
    assert rows(changes_between(tmp_path, *case["input"]["commits"])) == sorted(
        expected, key=lambda row: row[1]
    )


@pytest.mark.parametrize("case", logged("changed_sections"))
def test_sections_are_those_of_the_log(tmp_path, case):
    answer = changes_between(tmp_path, *case["input"]["commits"])
    assert [node_id for _, node_id in nodes(answer)] == case["expected"]
