"""The words for folders: the common ones, a repository's own, and what a broken layout costs."""

from __future__ import annotations

import pytest

from brain.tree.layout import COMMON_FOLDERS, Words, read_layout
from tests.given import a_blob, a_tree, node

OWN = """\
    folders:
      "02-pledges": What each team signs
      recipes/*: A recipe a folder
      adr/: |
        Our   decisions
      "*-notes": Notes
      empty: ""
    """


def words_for(folder):
    words, problems = read_layout(a_blob(OWN))
    assert not problems
    return words.of(folder)


@pytest.mark.parametrize(
    ("folder", "sentence"),
    [
        ("02-pledges/", "What each team signs"),
        ("docs/02-pledges/", ""),
        ("recipes/soup/", "A recipe a folder"),
        ("recipes/soup/deep/", ""),
        ("guides/", COMMON_FOLDERS["guides"]),
        ("adr/", "Our decisions"),
        ("docs/adr/", COMMON_FOLDERS["adr"]),
        ("team-notes/", "Notes"),
        ("a/team-notes/", ""),
        ("empty/", ""),
        ("RFCs/", COMMON_FOLDERS["rfcs"]),
        ("other/", ""),
    ],
)
def test_a_folder_has_the_repositorys_own_words_else_the_common_ones(folder, sentence):
    assert words_for(folder) == sentence


def test_every_common_folder_has_one_sentence():
    for folder, sentence in COMMON_FOLDERS.items():
        assert Words().of(f"docs/{folder}/") == sentence
        assert folder == folder.lower()
        assert sentence.endswith(".")


@pytest.mark.parametrize(
    "text",
    ["", "# nothing", "other: x", "folders: {}", "folders:", "\ufefffolders: {a: b}", "folders: {a: 1}"],
)
def test_a_layout_may_say_little(text):
    assert read_layout(a_blob(text))[1] == ()


BROKEN = [
    "folders: [a",
    "- a",
    "folders: [a, b]",
    "folders: text",
    "folders: {a: [b]}",
    "folders: {a: {b: c}}",
]
BROKEN += ["a: &a [*a]", f"a: {'[' * 5000}", f"a: {'x' * 70_000}", "\x00", "folders: {[a]: b}"]


@pytest.mark.parametrize("text", BROKEN)
def test_a_broken_layout_is_a_problem_and_says_nothing(text):
    words, (problem,) = read_layout(text.encode())
    assert (problem.path, problem.code) == ("layout.yml", "layout")
    assert words.of("a/") == ""


def test_bytes_that_are_no_utf8_do_not_break_it():
    words, problems = read_layout(b"folders: {a: caf\xe9}")
    assert (words.of("a/"), problems) == ("caf\ufffd", ())


def test_the_problem_names_the_line():
    assert read_layout(b"folders:\n  a: b\n c: d\n")[1][0].line == 3


def test_without_a_layout_there_is_no_problem():
    assert read_layout(None)[1] == ()


def test_the_tree_speaks_the_words_of_its_layout():
    tree = a_tree({"layout.yml": OWN, "recipes/soup/a.md": "# A", "recipes/soup/b.md": "# B"})
    assert node(tree, "recipes/soup/").summary == "A recipe a folder. Holds: a (A) · b (B)"


def test_a_broken_layout_leaves_the_tree_with_the_common_words():
    tree = a_tree({"layout.yml": "- a", "adr/a.md": "# A", "adr/b.md": "# B"})
    assert node(tree, "adr/").summary_source == "layout"
    assert [problem.code for problem in tree.problems] == ["layout"]
