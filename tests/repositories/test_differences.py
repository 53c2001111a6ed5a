"""Differences: which documents changed between two commits, told as Git tells it, and of nothing else."""

from __future__ import annotations

import tempfile
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from repositories import reader
from repositories.errors import CommitMissing, MirrorDamaged
from repositories.reader import Difference, DifferenceLimits, pairing
from tests.repositories.given_git import FILE, Executable, Gitlink, GitWorld, Symlink, a_repository

LARGEST = 1_000  # bytes of a document in these tests
PAGE = "# Page\n\none\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n"


def covers(path: str) -> bool:
    return path[-3:].lower() == ".md" and "restricted" not in path.split("/")


def documents_of(repo: GitWorld, commit: str) -> dict[str, str]:
    listed = reader.tree_of(repo.path, commit).files
    return {entry.path: entry.blob for entry in listed if covers(entry.path) and entry.size <= LARGEST}


def between(repo: GitWorld, old: str, new: str, **limits) -> reader.Differences:
    return reader.differences(
        repo.path,
        old,
        new,
        covers=covers,
        largest=LARGEST,
        documents=documents_of(repo, new),
        limits=DifferenceLimits(**limits),
    )


def told(repo: GitWorld, old: str, new: str) -> list[tuple]:
    """(status, path, old path, lines added, lines removed) of each document; None for what is not known."""
    found = between(repo, old, new).found
    counts = reader.line_counts(repo.path, old, new, among=found, seconds=30)
    assert counts.complete
    return [
        (one.status, one.path, one.old_path, *counts.by_path.get(one.path, (None, None))) for one in found
    ]


def changed(folder: Path, before: dict, after: dict) -> list[tuple]:
    """What differs when the files of `before` become those of `after`."""
    repo = a_repository(folder / "rules.git")
    old = repo.commit(before)
    new = repo.commit({**dict.fromkeys(path for path in before if path not in after), **after})
    return told(repo, old, new)


def lost(repo: GitWorld, oid: str) -> None:
    (repo.path / "objects" / oid[:2] / oid[2:]).unlink()


def as_git_tells(repo: GitWorld, old: str, new: str) -> list[tuple]:
    """The same of every file, by the git command."""
    letters = {"A": "added", "M": "modified", "D": "deleted", "R": "renamed"}
    plain = ("diff", "-M", "-z")
    status = iter(repo.git(*plain, "--name-status", old, new).decode().split("\0")[:-1])
    paths = {}
    for letter in status:
        path = next(status)
        moved = letter[0] == "R"
        paths[next(status) if moved else path] = letters[letter[0]], path if moved else None
    counts = iter(repo.git(*plain, "--numstat", old, new).decode().split("\0")[:-1])
    lines = {}
    for count in counts:
        added, removed, path = count.split("\t", 2)
        if not path:
            next(counts)
        lines[path or next(counts)] = int(added), int(removed)
    rows = ((kind, path, before, *lines[path]) for path, (kind, before) in paths.items())
    # A change of mode alone is one to Git, and none to a reader.
    return sorted(
        (row for row in rows if row[2:] != (None, 0, 0) or row[0] != "modified"), key=lambda r: r[1]
    )


# What is told


def test_an_edit_an_addition_and_a_deletion_are_told_with_their_lines(tmp_path):
    before = {"edited.md": PAGE, "gone.md": "# Gone\n\nx\n", "logo.png": "1"}
    after = {
        "edited.md": PAGE.replace("two", "2") + "nine\n",
        "new.md": "# New\n\nall\nother\n",
        "logo.png": "2",
    }

    assert changed(tmp_path, before, after) == [
        ("modified", "edited.md", None, 2, 1),
        ("deleted", "gone.md", None, 0, 3),
        ("added", "new.md", None, 4, 0),
    ]


def test_nothing_differs_between_a_commit_and_itself(tmp_path):
    repo = a_repository(tmp_path / "rules.git", [{"a.md": PAGE}])
    assert told(repo, repo.tip(), repo.tip()) == []


