"""Branches: which names may be followed, and how commits stand to each other."""

from __future__ import annotations

import pytest

from repositories import reader
from repositories.errors import BranchMissing
from repositories.reader import Branch
from tests.repositories.given_git import a_repository

LEGAL = ["main", "release/1.0", "a.b", "a_b-c", "A", "HEADS", "x/kintsugi/y", "kintsugi-2", "a" * 200]
ILLEGAL = [
    "-x",
    ".x",
    "x.",
    "x/",
    "/x",
    "a//b",
    "a/.b",
    "a..b",
    "x.lock",
    "x.lock/y",
    "kintsugi",
    "kintsugi/a",
]
ILLEGAL += [
    "a b",
    "a~1",
    "a^",
    "a:b",
    "a?b",
    "a*b",
    "a[b",
    "a\\b",
    "@",
    "a@{1}",
    "ä",
    "a\n",
    "a\x1b",
    "",
    "a" * 201,
]


@pytest.mark.parametrize("name", LEGAL)
def test_a_plain_name_may_be_followed(name):
    assert reader.is_branch_name(name)


@pytest.mark.parametrize("name", ILLEGAL)
def test_any_other_name_may_not(tmp_path, name):
    repo = a_repository(tmp_path / "mirror.git", [{"a.md": "x"}])
    assert not reader.is_branch_name(name)
    with pytest.raises(BranchMissing):
        reader.tip_of(repo.path, name)


def test_only_legal_branches_are_listed_by_name(tmp_path):
    repo = a_repository(tmp_path / "mirror.git")
    commit = repo.commit({"a.md": "x"})
    for name in (b"next", b"-x", b"kintsugi/tree", b"kintsugi/x/y", b"\xff", "ä".encode(), b"a b", b"a..b"):
        repo.raw_reference(b"refs/heads/" + name, commit)
    repo.raw_reference(b"refs/tags/v1", commit)
    repo.raw_reference(b"refs/brain/1/tree/" + commit.encode(), commit)
    (repo.path / "refs/heads/nowhere").write_text("ref: refs/heads/gone\n")
    assert reader.branches(repo.path) == [Branch("main", commit), Branch("next", commit)]


def test_the_list_is_capped(tmp_path):
    repo = a_repository(tmp_path / "mirror.git")
    commit = repo.commit({"a.md": "x"})
    lines = [f"{commit} refs/heads/b{number:05}\n" for number in range(6_000)]
    (repo.path / "packed-refs").write_text("# pack-refs with: peeled fully-peeled sorted \n" + "".join(lines))
    assert len(reader.branches(repo.path)) == 5_000


def test_a_tip_is_the_commit_of_the_branch(tmp_path):
    repo = a_repository(tmp_path / "mirror.git")
    commit = repo.commit({"a.md": "x"}, branch="release/1.0")
    assert reader.tip_of(repo.path, "release/1.0") == commit
    with pytest.raises(BranchMissing, match="no branch 'main'"):
        reader.tip_of(repo.path, "main")


def test_commits_ahead_are_counted_to_the_cap(tmp_path):
    repo = a_repository(tmp_path / "mirror.git")
    old, *_, new = [repo.commit({"a.md": str(number)}) for number in range(12)]
    assert reader.ahead_count(repo.path, old, new) == 11
    assert reader.ahead_count(repo.path, old, new, cap=5) == 5
    assert reader.ahead_count(repo.path, new, old) == 0
    assert reader.ahead_count(repo.path, new, new) == 0
    assert reader.ahead_count(repo.path, "1" * 40, new) is None
    assert reader.ahead_count(repo.path, old, "main") is None


def test_descent_is_known_for_commits_that_are_there(tmp_path):
    repo = a_repository(tmp_path / "mirror.git")
    old = repo.commit({"a.md": "1"})
    new = repo.commit({"a.md": "2"})
    other = repo.commit({"b.md": "1"}, branch="other", parents=[])
    assert reader.descends_from(repo.path, new, old)
    assert reader.descends_from(repo.path, new, new)
    assert not reader.descends_from(repo.path, old, new)
    assert not reader.descends_from(repo.path, new, other)
    assert not reader.descends_from(repo.path, new, "1" * 40)


@pytest.mark.parametrize("date", ["yesterday", "", "-5", "99999999999999999999"])
def test_descent_goes_through_a_commit_whose_date_is_no_number(tmp_path, date):
    repo = a_repository(tmp_path / "mirror.git")
    old = repo.commit({"a.md": "1"})
    odd = repo.commit({"a.md": "2"}, date=date)
    new = repo.commit({"a.md": "3"})
    other = repo.commit({"a.md": "4"}, branch="other", parents=[])
    for commit, ancestor in ((new, old), (new, odd), (odd, old)):
        assert reader.descends_from(repo.path, commit, ancestor)
        assert not reader.descends_from(repo.path, ancestor, commit)
    assert not reader.descends_from(repo.path, new, other)
    assert reader.ahead_count(repo.path, old, new) == 2
    assert reader.ahead_count(repo.path, old, new, cap=1) == 1
    assert reader.ahead_count(repo.path, other, new) == 3
