"""Every path that differs between two commits, whatever it is and however it is named."""

from __future__ import annotations

import pytest

from repositories import reader
from repositories.errors import CommitMissing, TreesUnread
from repositories.processes import Limits
from repositories.reader import PathChange
from tests.repositories.given_git import (
    EXECUTABLE,
    FILE,
    SUBMODULE,
    SYMLINK,
    Executable,
    Gitlink,
    Symlink,
    a_repository,
)


@pytest.fixture
def repo(tmp_path):
    return a_repository(tmp_path / "mirror.git")


def test_what_was_added_changed_and_removed_is_told_with_its_blobs(repo):
    old = repo.commit({"a.md": "1", "b.md": "1", "same.md": "1", "x/y/z.png": "1"})
    new = repo.commit({"a.md": "2", "b.md": None, "x/y/z.png": "2", "x/new.txt": "1"})
    one, two = repo.blob("1"), repo.blob("2")
    assert reader.paths_between(repo.path, old, new) == (
        PathChange("a.md", b"a.md", FILE, one, FILE, two),
        PathChange("b.md", b"b.md", FILE, one, 0, None),
        PathChange("x/new.txt", b"x/new.txt", 0, None, FILE, one),
        PathChange("x/y/z.png", b"x/y/z.png", FILE, one, FILE, two),
    )


def test_a_rename_is_one_path_less_and_one_more(repo):
    old = repo.commit({"a.md": "the same text\n" * 20})
    new = repo.commit({"a.md": None, "b.md": "the same text\n" * 20})
    assert [change.path for change in reader.paths_between(repo.path, old, new)] == ["a.md", "b.md"]


def test_a_change_of_kind_is_a_change(repo):
    old = repo.commit({"a": "1", "b": "1", "c": "1"})
    new = repo.commit({"a": Executable("1"), "b": Symlink("a"), "c": Gitlink()})
    modes = [(change.old_mode, change.new_mode) for change in reader.paths_between(repo.path, old, new)]
    assert modes == [(FILE, EXECUTABLE), (FILE, SYMLINK), (FILE, SUBMODULE)]


def test_a_file_that_became_a_folder_is_told_as_both(repo):
    old = repo.commit({"a.md": "1"})
    new = repo.commit({"a.md": None, "a.md/b.md": "1"})
    assert {change.path for change in reader.paths_between(repo.path, old, new)} == {"a.md", "a.md/b.md"}


def test_a_name_that_is_no_utf_8_is_kept_in_bytes_alone(repo):
    old = repo.commit({"a.md": "1"})
    new = repo.commit({b"caf\xe9.md": "1", "new\nline.md": "1", 'quo"te.md': "1"})
    found = [(change.path, change.raw_path) for change in reader.paths_between(repo.path, old, new)]
    assert found == [
        (None, b"caf\xe9.md"),
        ("new\nline.md", b"new\nline.md"),
        ('quo"te.md', b'quo"te.md'),
    ]


def test_commits_of_one_tree_differ_in_nothing(repo):
    old = repo.commit({"a.md": "1"})
    assert reader.paths_between(repo.path, old, repo.commit({})) == ()


def test_only_commits_that_are_there_are_compared(repo):
    commit = repo.commit({"a.md": "1"})
    for missing in ("1" * 40, "main", "--output=x"):
        with pytest.raises(CommitMissing):
            reader.paths_between(repo.path, missing, commit)
        with pytest.raises(CommitMissing):
            reader.paths_between(repo.path, commit, missing)


def test_what_cannot_be_read_whole_is_not_told_in_part(repo):
    old, new = repo.commit({"a.md": "1"}), repo.commit({"a.md": "2", "b.md": "1"})
    with pytest.raises(TreesUnread):
        reader.paths_between(repo.path, old, new, limits=Limits(output=10))
    tree = repo.git("rev-parse", f"{new}^{{tree}}").decode().strip()
    (repo.path / "objects" / tree[:2] / tree[2:]).unlink()
    with pytest.raises(TreesUnread):
        reader.paths_between(repo.path, old, new)