def test_a_document_that_moved_is_renamed(tmp_path):
    assert changed(tmp_path, {"docs/a.md": PAGE}, {"guides/b c.md": PAGE}) == [
        ("renamed", "guides/b c.md", "docs/a.md", 0, 0)
    ]


def test_a_document_that_moved_and_was_edited_is_renamed_with_its_lines(tmp_path):
    assert changed(tmp_path, {"a.md": PAGE}, {"b.md": PAGE.replace("two", "2")}) == [
        ("renamed", "b.md", "a.md", 1, 1)
    ]


@pytest.mark.parametrize(("shared", "status"), [(11, ["renamed"]), (9, ["deleted", "added"])])
def test_a_text_moved_when_half_of_it_did(tmp_path, shared, status):
    same = [f"line {number:02} of the page\n" for number in range(shared)]
    old, new = (
        [f"{word} line {number:02} here\n" for number in range(shared, 20)] for word in ("one", "two")
    )
    found = changed(tmp_path, {"a.md": "".join(same + old)}, {"b.md": "".join(same + new)})
    assert [row[0] for row in found] == status


def test_two_texts_that_share_less_than_half_are_two_documents(tmp_path):
    other = "# Page\n\n" + "".join(f"another line {number}\n" for number in range(8))
    assert changed(tmp_path, {"a.md": PAGE}, {"b.md": other}) == [
        ("deleted", "a.md", None, 0, 10),
        ("added", "b.md", None, 10, 0),
    ]


def test_of_two_equal_texts_the_one_of_the_same_file_name_moved(tmp_path):
    before = {"a/x.md": PAGE, "b/rules.md": PAGE}
    assert changed(tmp_path, before, {"c/rules.md": PAGE, "c/x.md": PAGE}) == [
        ("renamed", "c/rules.md", "b/rules.md", 0, 0),
        ("renamed", "c/x.md", "a/x.md", 0, 0),
    ]


def test_a_changed_mode_is_no_change(tmp_path):
    assert changed(tmp_path, {"a.md": PAGE}, {"a.md": Executable(PAGE)}) == []


def test_other_line_ends_change_every_line(tmp_path):
    assert changed(tmp_path, {"a.md": "a\nb\n"}, {"a.md": "a\r\nb\r\n"}) == [("modified", "a.md", None, 2, 2)]


def test_a_last_line_without_a_line_feed_counts_as_git_counts_it(tmp_path):
    before, after = {"a.md": "a\nb\n", "b.md": "a\nb"}, {"a.md": "a\nb", "c.md": ""}
    assert changed(tmp_path, before, after) == [
        ("modified", "a.md", None, 1, 1),
        ("deleted", "b.md", None, 0, 2),
        ("added", "c.md", None, 0, 0),
    ]


def test_a_text_that_git_takes_for_binary_is_told_without_lines(tmp_path):
    before = {"a.md": b"a\0b\n", "gone.md": b"\0\n"}
    assert changed(tmp_path, before, {"a.md": b"a\0c\n", "new.md": b"# N\0\n\n\n\n\n"}) == [
        ("modified", "a.md", None, None, None),
        ("deleted", "gone.md", None, None, None),
        ("added", "new.md", None, None, None),
    ]


@pytest.mark.parametrize(
    "name",
    ["a b.md", '"q".md', "tab\there.md", "new\nline.md", "ä/ö ß.md", "*.md", ":(top)x.md", ":!x.md", "[a-z]?.md",
     "back\\slash.md", "-x.md", "--.md", "~.md", "\x01.md", "🜁.MD", "a.md/b.md"],
)  # fmt: skip
def test_a_path_may_be_written_in_any_way(tmp_path, name):
    quiet = {"other.md": "# Other\n", "x.md": "# X\n", "b.md": "# B\n"}
    repo = a_repository(tmp_path / "rules.git", [{**quiet, name: PAGE}])
    first = repo.tip()
    second = repo.commit({name: PAGE + "more\n", "x.md": "# X\n\nmore\n"})
    third = repo.commit({name: None, "moved.md": PAGE + "more\n\nstill more\n"})

    assert ("modified", name, None, 1, 0) in told(repo, first, second)
    assert told(repo, second, third) == [("renamed", "moved.md", name, 2, 0)]
    assert told(repo, third, second) == [("renamed", name, "moved.md", 0, 2)]


