"""Naming a commit: an id or the beginning of one, of the history that is read and of nothing else."""

from __future__ import annotations

import hashlib
import itertools

import pytest

from repositories import reader
from repositories.errors import CommitMissing, MirrorMissing
from repositories.reader import naming
from tests.repositories.given_git import GitWorld, a_repository


@pytest.fixture
def repo(tmp_path):
    """Three commits on main, and one beside them on another branch."""
    world = a_repository(tmp_path / "rules.git", [{"a.md": "# A"}, {"b.md": "# B"}, {"c.md": "# C"}])
    world.branch("side", world.tip())
    world.commit({"side.md": "# Side"}, branch="side")
    return world


def history(repo: GitWorld) -> list[str]:
    """The commits of main, the newest first."""
    return repo.git("rev-list", "main").decode().split()


def refusal(repo: GitWorld, name: str) -> str:
    with pytest.raises(CommitMissing) as refused:
        reader.ancestor_named(repo.path, name, repo.tip())
    return str(refused.value)


def a_commit_beginning_with(repo: GitWorld, prefix: str, parents: list[str]) -> str:
    """A commit on these parents whose id begins so, found by counting in its message."""
    tree = repo.raw_tree([])
    tries = ((number, commit_bytes(tree, parents, number)) for number in itertools.count())
    number = next(number for number, raw in tries if id_of("commit", raw).startswith(prefix))
    return repo.raw_commit(tree, parents, message=f"Try {number}", date=1)


def id_of(kind: str, raw: bytes) -> str:
    return hashlib.sha1(f"{kind} {len(raw)}\0".encode() + raw).hexdigest()


def commit_bytes(tree: str, parents: list[str], number: int) -> bytes:
    person = "Ada Lovelace <ada@example.org> 1 +0000"
    above = "".join(f"parent {parent}\n" for parent in parents)
    return f"tree {tree}\n{above}author {person}\ncommitter {person}\n\nTry {number}\n".encode()


def test_an_id_names_the_tip_and_every_commit_before_it(repo):
    for commit in history(repo):
        assert reader.ancestor_named(repo.path, commit, repo.tip()) == commit


@pytest.mark.parametrize("digits", [7, 10, 39])
def test_the_beginning_of_an_id_names_its_commit(repo, digits):
    for commit in history(repo):
        assert reader.ancestor_named(repo.path, commit[:digits], repo.tip()) == commit


def test_an_id_may_be_written_in_upper_case_as_git_reads_it(repo):
    first = history(repo)[-1]

    assert reader.ancestor_named(repo.path, first.upper(), repo.tip()) == first
    assert reader.ancestor_named(repo.path, first[:10].upper(), repo.tip()) == first


def test_a_commit_after_the_one_that_is_read_is_not_named(repo):
    newest, middle, _ = history(repo)

    with pytest.raises(CommitMissing, match=naming.REFUSAL):
        reader.ancestor_named(repo.path, newest, middle)


