"""The listing of a commit: what is a file, what merely exists, and what no tree may talk us into."""

from __future__ import annotations

import subprocess
import sys
import time
import zlib
from pathlib import Path

import pytest

from repositories import reader
from repositories.errors import CommitMissing, MirrorDamaged, MirrorMissing
from repositories.reader import WalkLimits
from tests.repositories.given_git import (
    FILE,
    FOLDER,
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


def listing_of_tree(repo, tree, **limits):
    return reader.tree_of(repo.path, repo.raw_commit(tree), WalkLimits(**limits))


def paths(listing):
    return [entry.path for entry in listing.files]


def test_files_come_in_byte_order_of_their_whole_paths(repo):
    names = ["b/a.md", "a.md", "a/z.md", "a-b.md", "a0.md", "B.md", "ä.md", "𝄞.md", "\uffee.md", "a/b/c.md"]
    listing = reader.tree_of(repo.path, repo.commit(dict.fromkeys(names, "x")))
    assert paths(listing) == sorted(names, key=str.encode)
    assert (listing.skipped, listing.truncated, listing.bad_paths) == (0, False, ())


def test_a_path_is_kept_verbatim(repo):
    names = [
        "Å.md",
        "A\u030a.md",
        "a\nb.md",
        'quo"te.md',
        "tab\t.md",
        "\x1b[31m.md",
        "\u202e.md",
        "A.md",
        "a.md",
    ]
    assert sorted(paths(reader.tree_of(repo.path, repo.commit(dict.fromkeys(names, "x"))))) == sorted(names)


def test_sizes_are_read_for_markdown_alone(repo):
    listing = reader.tree_of(repo.path, repo.commit({"a.md": "12345", "B.MD": "ä", "c.txt": "12"}))
    assert {entry.path: entry.size for entry in listing.files} == {"a.md": 5, "B.MD": 2, "c.txt": -1}


def test_links_and_submodules_exist_but_are_no_files(repo):
    commit = repo.commit({"link.md": Symlink("/etc/passwd"), "sub.md": Gitlink(), "run.md": Executable("x")})
    listing = reader.tree_of(repo.path, commit)
    assert paths(listing) == ["run.md"]
    assert listing.others == {"link.md", "sub.md"}


def test_paths_that_are_no_utf_8_are_named_with_their_bytes(repo):
    commit = repo.commit({b"\xff.md": "x", b"d\xe9/a.md": "x", b"\xff.txt": "x", "ok.md": "x"})
    listing = reader.tree_of(repo.path, commit)
    assert paths(listing) == ["ok.md"]
    assert listing.bad_paths == (r"\xff.md", r"d\xe9/a.md")


REFUSED = [
    b"",
    b".",
    b"..",
    b".git",
    b".GIT",
    b".Git",
    b"GIT~1",
    b".git.",
    b".git ",
    b".git . .",
    b".git:stream",
]
REFUSED += [
    b"a/b.md",
    b"/",
    b"../up.md",
    b"x\\.git",
    b".git\\x",
    ".g\u200cit".encode(),
    "\ufeff.git".encode(),
]


@pytest.mark.parametrize("name", REFUSED)
def test_names_that_fsck_refuses_are_skipped_and_counted(repo, name):
    blob = repo.blob("x")
    below = repo.raw_tree([(FILE, b"x.md", blob)])
    for mode, oid in ((FILE, blob), (FOLDER, below), (SYMLINK, blob), (SUBMODULE, "1" * 40)):
        listing = listing_of_tree(repo, repo.raw_tree([(mode, name, oid), (FILE, b"z.md", blob)]))
        assert (paths(listing), listing.others, listing.skipped) == (["z.md"], frozenset(), 1)


@pytest.mark.parametrize(
    "name", [b".gitignore", b".github", b"git", b".git1", b"git~2", b"...", b"a.git", b"..a"]
)
def test_names_that_only_look_alike_stay(repo, name):
    listing = listing_of_tree(repo, repo.raw_tree([(FILE, name, repo.blob("x"))]))
    assert (paths(listing), listing.skipped) == ([name.decode()], 0)


def test_of_two_equal_names_the_first_counts_and_is_read_by_its_blob(repo):
    one, two = repo.blob("one"), repo.blob("two")
    listing = listing_of_tree(repo, repo.raw_tree([(FILE, b"a.md", one), (FILE, b"a.md", two)]))
    assert [(entry.path, entry.blob) for entry in listing.files] == [("a.md", one)]
    assert listing.skipped == 1
    assert reader.blob(repo.path, listing.files[0].blob) == b"one"


def test_an_unsorted_tree_is_listed_in_order(repo):
    blob = repo.blob("x")
    tree = repo.raw_tree([(FILE, b"c.md", blob), (FILE, b"a.md", blob), (FILE, b"b.md", blob)])
    assert paths(listing_of_tree(repo, tree)) == ["a.md", "b.md", "c.md"]


@pytest.mark.parametrize("mode", ["0", "100600", "777", "1006449", "sixty", "", "107644"])
def test_an_odd_mode_is_no_file(repo, mode):
    listing = listing_of_tree(repo, repo.raw_tree([(mode, b"a.md", repo.blob("x"))]))
    assert (paths(listing), listing.skipped) == ([], 1)


def test_a_file_that_is_a_tree_and_a_folder_that_is_a_blob_are_skipped(repo):
    blob = repo.blob("x")
    tree = repo.raw_tree([(FILE, b"a.md", repo.raw_tree([])), (FOLDER, b"b", blob)])
    assert listing_of_tree(repo, tree).skipped == 2


def test_the_walk_ends_at_its_limit_of_entries(repo):
    commit = repo.commit({f"{number:03}.md": "x" for number in range(20)})
    listing = reader.tree_of(repo.path, commit, WalkLimits(entries=10))
    assert listing.truncated
    assert paths(listing) == [f"{number:03}.md" for number in range(10)]
    assert not reader.tree_of(repo.path, commit, WalkLimits(entries=20)).truncated


def test_a_bomb_of_shared_trees_is_walked_to_the_limit_in_no_time(repo):
    tree = repo.raw_tree([(FILE, f"{number}.md".encode(), repo.blob("x")) for number in range(10)])
    for _ in range(10):
        tree = repo.raw_tree([(FOLDER, f"{number}".encode(), tree) for number in range(10)])
    started = time.monotonic()
    listing = listing_of_tree(repo, tree)
    assert listing.truncated
    assert len(listing.files) < 200_000
    assert time.monotonic() - started < 10


def test_what_lies_too_deep_is_skipped(repo):
    deep = ["/".join(["d"] * (depth - 1) + ["a.md"]) for depth in (64, 65, 300)]
    listing = reader.tree_of(repo.path, repo.commit(dict.fromkeys(deep, "x")))
    assert paths(listing) == deep[:1]
    assert listing.skipped == 2


def test_a_path_of_more_than_1024_bytes_is_skipped(repo):
    folder = "d" * 200
    names = [f"{'/'.join([folder] * 5)}/{'x' * length}.md" for length in (16, 17)]
    listing = reader.tree_of(repo.path, repo.commit(dict.fromkeys(names, "x")))
    assert paths(listing) == names[:1]
    assert len(names[0]) == 1_024


WEIGH = """
import pathlib, resource, sys
from repositories import reader
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
before = peak()
listing = reader.tree_of(pathlib.Path(sys.argv[1]), sys.argv[2])
print(listing.files[0].size, peak() - before)
"""


def test_a_huge_blob_is_weighed_by_its_header(repo):
    blob = repo.blob(bytes(150 << 20))
    commit = repo.raw_commit(repo.raw_tree([(FILE, b"huge.md", blob)]))
    command = [sys.executable, "-c", WEIGH, str(repo.path), commit]  # a process whose memory is its own
    said = subprocess.run(command, capture_output=True, check=True, cwd=Path(__file__).parents[2]).stdout
    size, kilobytes = map(int, said.split())
    assert size == 150 << 20
    assert kilobytes < 20_000


@pytest.mark.parametrize(
    "commit", ["main", "HEAD", "", "a" * 39, "A" * 40, "0" * 40, "main^{tree}", "../x", "a" * 41]
)
def test_only_a_whole_commit_id_names_a_commit(repo, commit):
    repo.commit({"a.md": "x"})
    with pytest.raises(CommitMissing):
        reader.tree_of(repo.path, commit)
    assert not reader.commit_exists(repo.path, commit)


def test_a_blob_or_a_tree_is_no_commit(repo):
    blob = repo.blob("x")
    assert not reader.commit_exists(repo.path, blob)
    assert not reader.commit_exists(repo.path, repo.raw_tree([]))
    with pytest.raises(CommitMissing):
        reader.blob(repo.path, repo.raw_tree([]))


def test_blobs_come_in_the_order_asked(repo):
    oids = [repo.blob(text) for text in ("b", "a", "c")]
    assert list(reader.blobs(repo.path, oids)) == list(zip(oids, [b"b", b"a", b"c"], strict=True))


def test_a_missing_blob_is_said_to_be_missing(repo):
    with pytest.raises(CommitMissing):
        reader.blob(repo.path, "1" * 40)


def test_a_missing_mirror_and_a_damaged_one_are_told_apart(repo, tmp_path):
    with pytest.raises(MirrorMissing):
        reader.branches(tmp_path / "none.git")
    (repo.path / "HEAD").unlink()
    with pytest.raises(MirrorDamaged):
        reader.branches(repo.path)


def test_a_missing_tree_or_document_means_a_damaged_mirror(repo):
    commit = repo.commit({"d/a.md": "some text", "b.txt": "other"})
    entry = next(entry for entry in reader.tree_of(repo.path, commit).files if entry.path == "d/a.md")
    (repo.path / "objects" / entry.blob[:2] / entry.blob[2:]).unlink()
    with pytest.raises(MirrorDamaged):
        reader.tree_of(repo.path, commit)


def test_no_flipped_bit_changes_what_is_read(repo):
    texts = {f"{number}.md": f"# Text {number}\n" * 30 for number in range(20)}
    commit = repo.commit(texts)
    repo.git("repack", "-adq")
    pack = next((repo.path / "objects/pack").glob("*.pack"))
    whole = pack.read_bytes()
    pack.chmod(0o644)
    broken = 0
    for place in range(12, len(whole), max(1, len(whole) // 150)):
        pack.write_bytes(whole[:place] + bytes([whole[place] ^ 4]) + whole[place + 1 :])
        try:
            listing = reader.tree_of(repo.path, commit)
            read = dict(reader.blobs(repo.path, [entry.blob for entry in listing.files]))
        except (MirrorDamaged, CommitMissing):
            broken += 1
            continue
        assert {entry.path: read[entry.blob].decode() for entry in listing.files} == texts
    assert broken > 20


def test_a_loose_object_under_a_wrong_id_is_not_believed(repo):
    oid = repo.blob("right")
    place = repo.path / "objects" / oid[:2] / oid[2:]
    place.chmod(0o644)
    place.write_bytes(zlib.compress(b"blob 5\0wrong"))
    with pytest.raises(MirrorDamaged):
        reader.blob(repo.path, oid)