def test_a_path_that_is_no_utf_8_is_passed_over(tmp_path):
    repo = a_repository(tmp_path / "rules.git", [{"a.md": PAGE}])
    old = repo.tip()
    new = repo.commit({b"\xff.md": PAGE, "a.md": None})
    assert told(repo, old, new) == [("deleted", "a.md", None, 0, 10)]


# What is a document on which side


@pytest.mark.parametrize("other", [Symlink("b.md"), Gitlink()])
def test_what_is_no_regular_file_is_no_document(tmp_path, other):
    assert changed(tmp_path / "1", {"a.md": other}, {"a.md": PAGE}) == [("added", "a.md", None, 10, 0)]
    assert changed(tmp_path / "2", {"a.md": PAGE}, {"a.md": other}) == [("deleted", "a.md", None, 0, 10)]


def test_a_text_over_the_limit_is_no_document(tmp_path):
    large = PAGE + "x" * LARGEST
    assert changed(tmp_path / "1", {"a.md": large}, {"a.md": PAGE}) == [("added", "a.md", None, 10, 0)]
    assert changed(tmp_path / "2", {"a.md": PAGE}, {"a.md": large}) == [("deleted", "a.md", None, 0, 10)]
    assert changed(tmp_path / "3", {"a.md": large}, {"b.md": large}) == []


def test_a_file_that_is_not_indexed_today_is_deleted(tmp_path):
    repo = a_repository(tmp_path / "rules.git", [{"a.md": PAGE}, {"a.md": PAGE + "more\n"}])
    old, new = repo.git("rev-list", "--reverse", "main").decode().split()

    found = reader.differences(repo.path, old, new, covers=covers, largest=LARGEST, documents={})

    assert [(one.status, one.path) for one in found.found] == [("deleted", "a.md")]


def test_a_path_that_no_walk_would_come_to_is_no_document(tmp_path):
    repo = a_repository(tmp_path / "rules.git")
    blob = repo.blob(PAGE)
    deep = repo.raw_tree([(FILE, b"deep.md", blob)])
    for _ in range(64):
        deep = repo.raw_tree([(0o40000, b"d", deep)])
    strange = [(0o40000, b"a/", repo.raw_tree([(FILE, b"a.md", blob)])), (0o40000, b"d", deep)]
    old = repo.raw_commit(repo.raw_tree([*strange, (FILE, b"l" * 1_100 + b".md", blob)]))
    new = repo.raw_commit(repo.raw_tree([]), [old])

    assert told(repo, old, new) == []


@pytest.mark.parametrize("edit", ["", "more\n"], ids=["exact", "edited"])
def test_what_moves_into_a_hidden_folder_is_deleted_and_what_moves_out_is_added(tmp_path, edit):
    memo = "# Memo\n\nalpha\nbeta\ngamma\ndelta\nepsilon\n"
    before = {"docs/plan.md": PAGE, "restricted/memo.md": memo}
    after = {"restricted/plan.md": PAGE + edit, "docs/memo.md": memo + edit}
    more = edit.count("\n")

    assert changed(tmp_path, before, after) == [
        ("added", "docs/memo.md", None, 7 + more, 0),
        ("deleted", "docs/plan.md", None, 0, 10),
    ]


def test_a_hidden_text_that_is_more_alike_takes_no_document_from_another(tmp_path):
    before = {"docs/old.md": PAGE, "restricted/twin.md": PAGE + "more\n"}
    assert changed(tmp_path, before, {"docs/new.md": PAGE + "more\n"}) == [
        ("renamed", "docs/new.md", "docs/old.md", 1, 0)
    ]


