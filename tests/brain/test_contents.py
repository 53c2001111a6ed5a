"""What of a commit is indexed, and what is told of files that are not."""

from __future__ import annotations

from brain.contents import contents_of
from brain.tree.scope import LeftOut, Scope
from tests.repositories.given_git import a_repository


def contents(folder, files, scope=None):
    git = a_repository(folder, [files])
    return contents_of(git.path, git.tip(), scope or Scope())


def test_a_path_that_is_no_utf_8_is_named_unless_it_is_hidden_or_not_included(tmp_path):
    odd = {b"docs/caf\xe9.md": "# A", b"restricted/caf\xe9.md": "# B", b"drafts/caf\xe9.md": "# C"}
    found = contents(tmp_path / "all", odd, Scope(exclude=["drafts/"]))
    assert found.left_out == (LeftOut("docs/caf\\xe9.md", "bad-path"),)
    assert contents(tmp_path / "few", odd, Scope(include=["notes/"])).left_out == ()


def test_a_folder_that_is_named_like_a_page_exists_unless_it_holds_hidden_files_alone(tmp_path):
    files = {"shown.md/a.txt": "a", "held.md/restricted/a.md": "# A", "held.md/.cache/b.md/c.txt": "c"}
    assert contents(tmp_path / "git", files).existing == {"shown.md"}


def test_a_hidden_page_exists_for_nobody(tmp_path):
    files = {"a.md": "# A", "restricted/b.md": "# B", "drafts/c.md": "# C"}
    assert contents(tmp_path / "git", files, Scope(exclude=["drafts/"])).existing == {"a.md"}
