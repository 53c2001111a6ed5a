"""Following documents from old commits to a tip: which versions they had, and what became of them."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from repositories import reader
from repositories.reader import Asked, Fate, Followed, FollowLimits
from tests.repositories.given_git import Content, Gitlink, GitWorld, Symlink, a_repository

TEXT = "".join(f"Line {number} of the document.\n" for number in range(10))
EDITED = TEXT.replace("Line 4", "The fourth line")
OTHER = "".join(f"Paragraph {number} is about something else.\n" for number in range(10))


def is_shown(path: str) -> bool:
    return path.endswith(".md") and "restricted/" not in path


def followed(
    git: GitWorld,
    commit: str,
    path: str = "a.md",
    *,
    tip: str = "",
    covers: Callable[[str], bool] = is_shown,
    seconds: float = 60,
    steps: int = 5_000,
) -> Followed | None:
    asked = Asked(commit, path)
    limits = FollowLimits(largest=10_000, until=time.monotonic() + seconds, steps=steps)
    return reader.follow(git.path, tip or git.tip(), [asked], covers=covers, limits=limits).get(asked)


def paths(found: Followed | None) -> list[str]:
    assert found
    return [version.path for version in found.versions]


def texts(git: GitWorld, found: Followed | None) -> list[str]:
    assert found
    return [reader.blob(git.path, version.blob).decode() for version in found.versions]


@pytest.fixture
def git(tmp_path: Path) -> GitWorld:
    return a_repository(tmp_path / "remote")


# What a version is


def test_each_text_on_the_way_to_the_tip_is_a_version(git: GitWorld) -> None:
    git.commit({"a.md": "Before.\n"})
    first = git.commit({"a.md": TEXT})
    git.commit({"b.md": OTHER})
    git.commit({"a.md": EDITED})
    found = followed(git, first)
    assert found
    assert found.fate is Fate.HERE
    assert texts(git, found) == [TEXT, EDITED]


def test_the_tip_itself_has_one_version(git: GitWorld) -> None:
    assert paths(followed(git, git.commit({"a.md": TEXT}))) == ["a.md"]


# Renames


@pytest.mark.parametrize("text", [TEXT, EDITED])
def test_a_rename_is_followed_with_the_same_text_or_a_like_one(git: GitWorld, text: str) -> None:
    first = git.commit({"a.md": TEXT})
    git.commit({"a.md": None, "new/b.md": text})
    assert paths(followed(git, first)) == ["a.md", "new/b.md"]


def test_one_rename_after_another_is_followed(git: GitWorld) -> None:
    first = git.commit({"a.md": TEXT})
    git.commit({"a.md": None, "b.md": EDITED})
    git.commit({"b.md": None, "c.md": EDITED, "a.md": OTHER})
    assert paths(followed(git, first)) == ["a.md", "b.md", "c.md"]


def test_documents_that_change_places_are_each_followed(git: GitWorld) -> None:
    first = git.commit({"a.md": TEXT, "b.md": OTHER})
    git.commit({"a.md": OTHER, "b.md": TEXT})
    assert paths(followed(git, first, "a.md")) == ["a.md", "b.md"]
    assert paths(followed(git, first, "b.md")) == ["b.md", "a.md"]


def test_a_document_makes_room_for_another(git: GitWorld) -> None:
    first = git.commit({"draft.md": OTHER, "a.md": TEXT})
    git.commit({"draft.md": None, "a.md": OTHER, "old.md": TEXT})
    assert paths(followed(git, first, "a.md")) == ["a.md", "old.md"]


def test_a_copy_that_is_put_aside_is_no_move(git: GitWorld) -> None:
    first = git.commit({"a.md": TEXT})
    git.commit({"a.md": EDITED, "archive/a.md": TEXT})
    assert paths(followed(git, first)) == ["a.md", "a.md"]


def test_a_document_that_became_another_one_is_gone(git: GitWorld) -> None:
    first = git.commit({"a.md": TEXT})
    git.commit({"a.md": None, "b.md": OTHER})
    found = followed(git, first)
    assert found
    assert (found.fate, paths(found)) == (Fate.GONE, ["a.md"])


def test_a_deletion_that_is_taken_back_is_none(git: GitWorld) -> None:
    first = git.commit({"a.md": TEXT})
    git.commit({"a.md": None})
    gone = followed(git, first)
    assert gone
    assert gone.fate is Fate.GONE
    git.commit({"a.md": TEXT})
    git.commit({"a.md": EDITED})
    found = followed(git, first)
    assert found
    assert found.fate is Fate.HERE
    assert texts(git, found) == [TEXT, EDITED]


def test_of_two_places_that_fit_alike_none_is_chosen(git: GitWorld) -> None:
    first = git.commit({"a.md": TEXT})
    git.commit({"a.md": None, "b.md": TEXT, "c.md": TEXT})
    found = followed(git, first)
    assert found
    assert (found.fate, paths(found)) == (Fate.UNKNOWN, ["a.md"])


def test_documents_of_one_text_are_told_apart_by_the_ends_of_their_paths(git: GitWorld) -> None:
    first = git.commit({"one/a.md": TEXT, "two/a.md": TEXT})
    git.commit({"one/a.md": None, "two/a.md": None, "docs/two/a.md": TEXT, "docs/one/a.md": TEXT})
    assert paths(followed(git, first, "one/a.md")) == ["one/a.md", "docs/one/a.md"]
    assert paths(followed(git, first, "two/a.md")) == ["two/a.md", "docs/two/a.md"]


def test_a_document_that_came_anew_is_another_one(git: GitWorld) -> None:
    first = git.commit({"a.md": TEXT})
    git.commit({"a.md": None})
    git.commit({"a.md": EDITED})
    found = followed(git, first)
    assert found
    assert (found.fate, texts(git, found)) == (Fate.GONE, [TEXT])


def test_documents_that_only_moved_are_not_compared(git: GitWorld) -> None:
    many = {f"{number}.md": f"{OTHER}{number}\n" for number in range(1_001)}
    first = git.commit({"a.md": TEXT, **many})
    moved = {f"docs/{path}": text for path, text in many.items()}
    git.commit({"a.md": None, "docs/a.md": EDITED, **dict.fromkeys(many), **moved})
    assert paths(followed(git, first)) == ["a.md", "docs/a.md"]


def test_more_documents_than_git_can_compare_leave_it_unknown(git: GitWorld) -> None:
    first = git.commit({"a.md": TEXT})
    many = {f"{number}.md": f"{TEXT}{number}\n" for number in range(1_001)}
    git.commit({"a.md": None, **many})
    found = followed(git, first)
    assert found
    assert found.fate is Fate.UNKNOWN


# What is hidden


@pytest.mark.parametrize("text", [TEXT, EDITED])
def test_a_move_to_where_nothing_is_shown_is_a_deletion(git: GitWorld, text: str) -> None:
    first = git.commit({"a.md": TEXT})
    git.commit({"a.md": None, "restricted/a.md": text})
    git.commit({"restricted/a.md": None, "back/a.md": text})
    found = followed(git, first)
    assert found
    assert (found.fate, paths(found)) == (Fate.GONE, ["a.md"])


@pytest.mark.parametrize("hidden", [TEXT, EDITED, OTHER])
def test_what_is_hidden_never_changes_where_a_document_went(git: GitWorld, hidden: str) -> None:
    first = git.commit({"a.md": TEXT, "restricted/old.md": EDITED})
    change = {"a.md": None, "b.md": EDITED, "restricted/old.md": None, "restricted/new.md": hidden}
    git.commit(change | {"a.md/restricted/x.md": TEXT})
    assert paths(followed(git, first)) == ["a.md", "b.md"]


def test_a_hidden_document_takes_no_place(git: GitWorld) -> None:
    first = git.commit({"restricted/a.md": OTHER, "a.md": TEXT})
    git.commit({"restricted/a.md": None, "a.md": OTHER, "old.md": TEXT})
    assert paths(followed(git, first)) == ["a.md", "a.md"]


# What is left out


def test_a_commit_that_is_not_before_the_tip_is_left_out(git: GitWorld) -> None:
    first = git.commit({"a.md": TEXT})
    tip = git.commit({"a.md": EDITED})
    side = git.commit({"a.md": OTHER}, branch="side", parents=[first])
    later = git.commit({"a.md": OTHER})
    git.git("tag", "v1", first)
    tree = git.git("rev-parse", f"{first}^{{tree}}").decode().strip()
    for commit in (
        side,
        later,
        tree,
        git.blob(TEXT),
        "v1",
        "main~1",
        "HEAD",
        "",
        "abc",
        "1" * 40,
        first[:-1] + "x",
    ):
        assert followed(git, commit, tip=tip) is None
    assert followed(git, first, tip=tip)


def test_a_commit_may_be_abbreviated_and_in_capitals(git: GitWorld) -> None:
    first = git.commit({"a.md": TEXT})
    git.commit({"a.md": EDITED})
    assert followed(git, first[:8].upper()) == followed(git, first)


def test_a_digit_that_two_commits_share_names_none(git: GitWorld) -> None:
    commits = [git.commit({"a.md": f"{number}\n"}) for number in range(600)]
    names = [commit[:4] for commit in commits]
    twice = next(name for name in names if names.count(name) > 1)
    assert followed(git, twice) is None
    once = next(name for name in names if names.count(name) == 1)
    assert followed(git, once)


@pytest.mark.parametrize(
    "path",
    ["link.md", "module.md", "large.md", "folder.md", "folder.md/", "none.md", "/a.md", "x//a.md", "a.md\0", "a.md\0.md",
     "\ud800.md", "restricted/a.md", "a.txt", ""],
)  # fmt: skip
def test_what_is_no_document_is_left_out(git: GitWorld, path: str) -> None:
    commit = git.commit({
        "a.md": TEXT, "link.md": Symlink("a.md"), "module.md": Gitlink(), "large.md": "x" * 10_001,
        "folder.md/a.md": TEXT, "restricted/a.md": TEXT, "a.txt": TEXT, "x/a.md": TEXT,
    })  # fmt: skip
    assert followed(git, commit, path) is None


@pytest.mark.parametrize("content", [Symlink("b.md"), Gitlink(), "x" * 10_001, None])
def test_a_document_that_became_none_is_gone(git: GitWorld, content: Content) -> None:
    first = git.commit({"a.md": TEXT})
    git.commit({"a.md": content})
    found = followed(git, first)
    assert found
    assert found.fate is Fate.GONE


# The way


def test_the_way_goes_over_the_first_parent_that_descends(git: GitWorld) -> None:
    first = git.commit({"a.md": TEXT})
    side = git.commit({"a.md": OTHER}, branch="side", parents=[first])
    main = git.commit({"a.md": EDITED, "b.md": OTHER}, parents=[first])
    git.commit({"a.md": OTHER}, parents=[main, side])
    assert texts(git, followed(git, first)) == [TEXT, EDITED, OTHER]
    assert texts(git, followed(git, side)) == [OTHER]
    git.commit({"b.md": TEXT})
    assert texts(git, followed(git, first)) == [TEXT, EDITED, OTHER]
    assert texts(git, followed(git, side)) == [OTHER]


def test_a_document_of_a_merged_side_branch_is_followed_over_its_merge(git: GitWorld) -> None:
    first = git.commit({"a.md": TEXT, "b.md": OTHER})
    side = git.commit({"a.md": EDITED}, branch="side", parents=[first])
    main = git.commit({"b.md": None, "c.md": OTHER}, parents=[first])
    git.commit({"a.md": EDITED}, parents=[main, side])
    assert paths(followed(git, side, "b.md")) == ["b.md", "c.md"]
    assert texts(git, followed(git, side, "a.md")) == [EDITED]


# Where the walk ends


def a_long_history(git: GitWorld) -> str:
    first = git.commit({"a.md": TEXT})
    for number in range(6):
        git.commit({"a.md": f"{TEXT}{number}\n"})
    git.commit({"a.md": None, "b.md": EDITED})
    git.commit({"b.md": EDITED + "More.\n"})
    return first


@pytest.mark.parametrize(("steps", "versions"), [(100, 9), (8, 9), (2, 4), (1, 3), (0, 2)])
def test_beyond_the_last_steps_one_step_leads_on(git: GitWorld, steps: int, versions: int) -> None:
    found = followed(git, a_long_history(git), steps=steps)
    assert found
    assert (found.versions[-1].path, len(found.versions)) == ("b.md", versions)
    assert texts(git, found)[-1] == EDITED + "More.\n"


def test_when_time_is_up_one_step_leads_on(git: GitWorld) -> None:
    assert paths(followed(git, a_long_history(git), seconds=0)) == ["a.md", "b.md"]


def test_when_even_the_grace_is_over_it_is_unknown(git: GitWorld) -> None:
    found = followed(git, a_long_history(git), seconds=-60)
    assert found
    assert found.fate is Fate.UNKNOWN


def test_a_history_that_cannot_be_listed_is_crossed_in_one_step(git: GitWorld) -> None:
    lost = git.commit({"a.md": "Before.\n"})
    first = git.commit({"a.md": TEXT})
    git.commit({"a.md": None, "b.md": TEXT})
    git.commit({"b.md": EDITED})
    (git.path / "objects" / lost[:2] / lost[2:]).unlink()
    assert paths(followed(git, first)) == ["a.md", "b.md"]
    assert followed(git, lost) is None