def test_nor_does_one_in_a_folder_that_has_the_name_of_a_document(tmp_path):
    before = {"a.md": PAGE, "z.md/restricted/twin.md": PAGE + "more\n", "z.md/logo.svg": PAGE + "more\n"}
    after = {"new.md": PAGE + "more\n", "z.md": "# Nothing alike\n\nat all, in no line\n"}

    assert changed(tmp_path, before, after) == [
        ("renamed", "new.md", "a.md", 1, 0),
        ("added", "z.md", None, 3, 0),
    ]


def test_a_document_that_became_a_folder_may_have_moved_into_it(tmp_path):
    before = {"a.md": PAGE, "b.md": "# B\n\nof its own\n"}
    after = {
        "a.md/index.md": PAGE + "more\n",
        "a.md/restricted/twin.md": PAGE,
        "a.md/b.md": "# B\n\nof its own\n",
    }

    assert changed(tmp_path, before, after) == [
        ("renamed", "a.md/b.md", "b.md", 0, 0),
        ("renamed", "a.md/index.md", "a.md", 1, 0),
    ]


# Histories, settings and damage


def test_a_merge_tells_both_sides_against_the_commit_before_them(tmp_path):
    repo = a_repository(tmp_path / "rules.git", [{"a.md": PAGE}])
    first = repo.tip()
    repo.branch("side", first)
    repo.commit({"side.md": "# Side\n", "a.md": PAGE + "side\n"}, branch="side")
    main = repo.commit({"main.md": "# Main\n"})
    merge = repo.merge("side")

    side = [("modified", "a.md", None, 1, 0), ("added", "side.md", None, 1, 0)]
    assert told(repo, main, merge) == side
    assert told(repo, first, merge) == [side[0], ("added", "main.md", None, 1, 0), side[1]]


def test_neither_attributes_nor_settings_of_a_repository_change_what_is_told(tmp_path, monkeypatch):
    spy, script = tmp_path / "ran", tmp_path / "spy.sh"
    script.write_text(f"#!/bin/sh\ntouch {spy}\ncat $1\n")
    script.chmod(0o755)
    repo = a_repository(tmp_path / "rules.git", [{".gitattributes": "*.md diff=spy filter=spy -text\n"}])
    lines, others = (
        "d\nd\nd\ne\nd\nb\nc\na\n",
        "a\nb\nd\nb\nc\nd\nc\nd\n",
    )  # 5 lines differ; 7 to a patient algorithm
    first = repo.commit({"a.md": lines, "b.md": PAGE + lines, "c.md": f"# C\n{PAGE}c\n", "d.md": "# D\n"})
    after = {"b.md": None, "c.md": None, "x.md": PAGE + others, "y.md": "# C\n" + PAGE + "c\nmore\n"}
    second = repo.commit({"a.md": others, "d.md": "# D\n\nd\n", **after})
    for key in (
        "diff.spy.textconv",
        "diff.spy.command",
        "diff.external",
        "filter.spy.smudge",
        "filter.spy.clean",
    ):
        repo.repository.config[key] = str(script)
    for key, value in {
        "diff.renames": "false",
        "diff.renameLimit": "1",
        "diff.algorithm": "patience",
    }.items():
        repo.repository.config[key] = value
    repo.repository.config["core.bare"] = False
    monkeypatch.chdir(tmp_path)  # for Git the work tree, of which it would read the attributes
    (tmp_path / ".gitattributes").write_text("*.md binary\n")

    assert told(repo, first, second) == [
        ("modified", "a.md", None, 5, 5),
        ("modified", "d.md", None, 2, 0),
        ("renamed", "x.md", "b.md", 5, 5),
        ("renamed", "y.md", "c.md", 1, 0),
    ]
    assert not spy.exists()


def test_a_text_that_git_is_told_to_take_for_binary_has_its_lines(tmp_path):
    repo = a_repository(tmp_path / "rules.git", [{".gitattributes": "*.md binary\n", "a.md": PAGE}])
    first = repo.tip()
    assert told(repo, first, repo.commit({"a.md": PAGE + "more\n"})) == [("modified", "a.md", None, 1, 0)]


