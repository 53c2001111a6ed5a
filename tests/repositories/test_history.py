"""The last change of a file: which commit, when, and what of it may be told."""

from __future__ import annotations

import random
from datetime import UTC, datetime

import pytest

from repositories import reader
from repositories.errors import CommitMissing
from repositories.reader import HistoryLimits
from repositories.reader.history import is_restricted, log_format, touches_in
from tests.repositories.given_git import FIRST_DATE, Gitlink, Symlink, a_repository


@pytest.fixture
def repo(tmp_path):
    return a_repository(tmp_path / "mirror.git")


def changes(repo, commit=None, **limits):
    return reader.last_changes(repo.path, commit or repo.tip(), limits=HistoryLimits(**limits)).changes


def test_a_file_was_changed_by_its_newest_touching_commit(repo):
    first = repo.commit({"a.md": "1", "b.md": "1"}, message="Begin\n\nWith a body.", date=FIRST_DATE)
    second = repo.commit({"a.md": "2"}, message="Change a")
    found = changes(repo)
    assert (found["a.md"].commit, found["a.md"].subject) == (second, "Change a")
    assert (found["b.md"].commit, found["b.md"].subject) == (first, "Begin")
    assert found["b.md"].at == datetime(2024, 1, 1, tzinfo=UTC)


def test_a_rename_is_a_change_of_the_new_path(repo):
    repo.commit({"a.md": "the same text\n" * 20})
    moved = repo.commit({"a.md": None, "b.md": "the same text\n" * 20})
    assert changes(repo)["b.md"].commit == moved


def test_modes_links_and_submodules_are_changes_too(repo):
    commit = repo.commit({"link.md": Symlink("a"), "sub.md": Gitlink()})
    changed = repo.commit({"sub.md": Gitlink("2" * 40)})
    assert (changes(repo)["link.md"].commit, changes(repo)["sub.md"].commit) == (commit, changed)


def test_a_merge_changes_nothing_itself(repo):
    repo.commit({"a.md": "1"})
    repo.branch("side", repo.tip())
    there = repo.commit({"b.md": "1"}, branch="side")
    here = repo.commit({"a.md": "2"})
    repo.merge("side")
    found = reader.last_changes(repo.path, repo.tip())
    assert {path: change.commit for path, change in found.changes.items()} == {"a.md": here, "b.md": there}
    assert (found.walked, found.complete, found.problem) == (3, True, None)


def test_of_equal_dates_the_greater_id_wins(repo):
    base = repo.commit({"a.md": "0"}, date=1_000)
    sides = [
        repo.commit({"a.md": str(side)}, branch=f"s{side}", parents=[base], date=2_000) for side in range(6)
    ]
    for side in range(1, 6):
        repo.merge(f"s{side}", into="s0", date=3_000)
    assert changes(repo, repo.tip("s0"))["a.md"].commit == max(sides)
    assert reader.last_change_of(repo.path, repo.tip("s0"), "a.md").commit == max(sides)


def test_the_newest_date_wins_over_the_order_of_the_commits(repo):
    future = repo.commit({"a.md": "1"}, date=2_000_000_000)
    repo.commit({"a.md": "2"}, date=1_000_000_000)
    assert changes(repo)["a.md"].commit == future
    assert reader.last_change_of(repo.path, repo.tip(), "a.md").commit == future


def test_a_file_that_takes_the_place_of_a_folder_did_not_change_with_what_lay_there(repo):
    repo.commit({"held.md/a.md": "1"}, date=2_000_000_000)
    commit = repo.commit({"held.md/a.md": None, "held.md": "1"}, date=1_000_000_000)
    assert changes(repo)["held.md"].commit == commit
    assert reader.last_change_of(repo.path, repo.tip(), "held.md").commit == commit


@pytest.mark.parametrize(
    ("date", "at"),
    [
        (0, datetime(1970, 1, 1, tzinfo=UTC)),
        (253_402_300_799, datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)),
        (253_402_300_800, datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)),
        (99_999_999_999_999, datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)),
    ],
)
def test_a_date_no_calendar_has_is_clamped(repo, date, at):
    repo.commit({"a.md": "1"}, date=date)
    assert changes(repo)["a.md"].at == at


@pytest.mark.parametrize("header", ["-5", "999999999999999999999999", "tomorrow", ""])
def test_a_broken_date_breaks_no_history(repo, header):
    commit = repo.commit({"a.md": "1"}, date=header)
    assert changes(repo)["a.md"].commit == commit


