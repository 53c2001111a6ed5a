"""Which files of a commit are documents: the rules, a project's globs, the limits."""

from __future__ import annotations

import pytest

from brain.tree.scope import MAX_DOCUMENT_BYTES, MAX_DOCUMENTS, LeftOut, Scope, choose
from tests.given import Blob, a_tree, ids


def files(*paths, size=1):
    return [Blob(path, b"x" * size) for path in paths]


def chosen(*paths, **globs):
    return [file.path for file in choose(files(*paths), Scope(**globs))[0]]


@pytest.mark.parametrize(
    "path",
    [
        "a.md",
        "A.MD",
        "a.Md",
        ".md",
        ".hidden.md",
        "docs/.hidden.md",
        "a b/ü.md",
        "_generated/a.md",
        "restricted.md",
        "docs/unrestricted/a.md",
        "restricted-notes/a.md",
        "Plugins/a.md",
        "docs/plugins/a.md",
        "SCRATCH/a.md",
        "docs/scratch/a.md",
        "docs/identifiers/a.md",
        "a.md/b.md",
        "plugins.md",
    ],
)
def test_a_markdown_file_is_a_document(path):
    assert chosen(path) == [path]


@pytest.mark.parametrize(
    "path",
    [
        "a.txt",
        "a.markdown",
        "a.mdx",
        "md",
        "a.md/b",
        "a.md ",
        "restricted/a.md",
        "docs/Restricted/deep/a.md",
        "RESTRICTED/a.md",
        "\uff32\uff25\uff33\uff34\uff32\uff29\uff23\uff34\uff25\uff24/a.md",
        "re\ufb06ricted/a.md",
        "plugins/a.md",
        "plugins/deep/a.md",
        "scratch/a.md",
        "identifiers/a.md",
        ".github/a.md",
        "docs/.drafts/deep/a.md",
    ],
)
def test_what_the_rules_keep_out_is_no_document_and_is_not_listed(path):
    assert choose(files(path), Scope()) == ([], [])


def test_an_include_narrows_to_what_it_matches():
    assert chosen("a.md", "docs/a.md", "docs/x/b.md", include=["docs/"]) == ["docs/a.md", "docs/x/b.md"]
    assert chosen("a.md", "docs/a.md", include=["*.md", "!docs/**"]) == ["a.md"]


def test_an_exclude_takes_away_and_wins_over_an_include():
    paths = ("a.md", "drafts/a.md", "docs/drafts/a.md", "docs/a.md")
    assert chosen(*paths, exclude=["drafts/"]) == ["a.md", "docs/a.md"]
    assert chosen(*paths, exclude=["/drafts/"]) == ["a.md", "docs/drafts/a.md", "docs/a.md"]
    assert chosen(*paths, include=["docs/"], exclude=["docs/drafts"]) == ["docs/a.md"]


def test_no_glob_brings_back_what_the_rules_keep_out():
    assert (
        chosen("restricted/a.md", "a.txt", include=["*", "!x", "restricted/"], exclude=["!restricted/"]) == []
    )


@pytest.mark.parametrize("globs", [[], [""], ["  ", ""]])
def test_empty_globs_change_nothing(globs):
    assert chosen("a.md", include=globs, exclude=globs) == ["a.md"]


def test_a_file_of_two_mebibytes_is_a_document_and_one_byte_more_is_left_out():
    kept, large = Blob("a.md", b"x" * MAX_DOCUMENT_BYTES), Blob("b.md", b"x" * (MAX_DOCUMENT_BYTES + 1))
    assert choose([kept, large], Scope()) == ([kept], [LeftOut("b.md", "too-large")])


def test_documents_after_the_first_20000_are_left_out():
    world = files(*(f"{number:05}.md" for number in range(MAX_DOCUMENTS + 1)), "other.txt")
    documents, left_out = choose(world, Scope())
    assert documents == world[:MAX_DOCUMENTS]
    assert left_out == [LeftOut("20000.md", "too-many")]


def test_links_submodules_and_other_files_are_no_nodes():
    tree = a_tree({"a.md": "# A", "notes.txt": "# No"}, beside=["link.md", "module.md"])
    assert ids(tree) == ["/", "a.md"]


def test_twins_in_case_or_unicode_form_stay_two_documents():
    paths = ["A.md", "a.md", "cafe\u0301.md", "caf\u00e9.md", "ﬁ.md", "fi.md"]
    assert sorted(ids(a_tree(dict.fromkeys(paths, "x")))[1:]) == sorted(paths)