def test_a_lost_older_text_is_told_without_lines_and_beside_it_all_else(tmp_path):
    repo = a_repository(
        tmp_path / "rules.git", [{"a.md": PAGE, "b.md": PAGE[:30], "c.md": "# C\n", "d.md": "# D\n"}]
    )
    old = repo.tip()
    blobs = {path: oid for path, (_, oid) in repo.files_of(old).items()}
    new = repo.commit(
        {"a.md": PAGE + "x\n", "b.md": None, "c.md": "# C\n\nmore\n", "d.md": None, "e.md": "# D\n"}
    )
    lost(repo, blobs[b"a.md"])
    lost(repo, blobs[b"b.md"])

    assert told(repo, old, new) == [
        ("modified", "a.md", None, None, None),
        ("deleted", "b.md", None, None, None),
        ("modified", "c.md", None, 2, 0),
        ("renamed", "e.md", "d.md", 0, 0),
    ]


def test_a_broken_older_text_takes_the_lines_of_no_other(tmp_path):
    files = {f"{name}.md": PAGE for name in "ac"} | {"b.md": PAGE + "b\n"}
    repo = a_repository(tmp_path / "rules.git", [files])
    old = repo.tip()
    broken = repo.files_of(old)[b"b.md"][1]
    new = repo.commit({f"{name}.md": PAGE + f"{name} {name}\n" for name in "abc"})
    place = repo.path / "objects" / broken[:2] / broken[2:]
    place.chmod(0o644)
    place.write_bytes(place.read_bytes()[:-6] + b"broken")

    assert told(repo, old, new) == [
        ("modified", "a.md", None, 1, 0),
        ("modified", "b.md", None, None, None),
        ("modified", "c.md", None, 1, 0),
    ]


def test_an_entry_that_git_refuses_a_whole_commit_for_hides_no_change(tmp_path):
    repo = a_repository(tmp_path / "rules.git")
    nameless = (FILE, b"", repo.blob("x"))
    blobs = {text: repo.blob(text) for text in (PAGE, PAGE + "more\n", "# X\n", "# Y\n")}
    page, longer, x, y = blobs.values()
    large = repo.blob("x" * (LARGEST + 1))
    files = {"a.md": page, "b.md": x, "c.md": y, "d.md": x, "large.md": large}
    old = repo.raw_commit(
        repo.raw_tree([nameless, *((FILE, name.encode(), one) for name, one in files.items())])
    )
    files = {"a.md": longer, "c.md": y, "e.md": x}
    new = repo.raw_commit(repo.raw_tree((FILE, name.encode(), one) for name, one in files.items()), [old])

    there = [
        ("modified", "a.md", None, 1, 0),
        ("deleted", "d.md", None, 0, 1),
        ("renamed", "e.md", "b.md", 0, 0),
    ]
    back = [
        ("modified", "a.md", None, 0, 1),
        ("renamed", "b.md", "e.md", 0, 0),
        ("added", "d.md", None, 1, 0),
    ]
    assert told(repo, old, new) == there
    assert told(repo, new, old) == back
    cut = between(repo, old, new, paths=2)
    assert ([one.path for one in cut.found], cut.truncated) == (["a.md", "b.md"], True)


def test_a_lost_tree_is_a_damaged_mirror(tmp_path):
    repo = a_repository(tmp_path / "rules.git", [{"a.md": PAGE}])
    old = repo.tip()
    new = repo.commit({"a.md": PAGE + "more\n"})
    lost(repo, repo.git("rev-parse", f"{old}^{{tree}}").decode().strip())
    with pytest.raises(MirrorDamaged):
        between(repo, old, new)