def test_all_that_is_no_commit_of_the_history_is_refused_in_the_same_words(repo):
    repo.git("tag", "--no-sign", "v1", repo.tip())
    repo.git("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "tag", "-a", "-m", "x", "v2", "main")
    side, tree = repo.tip("side"), repo.git("rev-parse", "main^{tree}").decode().strip()
    blob, tag = repo.files_of(repo.tip())[b"a.md"][1], repo.git("rev-parse", "v2").decode().strip()
    others = [side, side[:12], tree, tree[:12], blob, blob[:12], tag, tag[:12]]
    unknown = ["0" * 39 + "1", "f" * 40, "abcd", "0000"]

    assert {refusal(repo, name) for name in others + unknown} == {naming.REFUSAL}


@pytest.mark.parametrize(
    "name",
    [
        "",
        " ",
        "HEAD",
        "HEAD~1",
        "@",
        "main",
        "refs/heads/main",
        "v1",
        ":/Change",
        "--output=x",
        "--all",
        "-1",
        "abc",
        "^{/Change}",
        "main^{tree}",
        "main:a.md",
        "main..side",
        "٠" * 8,
        "ａｂｃｄ",
        "g" * 40,
    ],
)
def test_what_is_not_4_to_40_hexadecimal_digits_never_reaches_git(repo, monkeypatch, name):
    def never(*arguments, **options):
        raise AssertionError(arguments)

    monkeypatch.setattr(naming.git, "run", never)
    monkeypatch.setattr(naming.git, "stream", never)

    assert refusal(repo, name) == naming.REFUSAL


@pytest.mark.parametrize("spoil", ["{}0", "{}\n", " {}", "{}^", "{}~0", "^{}", "{}^{{commit}}", "{}\0"])
def test_an_id_with_anything_around_it_is_refused(repo, spoil):
    assert refusal(repo, spoil.format(repo.tip())) == naming.REFUSAL
    assert refusal(repo, spoil.format(repo.tip()[:39]) + "\n") == naming.REFUSAL


def test_a_whole_id_starts_no_process(repo, monkeypatch):
    def never(*arguments, **options):
        raise AssertionError(arguments)

    monkeypatch.setattr(naming.git, "run", never)
    monkeypatch.setattr(naming.git, "stream", never)
    first = history(repo)[-1]

    assert reader.ancestor_named(repo.path, first, repo.tip()) == first
    assert refusal(repo, repo.tip("side")) == naming.REFUSAL
    assert refusal(repo, "f" * 40) == naming.REFUSAL


def test_a_beginning_that_two_commits_of_the_history_share_is_refused(repo):
    first = history(repo)[-1]
    second = a_commit_beginning_with(repo, first[:4], [repo.tip()])
    repo.branch("main", second)

    assert refusal(repo, first[:4]) == naming.REFUSAL
    assert reader.ancestor_named(repo.path, first, second) == first


def test_what_shares_its_beginning_outside_the_history_does_not_count(repo):
    first = history(repo)[-1]
    a_commit_beginning_with(repo, first[:4], [repo.tip("side")])
    a_commit_beginning_with(repo, first[:4], [repo.tip()])  # after the commit that is read

    assert reader.ancestor_named(repo.path, first[:4], repo.tip()) == first


def test_a_text_whose_id_begins_alike_does_not_count(repo):
    first = history(repo)[-1]
    alike = (text for text in map(str, itertools.count()) if id_of("blob", text.encode())[:4] == first[:4])
    repo.blob(next(alike))

    assert reader.ancestor_named(repo.path, first[:4], repo.tip()) == first


def test_both_parents_of_a_merge_lie_before_it(repo):
    side = repo.tip("side")
    merge = repo.merge("side", date=None)

    assert reader.ancestor_named(repo.path, side, merge) == side
    assert reader.ancestor_named(repo.path, side[:10], merge) == side


def test_a_commit_whose_date_is_no_number_hides_no_commit_before_it(repo):
    first = history(repo)[-1]
    repo.commit({"d.md": "# D"}, date="never")
    tip = repo.commit({"e.md": "# E"})

    assert reader.ancestor_named(repo.path, first, tip) == first
    assert refusal(repo, repo.tip("side")) == naming.REFUSAL


def test_nothing_is_named_where_the_commit_that_is_read_is_gone(repo):
    with pytest.raises(CommitMissing, match=naming.REFUSAL):
        reader.ancestor_named(repo.path, repo.tip(), "f" * 40)


def test_nothing_is_named_across_a_lost_commit(repo):
    newest, middle, first = history(repo)
    (repo.path / "objects" / middle[:2] / middle[2:]).unlink()

    assert refusal(repo, middle) == naming.REFUSAL
    assert refusal(repo, first) == naming.REFUSAL
    assert reader.ancestor_named(repo.path, newest, newest) == newest


def test_a_repository_that_is_not_mirrored_yet_says_so(tmp_path):
    with pytest.raises(MirrorMissing):
        reader.ancestor_named(tmp_path / "nothing.git", "abcd", "f" * 40)