@pytest.mark.parametrize(
    "path",
    [
        "restricted/x.png",
        "a/RESTRICTED/b/c.txt",
        "reſtricted/x",
        "ＲＥＳＴＲＩＣＴＥＤ/x.md",
        "restricted/a.md",
    ],
)
def test_the_subject_is_withheld_when_a_restricted_path_is_touched(repo, path):
    repo.commit({"a.md": "1", path: "secret"}, message="The secret name")
    assert changes(repo)["a.md"].subject is None
    assert reader.last_change_of(repo.path, repo.tip(), "a.md").subject is None


def test_other_paths_withhold_nothing(repo):
    repo.commit({"a.md": "1", "code.py": "1", "unrestricted/x": "1", "restricted.txt": "1"}, message="Told")
    assert changes(repo)["a.md"].subject == "Told"


def test_removing_a_restricted_file_withholds_too(repo):
    repo.commit({"restricted/x.md": "1", "a.md": "1"})
    repo.commit({"restricted/x.md": None, "a.md": "2"}, message="Remove the secret")
    assert changes(repo)["a.md"].subject is None


@pytest.mark.parametrize(
    ("message", "encoding", "subject"),
    [
        ("First line\nsecond line\n\nBody", "", "First line"),
        ("x" * 300, "", "x" * 240),
        ("a\tb \x1b[31mred\u202e", "", "a b [31mred"),
        ("Zwölf".encode("latin-1"), "ISO-8859-1", "Zwölf"),
        ("Zwölf".encode("latin-1"), "", "Zw\ufffdlf"),
        ("Zwölf", "no-such-encoding", "Zwölf"),
        ("Plain", "base64", "Plain"),
        ("Plain", "undefined", "Plain"),
        ("", "", ""),
        (b"with \xff bytes", "", "with \ufffd bytes"),
    ],
)
def test_the_subject_is_the_clean_first_line(repo, message, encoding, subject):
    repo.commit({"a.md": "1"}, message=message, encoding=encoding)
    assert changes(repo)["a.md"].subject == subject


def test_a_huge_message_is_not_read(repo):
    repo.commit({"a.md": "1"}, message="x" * (2 << 20))
    assert changes(repo)["a.md"].subject == ""


def test_paths_are_read_whatever_they_hold(repo):
    names = [
        "new\nline.md",
        "\nfirst.md",
        "\n\n.md",
        'quo"te.md',
        "tab\t.md",
        "back\\slash.md",
        "ä.md",
        " .md",
        "X.MD",
    ]
    commit = repo.commit({**dict.fromkeys(names, "1"), b"\xff.md": "1", "code.py": "1"})
    assert {path: change.commit for path, change in changes(repo).items()} == dict.fromkeys(names, commit)
    for name in names:
        assert reader.last_change_of(repo.path, commit, name).commit == commit


def test_no_path_can_pass_for_a_commit():
    marker, forged = "0123 ", "4567 "
    token = f"{marker}{'a' * 40} 100\0\n{forged}{'b' * 40} 999.md\0a.md\0".encode()
    found = touches_in([token[:7], token[7:]], marker)
    assert found.walked == 1
    assert found.newest[b"a.md"] == (100, b"a" * 40)
    assert log_format(marker).endswith(f"{marker}%H %ct")


def test_the_log_reads_alike_in_pieces_of_any_size(repo):
    for number in range(10):
        repo.commit({f"{number}.md": "1", f"d/{number}": "1"})
    from repositories.reader import changes as module

    whole = b"".join(module._log(repo.path, "mark ", "--name-only", repo.tip(), "--", limits=module.LOOK_UP))
    expected = touches_in([whole], "mark ")
    assert len(expected.newest) == 10
    for size in (1, 2, 3, 7, 64):
        assert touches_in([whole[at : at + size] for at in range(0, len(whole), size)], "mark ") == expected


def test_a_walk_over_the_limit_of_commits_is_not_complete(repo):
    commits = [repo.commit({f"{number}.md": "1"}) for number in range(10)]
    found = reader.last_changes(repo.path, repo.tip(), limits=HistoryLimits(commits=4))
    assert (found.walked, found.complete, len(found.changes)) == (4, False, 4)
    assert reader.last_change_of(repo.path, repo.tip(), "0.md").commit == commits[0]
    assert reader.last_change_of(repo.path, repo.tip(), "none.md") is None


def test_a_history_too_large_is_read_in_part(repo):
    for number in range(40):
        repo.commit({f"{number:02}{'x' * 80}.md": "1"})
    found = reader.last_changes(repo.path, repo.tip(), limits=HistoryLimits(fewer=10, output=2_500))
    assert (found.walked, found.complete, found.problem) == (10, False, None)


@pytest.mark.parametrize("limits", [{"output": 10}, {"seconds": 0.0}])
def test_a_history_that_cannot_be_read_at_all_is_unknown(repo, limits):
    repo.commit({"a.md": "1"})
    found = reader.last_changes(repo.path, repo.tip(), limits=HistoryLimits(**limits))
    assert (found.changes, found.complete) == ({}, False)
    assert found.problem