def test_both_commits_must_be_there(tmp_path):
    repo = a_repository(tmp_path / "rules.git", [{"a.md": PAGE}])
    for old, new in [("f" * 40, repo.tip()), (repo.tip(), "f" * 40), ("main", repo.tip())]:
        with pytest.raises(CommitMissing):
            reader.differences(repo.path, old, new, covers=covers, largest=LARGEST, documents={})


# Limits


def many(count: int, folder: str, tail: str = "") -> dict[str, str]:
    """Texts of which each has lines of its own."""
    return {f"{folder}/{n:04}.md": "".join(f"{n} {line}\n" for line in range(8)) + tail for n in range(count)}


def moved(folder: Path, before: dict, after: dict) -> tuple[GitWorld, str, str]:
    repo = a_repository(folder / "rules.git", [before])
    return repo, repo.tip(), repo.commit({**dict.fromkeys(before), **after})


def test_more_documents_than_the_limit_are_cut(tmp_path):
    repo, old, new = moved(tmp_path, many(30, "a"), {})
    assert between(repo, old, new, paths=30).truncated is False
    cut = between(repo, old, new, paths=29)
    assert (len(cut.found), cut.truncated) == (29, True)


def test_files_that_are_no_documents_do_not_count(tmp_path):
    repo, old, new = moved(tmp_path, {f"{n}.txt": f"{n}" for n in range(50)} | {"a.md": PAGE}, {})
    found = between(repo, old, new, paths=1)
    assert ([one.path for one in found.found], found.truncated) == (["a.md"], False)


def test_no_time_and_no_room_give_what_was_found(tmp_path):
    repo, old, new = moved(tmp_path, {"a.md": PAGE}, {"b.md": PAGE + "more\n"})
    assert between(repo, old, new, seconds=0) == reader.Differences(found=(), truncated=True)
    assert between(repo, old, new, output=10).truncated is True


def test_without_time_to_compare_documents_are_told_as_added_and_deleted(tmp_path):
    repo, old, new = moved(
        tmp_path, {"a.md": PAGE, "x.md": "# X\n"}, {"b.md": PAGE + "more\n", "y.md": "# X\n"}
    )
    found = between(repo, old, new, comparing=0)
    assert [one[:3] for one in found.found] == [
        ("deleted", "a.md", None),
        ("added", "b.md", None),
        ("renamed", "y.md", "x.md"),
    ]
    assert found.truncated is True


def test_too_many_documents_are_not_compared_for_likeness_but_found_where_their_very_text_is(tmp_path):
    before = many(6, "a") | {"same/1.md": "# One\n", "same/2.md": "# Two\n"}
    after = many(6, "b", "more\n") | {"other/1.md": "# One\n", "other/2.md": "# Two\n"}
    repo, old, new = moved(tmp_path, before, after)

    few = between(repo, old, new, candidates=12)
    too_many = between(repo, old, new, candidates=11)

    assert {one.status for one in few.found} == {"renamed"}
    assert sorted(one.status for one in too_many.found) == ["added"] * 6 + ["deleted"] * 6 + ["renamed"] * 2
    assert (few.truncated, too_many.truncated) == (False, False)


def test_a_thousand_candidates_fit_on_a_command_line(tmp_path):
    folder = "/".join(["a long name of a folder" * 4] * 8)
    repo, old, new = moved(tmp_path, many(500, f"{folder}/a"), many(500, f"{folder}/b", "more\n"))
    assert {one.status for one in between(repo, old, new).found} == {"renamed"}


def test_paths_that_do_not_fit_are_not_compared(tmp_path, monkeypatch):
    monkeypatch.setattr(pairing, "ARGUMENTS", 20)
    repo, old, new = moved(tmp_path, {"a.md": PAGE}, {"b.md": PAGE + "more\n"})
    assert [one.status for one in between(repo, old, new).found] == ["deleted", "added"]


def test_lines_are_counted_small_texts_first_until_the_time_is_over(tmp_path):
    repo = a_repository(tmp_path / "rules.git", [{"a.md": PAGE}])
    old = repo.tip()
    new = repo.commit({"a.md": PAGE + "more\n"})
    found = between(repo, old, new).found

    counts = reader.line_counts(repo.path, old, new, among=found, seconds=0)

    assert (dict(counts.by_path), counts.complete) == ({}, False)


