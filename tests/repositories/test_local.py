"""A folder of this machine as a remote: only below the roots that the operator names."""

from __future__ import annotations

import subprocess

import pytest

from repositories import mirrors, reader
from repositories.errors import FetchFailed, RemoteRefused
from repositories.models import Repository
from tests.repositories.given_git import a_repository


@pytest.fixture
def root(tmp_path, settings):
    folder = tmp_path / "allowed"
    folder.mkdir()
    settings.MIRROR_LOCAL_ROOTS = [folder]
    settings.MIRROR_ROOT = tmp_path / "mirrors"
    return folder


def test_a_bare_repository_below_a_root_is_mirrored(db, root):
    remote = a_repository(root / "team/rules.git", [{"a.md": "# A"}])
    repository = Repository.objects.create(slug="rules", name="Rules", remote=str(remote.path))
    mirrors.sync(repository)
    assert reader.tip_of(repository.mirror, "main") == remote.tip()
    assert (repository.outcome, repository.default_branch) == ("ok", "main")


def test_a_work_tree_is_mirrored_by_its_repository(db, root):
    folder = root / "work tree $(touch x);'"
    git = ["git", "-C", str(folder), "-c", "user.name=n", "-c", "user.email=e"]
    subprocess.run(["git", "init", "-q", "-b", "trunk", str(folder)], check=True)
    (folder / "a.md").write_text("# A")
    subprocess.run([*git, "add", "a.md"], check=True)
    subprocess.run([*git, "commit", "-qm", "x"], check=True)
    repository = Repository.objects.create(slug="rules", name="Rules", remote=str(folder))
    mirrors.sync(repository)
    assert [branch.name for branch in reader.branches(repository.mirror)] == ["trunk"]


@pytest.mark.parametrize(
    "spelling", ["{root}/../outside.git", "{root}/link.git", "{outside}", "/", "{root}x/a.git"]
)
def test_a_folder_outside_of_the_roots_is_refused(root, tmp_path, spelling):
    outside = a_repository(tmp_path / "outside.git", [{"a.md": "1"}]).path
    a_repository(tmp_path / "allowedx/a.git", [{"a.md": "1"}])
    (root / "link.git").symlink_to(outside)
    with pytest.raises(RemoteRefused, match="MIRROR_LOCAL_ROOTS"):
        mirrors.checked_remote(spelling.format(root=root, outside=outside))


def test_a_repository_that_a_link_leads_to_is_refused(root, tmp_path):
    outside = a_repository(tmp_path / "outside.git", [{"a.md": "1"}]).path
    (root / "work").mkdir()
    (root / "work/.git").symlink_to(outside)
    with pytest.raises(RemoteRefused, match="somewhere else"):
        mirrors.checked_remote(str(root / "work"))


def test_a_folder_without_a_repository_is_refused(root):
    (root / "empty").mkdir()
    with pytest.raises(RemoteRefused, match="no Git repository"):
        mirrors.checked_remote(str(root / "empty"))


def test_without_roots_no_folder_is_allowed(root, settings):
    a_repository(root / "rules.git", [{"a.md": "1"}])
    settings.MIRROR_LOCAL_ROOTS = []
    with pytest.raises(RemoteRefused):
        mirrors.checked_remote(str(root / "rules.git"))


def test_the_roots_are_asked_again_before_every_fetch(db, root, settings):
    remote = a_repository(root / "rules.git", [{"a.md": "1"}])
    repository = Repository.objects.create(slug="rules", name="Rules", remote=str(remote.path))
    mirrors.sync(repository)
    settings.MIRROR_LOCAL_ROOTS = []
    with pytest.raises(FetchFailed) as failed:
        mirrors.sync(repository)
    assert failed.value.code == "refused"


@pytest.mark.parametrize(
    ("options", "sentence"), [(["--depth=1"], "shallow"), (["--filter=blob:none"], "partial")]
)
def test_half_a_clone_is_refused_with_the_reason(root, tmp_path, options, sentence):
    whole = a_repository(tmp_path / "whole.git", [{"a.md": "1"}, {"a.md": "2"}])
    whole.git("config", "uploadpack.allowFilter", "true")
    target = root / "half.git"
    command = ["git", "clone", "-q", "--bare", *options, f"file://{whole.path}", str(target)]
    subprocess.run(command, check=True)
    with pytest.raises(RemoteRefused, match=sentence):
        mirrors.checked_remote(str(target))