def test_pathspec_magic_is_read_as_a_path(repo):
    repo.commit({"a.md": "1"})
    commit = repo.commit({":(glob)*.md": "1", "*.md": "1"})
    later = repo.commit({"b.md": "1"})
    assert reader.last_change_of(repo.path, later, "*.md").commit == commit
    assert reader.last_change_of(repo.path, later, ":(glob)*.md").commit == commit


def test_an_unknown_commit_is_missing(repo):
    for call in (lambda: reader.last_changes(repo.path, "1" * 40), lambda: changes(repo, "main")):
        repo.commit({"a.md": "1"})
        with pytest.raises(CommitMissing):
            call()


def test_whole_histories_agree_with_a_plain_count(repo):
    """Random histories with merges and clocks that run wild, against the rule written down plainly."""
    chance = random.Random(7)
    touched = {}
    for _ in range(60):
        branch = chance.choice(["main", "side"])
        files = {f"{chance.randrange(8)}.md": str(chance.random()) for _ in range(chance.randrange(1, 3))}
        date = FIRST_DATE + chance.randrange(5)
        commit = repo.commit(files, branch=branch, date=date)
        touched[commit] = (date, set(files))
        if chance.random() < 0.2 and len(touched) > 4 and "refs/heads/side" in repo.repository.references:
            repo.merge("side")
    tip = repo.tip()
    reachable = set(repo.git("rev-list", tip).decode().split())
    for number in range(8):
        path = f"{number}.md"
        keys = [
            (date, commit)
            for commit, (date, paths) in touched.items()
            if path in paths and commit in reachable
        ]
        assert changes(repo)[path].commit == max(keys)[1]
        assert reader.last_change_of(repo.path, tip, path).commit == max(keys)[1]


@pytest.mark.parametrize("path", ["restricted", "a/restricted", "Restricted/a", "ⓡestricted/a"])
def test_a_segment_in_any_spelling_is_restricted(path):
    assert is_restricted(path.encode())


@pytest.mark.parametrize("path", ["restricted.md", "a/restricted-2/b", "unrestricted/a", "strict/ed"])
def test_a_part_of_a_segment_is_not(path):
    assert not is_restricted(path.encode())


def told(found):
    return {path: change.commit for path, change in found.changes.items()}


def test_since_a_commit_only_what_came_after_it_is_told(repo):
    stored = repo.commit({"a.md": "1", "b.md": "1"})
    repo.branch("side", stored)
    there = repo.commit({"c.md": "1"}, branch="side")
    here = repo.commit({"a.md": "2"})
    merged = repo.merge("side")
    found = reader.changes_since(repo.path, stored, merged)
    assert told(found) == {"a.md": here, "c.md": there}
    assert (found.walked, found.complete, found.problem) == (2, True, None)
    assert told(reader.changes_since(repo.path, here, merged)) == {"c.md": there}
    nothing = reader.changes_since(repo.path, merged, merged)
    assert (nothing.changes, nothing.walked, nothing.complete) == ({}, 0, True)


def test_since_a_commit_the_rules_of_dates_ids_and_subjects_are_the_same(repo):
    stored = repo.commit({"a.md": "0"}, date=1_000)
    sides = [
        repo.commit({"a.md": str(side)}, branch=f"s{side}", parents=[stored], date=2_000) for side in range(4)
    ]
    for side in range(1, 4):
        repo.merge(f"s{side}", into="s0", date=3_000)
    secret = repo.commit({"b.md": "1", "restricted/c.md": "1"}, message="Hidden", branch="s0")
    found = reader.changes_since(repo.path, stored, repo.tip("s0"))
    assert found.changes["a.md"].commit == max(sides)
    assert (found.changes["b.md"].commit, found.changes["b.md"].subject) == (secret, None)


def test_since_a_commit_more_than_the_limit_is_not_complete(repo):
    stored = repo.commit({"a.md": "0"})
    for number in range(3):
        repo.commit({"a.md": f"{number + 1}"})
    assert reader.changes_since(repo.path, stored, repo.tip(), limits=HistoryLimits(commits=3)).complete
    assert not reader.changes_since(repo.path, stored, repo.tip(), limits=HistoryLimits(commits=2)).complete


def test_since_a_commit_what_is_too_large_to_read_is_a_problem(repo):
    stored = repo.commit({"a.md": "0"})
    repo.commit({"a.md": "1"})
    found = reader.changes_since(repo.path, stored, repo.tip(), limits=HistoryLimits(output=10))
    assert (found.changes, found.complete, found.problem) == ({}, False, "The history is too large to read.")
    with pytest.raises(CommitMissing):
        reader.changes_since(repo.path, "1" * 40, repo.tip())