def test_a_text_that_git_compares_for_long_takes_the_lines_of_no_smaller_one(tmp_path):
    dice = Random(1)
    slow = ["\n".join(dice.choices("ab", k=1 << 20)) for _ in range(2)]
    repo = a_repository(tmp_path / "rules.git", [{"a.md": slow[0], "b.md": PAGE}])
    old = repo.tip()
    new = repo.commit({"a.md": slow[1], "b.md": PAGE + "more\n"})
    blobs = repo.files_of(old), repo.files_of(new)
    among = [
        Difference("modified", name, None, *(files[name.encode()][1] for files in blobs))
        for name in ("a.md", "b.md")
    ]

    counts = reader.line_counts(repo.path, old, new, among=among, seconds=0.7)

    assert (dict(counts.by_path), counts.complete) == ({"b.md": (1, 0)}, False)


# Git itself

NAMES = ["a.md", "b.md", "docs/a.md", "docs/b c.md", "docs/deep/a.md", "ä.md", "*.md", "c.md/a.md", "c.md"]
LINES = st.lists(st.sampled_from([f"line {letter}\n" for letter in "abcdefghij"]), max_size=12)


@st.composite
def texts(draw):
    return "".join(draw(LINES)) + draw(st.sampled_from(["", "", "end"]))


@st.composite
def histories(draw):
    """Files of a first commit, and what each later one does to them."""
    first = draw(st.dictionaries(st.sampled_from(NAMES), texts(), min_size=1, max_size=6))
    verbs = st.sampled_from(["write", "append", "prepend", "move", "copy", "delete", "mode"])
    steps = st.tuples(verbs, st.integers(0, 99), st.sampled_from(NAMES), texts())
    return first, draw(st.lists(steps, min_size=1, max_size=8))


def step(files: dict, verb: str, number: int, name: str, text: str) -> None:
    """Do one thing to the files, if it can be done; a folder and a file never have the same name."""
    chosen = sorted(files)[number % len(files)] if files else ""
    if verb in {"move", "copy", "write"} and any(
        name.startswith(f"{path}/") or path.startswith(f"{name}/") for path in files
    ):
        return
    if verb == "write" or not files:
        files[name] = text
    elif verb in {"append", "prepend"}:
        old = files[chosen]
        plain = old.text if isinstance(old, Executable) else old
        files[chosen] = plain + text if verb == "append" else text + plain
    elif verb == "mode":
        files[chosen] = Executable(files[chosen]) if isinstance(files[chosen], str) else files[chosen].text
    elif verb == "delete":
        del files[chosen]
    else:
        files[name] = files[chosen]
        if verb == "move" and name != chosen:
            del files[chosen]


@settings(max_examples=60, deadline=None)
@given(history=histories())
def test_documents_alone_are_told_exactly_as_git_tells_them(history):
    first, steps = history
    files = {}
    for name, text in first.items():
        step(files, "write", 0, name, text)
    with tempfile.TemporaryDirectory() as folder:
        repo = a_repository(Path(folder) / "rules.git")
        commits = [repo.commit(files)]
        for one in steps:
            before = set(files)
            step(files, *one)
            commits.append(repo.commit({**dict.fromkeys(before - set(files)), **files}))

        for old in {commits[0], commits[len(commits) // 2]}:
            assert told(repo, old, commits[-1]) == as_git_tells(repo, old, commits[-1])


def test_a_difference_holds_the_blobs_of_both_sides(tmp_path):
    repo, old, new = moved(tmp_path, {"a.md": PAGE}, {"b.md": PAGE + "more\n"})
    was, remains = repo.files_of(old)[b"a.md"][1], repo.files_of(new)[b"b.md"][1]
    assert between(repo, old, new).found == (Difference("renamed", "b.md", "a.md", was, remains),)
