"""A folder served live: what is in it, what is left out, which commit holds it, and when it is read again."""

from __future__ import annotations

import os
import shutil
import subprocess
import threading
from collections.abc import Mapping
from pathlib import Path

import pytest

from brain.errors import InvalidArgument, Refusal
from brain.folder import LiveFolder, live, open_folder
from brain.folder.listing import DiskFile, text_of
from brain.tree.scope import MAX_DOCUMENT_BYTES
from repositories.errors import RepositoryError
from tests.repositories.given_git import a_repository

FILES = {"README.md": "# Handbook\n", "guides/a.md": "# Guide\n\n## Limits\n\nTen a day.\n"}
GUIDES = ["README.md", "guides/a.md"]
LONG_AGO = 1_700_000_000


@pytest.fixture(autouse=True)
def _look_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "FRESH_FOR", 0.0)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A plain folder that was written long ago."""
    return written(tmp_path / "handbook", FILES)


@pytest.fixture
def work_tree(folder: Path) -> Path:
    """The same folder, all of it committed."""
    git(folder, "init", "--quiet", "--initial-branch=main")
    commit(folder)
    return folder


def written(folder: Path, files: Mapping[str, str]) -> Path:
    for path, text in files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
        os.utime(place, (LONG_AGO, LONG_AGO))
    return folder


def git(folder: Path, *arguments: str) -> str:
    person = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    environment = {"PATH": os.environ["PATH"], "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"}
    command = ["git", "-C", str(folder), *person, *arguments]
    return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout.strip()


def commit(folder: Path) -> str:
    """Commit all that is not ignored."""
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message=Change the files")
    return git(folder, "rev-parse", "HEAD")


def documents(folder: Path) -> list[str]:
    return list(LiveFolder(folder).store().documents())


def head(folder: Path) -> tuple[str, str]:
    """The branch and commit that answers name."""
    envelope = LiveFolder(folder).store().envelope
    return envelope.branch, envelope.commit


# What is served


def test_the_files_on_disk_are_served_with_no_commit(folder: Path) -> None:
    store = LiveFolder(folder).store()
    assert (list(store.documents()), store.envelope.commit, store.envelope.branch) == (GUIDES, "", "")


def test_what_is_no_folder_is_refused(folder: Path) -> None:
    with pytest.raises(InvalidArgument):
        LiveFolder(folder / "README.md")


def test_installed_packages_are_left_out(folder: Path) -> None:
    written(folder, {"node_modules/x/README.md": "# X\n", "guides/node_modules/y.md": "# Y\n"})
    assert documents(folder) == GUIDES


def test_paths_that_are_never_indexed_stay_out(folder: Path) -> None:
    written(folder, {"restricted/x.md": "# X\n", ".hidden/x.md": "# X\n", "scratch/x.md": "# X\n"})
    assert documents(folder) == GUIDES


def test_links_are_not_followed(folder: Path, tmp_path: Path) -> None:
    outside = written(tmp_path / "outside", {"x.md": "# X\n"})
    (folder / "x.md").symlink_to(outside / "x.md")
    (folder / "away").symlink_to(outside)
    assert documents(folder) == GUIDES


def test_the_folder_itself_may_be_a_link(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "current").symlink_to(folder)
    assert documents(tmp_path / "current") == GUIDES


def test_a_link_to_a_file_by_another_name_is_not_broken(folder: Path) -> None:
    (folder / "start.md").symlink_to(folder / "README.md")
    written(folder, {"b.md": "See [the start](start.md).\n"})
    assert LiveFolder(folder).store().broken().links == ()


def test_a_file_that_is_too_large_is_named_as_left_out(folder: Path) -> None:
    written(folder, {"large.md": "x" * (MAX_DOCUMENT_BYTES + 1)})
    assert LiveFolder(folder).store().left_out() == (("large.md", "too-large"),)


def test_a_path_that_is_no_utf8_is_named_as_left_out(folder: Path) -> None:
    written(folder, {os.fsdecode(b"caf\xe9/men\xfc.md"): "# Menu\n"})
    assert LiveFolder(folder).store().left_out() == (("caf\\xe9/men\\xfc.md", "bad-path"),)


def test_a_file_that_cannot_be_read_is_passed_over(folder: Path) -> None:
    (folder / "README.md").chmod(0)
    if os.access(folder / "README.md", os.R_OK):
        pytest.skip("this user may read everything")
    assert documents(folder) == ["guides/a.md"]


@pytest.mark.parametrize("now", ["gone", "a link", "a pipe", "a folder", "too large"])
def test_a_file_that_became_something_else_since_the_listing_is_passed_over(folder: Path, now: str) -> None:
    place = folder / "b.md"
    match now:
        case "a link":
            place.symlink_to(folder / "README.md")
        case "a pipe":
            os.mkfifo(place)
        case "a folder":
            place.mkdir()
        case "too large":
            place.write_bytes(b"x" * (MAX_DOCUMENT_BYTES + 1))
    assert text_of(folder, DiskFile("b.md", 8, 0)) is None


def test_more_text_than_fits_in_memory_is_refused(folder: Path) -> None:
    for number in range(300):
        with (folder / f"{number}.md").open("wb") as sparse:
            sparse.truncate(MAX_DOCUMENT_BYTES)
    with pytest.raises(Refusal, match="512 MiB"):
        LiveFolder(folder).store()


# What Git ignores


def test_what_git_ignores_is_left_out(work_tree: Path) -> None:
    written(work_tree, {".gitignore": "build/\n*.draft.md\n", "guides/.gitignore": "own.md\n"})
    written(work_tree, {"build/x.md": "# X\n", "guides/b.draft.md": "# B\n", "guides/own.md": "# Own\n"})
    assert documents(work_tree) == GUIDES


def test_the_excludes_of_the_repository_count(work_tree: Path) -> None:
    (work_tree / ".git/info/exclude").write_text("guides/\n")
    written(work_tree, {"guides/mine.md": "# Mine\n"})
    assert documents(work_tree) == GUIDES


def test_a_tracked_file_is_not_ignored(work_tree: Path) -> None:
    written(work_tree, {"build/kept.md": "# Kept\n"})
    commit(work_tree)
    written(work_tree, {".gitignore": "build/\n", "build/other.md": "# Other\n"})
    assert documents(work_tree) == ["README.md", "build/kept.md", *GUIDES[1:]]


def test_a_file_that_is_not_yet_tracked_is_served(work_tree: Path) -> None:
    written(work_tree, {"new.md": "# New\n"})
    assert documents(work_tree) == [*GUIDES, "new.md"]


def test_a_repository_inside_a_work_tree_is_left_out(work_tree: Path) -> None:
    git(written(work_tree / "vendor", {"x.md": "# X\n"}), "init", "--quiet")
    assert documents(work_tree) == GUIDES


def test_repositories_inside_a_plain_folder_are_served(folder: Path) -> None:
    git(written(folder / "vendor", {"x.md": "# X\n"}), "init", "--quiet")
    assert documents(folder) == [*GUIDES, "vendor/x.md"]


def test_a_folder_inside_a_work_tree_is_served_by_the_patterns_above(work_tree: Path) -> None:
    written(work_tree, {".gitignore": "*.draft.md\n/guides/b.md\n"})
    written(work_tree, {"guides/a.draft.md": "# A\n", "guides/b.md": "# B\n", "guides/in/b.md": "# B\n"})
    assert documents(work_tree / "guides") == ["a.md", "in/b.md"]


def test_a_folder_inside_a_work_tree_of_which_all_is_ignored_is_empty(work_tree: Path) -> None:
    written(work_tree, {".gitignore": "*.draft.md\n", "drafts/a.draft.md": "# A\n"})
    assert documents(work_tree / "drafts") == []


def test_a_folder_that_is_ignored_as_a_whole_is_served_when_it_is_named(work_tree: Path) -> None:
    written(work_tree, {".gitignore": "notes/\n", "notes/x.md": "# X\n"})
    assert documents(work_tree / "notes") == ["x.md"]


def test_a_repository_that_cannot_be_read_is_refused_and_not_served_whole(work_tree: Path) -> None:
    git(work_tree, "config", "core.repositoryFormatVersion", "1")
    git(work_tree, "config", "extensions.unheardOf", "true")
    with pytest.raises(RepositoryError):
        LiveFolder(work_tree).store()


def test_the_command_line_reads_the_same_files(work_tree: Path) -> None:
    written(work_tree, {".gitignore": "build/\n", "build/x.md": "# X\n", "node_modules/x.md": "# X\n"})
    store = open_folder(work_tree, worktree=True)
    assert (list(store.documents()), store.envelope.commit) == (GUIDES, "")


# Which commit holds it


def test_a_work_tree_without_changes_names_its_commit(work_tree: Path) -> None:
    assert head(work_tree) == ("main", git(work_tree, "rev-parse", "HEAD"))


def test_a_checked_out_commit_has_no_branch(work_tree: Path) -> None:
    git(work_tree, "checkout", "--quiet", "--detach")
    assert head(work_tree) == ("", git(work_tree, "rev-parse", "HEAD"))


@pytest.mark.parametrize("change", ["an edit", "an edit in the index", "a new file", "a file that is gone"])
def test_a_changed_work_tree_names_no_commit(work_tree: Path, change: str) -> None:
    match change:
        case "an edit" | "an edit in the index":
            (work_tree / "README.md").write_text("# Handbuch\n")
        case "a new file":
            (work_tree / "new.md").write_text("# New\n")
        case "a file that is gone":
            (work_tree / "README.md").unlink()
    if change == "an edit in the index":
        git(work_tree, "add", "--all")
    assert head(work_tree) == ("", "")


def test_line_ends_that_git_changed_on_the_way_out_name_no_commit(work_tree: Path) -> None:
    (work_tree / "README.md").write_bytes(b"# Handbook\r\n")
    git(work_tree, "config", "core.autocrlf", "true")
    assert head(work_tree) == ("", "")


def test_files_that_are_no_markdown_do_not_matter(work_tree: Path) -> None:
    written(work_tree, {"notes.txt": "Buy milk.\n"})
    assert head(work_tree)[0] == "main"


def test_packages_that_were_committed_do_not_matter(work_tree: Path) -> None:
    written(work_tree, {"node_modules/x.md": "# X\n"})
    made = commit(work_tree)
    assert head(work_tree) == ("main", made)


def test_a_change_that_is_committed_is_named_by_its_commit(work_tree: Path) -> None:
    served = LiveFolder(work_tree)
    written(work_tree, {"README.md": "# Our handbook\n"})
    assert served.store().envelope.commit == ""
    made = commit(work_tree)
    assert served.store().envelope.commit == made


def test_a_repository_without_a_commit_names_none(folder: Path) -> None:
    git(folder, "init", "--quiet")
    assert head(folder) == ("", "")


def test_an_unborn_branch_is_not_that_of_the_other_one(work_tree: Path) -> None:
    git(work_tree, "symbolic-ref", "HEAD", "refs/heads/next")
    assert head(work_tree) == ("", "")


def test_a_folder_inside_a_work_tree_names_no_commit_because_its_paths_are_others(work_tree: Path) -> None:
    assert head(work_tree / "guides") == ("", "")


def test_a_linked_work_tree_names_its_own_branch(work_tree: Path, tmp_path: Path) -> None:
    git(work_tree, "worktree", "add", "--quiet", "-b", "next", str(tmp_path / "next"))
    assert head(tmp_path / "next") == ("next", git(work_tree, "rev-parse", "HEAD"))


def test_a_document_that_a_commit_would_leave_out_is_left_out_here_too(work_tree: Path) -> None:
    written(work_tree, {"large.md": "x" * (MAX_DOCUMENT_BYTES + 1)})
    made = commit(work_tree)
    assert head(work_tree) == ("main", made)


# A bare repository


def test_a_bare_repository_is_read_from_its_head(tmp_path: Path) -> None:
    world = a_repository(tmp_path / "handbook.git", [FILES])
    store = LiveFolder(world.path).store()
    assert (list(store.documents()), store.envelope.commit) == (GUIDES, world.tip())


def test_a_bare_repository_is_read_again_when_its_head_moved(tmp_path: Path) -> None:
    world = a_repository(tmp_path / "handbook.git", [FILES])
    served = LiveFolder(world.path)
    first = served.store()
    world.commit({"b.md": "# B\n"}, branch="next")
    assert served.store() is first
    world.commit({"c.md": "# C\n"})
    assert list(served.store().documents()) == ["README.md", "c.md", "guides/a.md"]


def test_a_bare_repository_without_a_commit_is_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(InvalidArgument):
        LiveFolder(a_repository(tmp_path / "empty.git").path)


# When it is read again


def test_nothing_changed_is_the_very_same_store(work_tree: Path) -> None:
    served = LiveFolder(work_tree)
    assert served.store() is served.store()


def test_a_file_that_was_only_touched_is_the_very_same_store(folder: Path) -> None:
    served = LiveFolder(folder)
    first = served.store()
    (folder / "README.md").touch()
    assert served.store() is first


def test_the_folder_is_not_looked_at_again_while_the_listing_is_fresh(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "FRESH_FOR", 600.0)
    served = LiveFolder(folder)
    first = served.store()
    (folder / "new.md").write_text("# New\n")
    assert served.store() is first
    monkeypatch.setattr(live, "FRESH_FOR", 0.0)
    assert served.store() is not first


def test_a_new_a_changed_and_a_removed_file_are_seen(folder: Path) -> None:
    served = LiveFolder(folder)
    served.store()
    (folder / "README.md").unlink()
    written(folder, {"guides/a.md": "# Other guide\n", "new.md": "# New\n"})
    assert [node.title for node in served.store().held.tree.nodes if node.lines] == ["Other guide", "New"]


def test_only_files_of_another_size_or_time_are_read_again(folder: Path) -> None:
    served = LiveFolder(folder)
    served.store()
    written(folder, {"README.md": "# Handbuch\n", "guides/a.md": "# Guide of another size\n"})
    assert list(served.store().held.texts.values()) == [b"# Handbook\n", b"# Guide of another size\n"]
    (folder / "README.md").touch()
    assert served.store().held.texts["README.md"] == b"# Handbuch\n"


def test_a_file_that_changes_again_within_a_tick_of_its_clock_is_seen(folder: Path) -> None:
    served = LiveFolder(folder)
    place = folder / "README.md"
    place.write_text("# Handbuch\n")
    served.store()
    time = place.stat().st_mtime_ns
    place.write_text("# Manuals!\n")
    os.utime(place, ns=(time, time))
    assert served.store().held.texts["README.md"] == b"# Manuals!\n"


def test_only_what_changed_is_parsed_again(folder: Path) -> None:
    served = LiveFolder(folder)
    before = served.store().held.tree.documents
    (folder / "README.md").write_text("# Another\n")
    after = served.store().held.tree.documents
    assert [after[path] is before[path] for path in GUIDES] == [False, True]


def test_a_live_tree_is_the_one_that_is_grown_anew(folder: Path) -> None:
    served = LiveFolder(folder)
    served.store()
    written(
        folder, {"b.md": "See [limits](guides/a.md#limits) and [gone](gone.md).\n", "guides/c.md": "# C\n"}
    )
    (folder / "README.md").unlink()
    assert served.store().held == LiveFolder(folder).store().held


def test_another_layout_is_seen(folder: Path) -> None:
    served = LiveFolder(written(folder, {"guides/b.md": "# B\n"}))
    served.store()
    written(folder, {"layout.yml": "folders: {guides: How we do it.}\n"})
    assert served.store().nodes(["guides/"])["guides/"].summary.startswith("How we do it.")


def test_a_file_that_came_to_be_ignored_goes(work_tree: Path) -> None:
    written(work_tree, {"new.md": "# New\n"})
    served = LiveFolder(work_tree)
    assert "new.md" in served.store().documents()
    written(work_tree, {".gitignore": "new.md\n"})
    assert list(served.store().documents()) == GUIDES


def test_a_folder_that_becomes_a_work_tree_is_one(folder: Path) -> None:
    served = LiveFolder(folder)
    served.store()
    git(folder, "init", "--quiet", "--initial-branch=main")
    assert served.store().envelope.commit == ""
    assert commit(folder) == served.store().envelope.commit


def test_a_folder_that_is_gone_is_refused_until_it_is_back(folder: Path) -> None:
    served = LiveFolder(folder)
    first = served.store()
    folder.rename(folder.with_name("away"))
    for _ in range(2):
        with pytest.raises(Refusal, match="gone"):
            served.store()
    folder.with_name("away").rename(folder)
    assert served.store() is first


def test_a_file_in_the_place_of_the_folder_is_refused(folder: Path) -> None:
    served = LiveFolder(folder)
    shutil.rmtree(folder)
    folder.write_text("no folder any more")
    with pytest.raises(Refusal, match="gone"):
        served.store()


def test_it_can_be_read_in_another_thread_than_the_first(folder: Path) -> None:
    found: list[str] = []
    reading = threading.Thread(target=lambda: found.extend(documents(folder)))
    reading.start()
    reading.join()
    assert found == GUIDES


def test_nothing_is_written(work_tree: Path) -> None:
    def state() -> dict[Path, tuple[int, int]]:
        places = [work_tree, *work_tree.rglob("*")]
        return {place: (place.lstat().st_mtime_ns, place.lstat().st_ino) for place in places}

    before = state()
    (LiveFolder(work_tree).store(), open_folder(work_tree, worktree=True))
    assert state() == before


# Absolute paths


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("", "/"),
        ("/", "/"),
        ("/README.md", "README.md"),
        ("/guides", "guides/"),
        ("/guides/", "guides/"),
        ("/guides/a.md", "guides/a.md"),
        ("/guides/a.md#limits", "guides/a.md#limits"),
        ("/guides/a.md#see/../b", "guides/a.md#see/../b"),
        ("/guides/../README.md", "README.md"),
        ("/./guides//a.md", "guides/a.md"),
        ("/no/such.md", "no/such.md"),
        ("/no/such/", "no/such/"),
    ],
)
def test_an_absolute_path_inside_the_folder_is_a_node_id(folder: Path, said: str, meant: str) -> None:
    assert LiveFolder(folder).inside(f"{folder}{said}") == meant


@pytest.mark.parametrize(
    "reference",
    [
        "",
        "/",
        "/guides",
        "guides/a.md",
        "../x.md",
        "~/x.md",
        "ADR-1",
        "/a\0b",
        f"/{'x' * 5_000}",
        "//",
        "/\udce9",
    ],
)
def test_every_other_reference_stays_as_it_is(folder: Path, reference: str) -> None:
    assert LiveFolder(folder).inside(reference) == reference


@pytest.mark.parametrize("beside", ["/../x.md", "-2/x.md", "/../handbook-2/x.md", "/away/x.md", "/away"])
def test_a_path_that_leaves_the_folder_stays_as_it_is(folder: Path, beside: str) -> None:
    written(folder.parent / "handbook-2", {"x.md": "# X\n"})
    (folder / "away").symlink_to(folder.parent / "handbook-2")
    assert LiveFolder(folder).inside(f"{folder}{beside}") == f"{folder}{beside}"


def test_a_path_by_another_spelling_of_the_folder_is_inside(folder: Path) -> None:
    (folder.parent / "other").symlink_to(folder)
    for served in (folder, folder.parent / "other"):
        for said in (folder, folder.parent / "other"):
            assert LiveFolder(served).inside(f"{said}/guides") == "guides/"


def test_a_folder_whose_own_name_has_a_mark_keeps_its_anchors(tmp_path: Path) -> None:
    folder = written(tmp_path / "c# and f#", FILES)
    assert LiveFolder(folder).inside(f"{folder}/guides/a.md#limits") == "guides/a.md#limits"


def test_a_folder_that_is_not_indexed_is_told_from_none_by_nothing(folder: Path) -> None:
    written(folder, {"restricted/x.md": "# X\n"})
    served = LiveFolder(folder)
    assert [served.inside(f"{folder}/{name}") for name in ("restricted", "nothing")] == [
        "restricted",
        "nothing",
    ]
