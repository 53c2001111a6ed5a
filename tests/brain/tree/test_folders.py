"""Folders: which are nodes, in what order everything stands, and what a folder says."""

from __future__ import annotations

import pytest

from brain.tree.nodes import Kind
from tests.given import a_tree, ids, node

LONG = "word " * 60


def summary_of(node_id, files, **options):
    found = node(a_tree(files, **options), node_id)
    return found.summary_source, found.summary


def test_a_folder_is_a_node_when_a_document_lies_in_it_at_any_depth():
    tree = a_tree({"a/b/c.md": "# C", "empty/notes.txt": "x", "restricted/x.md": "x"})
    assert ids(tree) == ["/", "a/", "a/b/", "a/b/c.md"]
    assert [each.kind for each in tree.nodes] == [Kind.ROOT, Kind.FOLDER, Kind.FOLDER, Kind.DOCUMENT]
    assert [each.parent for each in tree.nodes] == [None, "/", "a/", "a/b/"]


def test_a_tree_without_documents_is_its_root():
    (root,) = a_tree({}).nodes
    assert (root.id, root.kind, root.title, root.summary, root.summary_source) == (
        "/",
        Kind.ROOT,
        "shop",
        "",
        "",
    )


def test_folders_come_before_documents_and_the_readme_first_among_these():
    paths = [
        "b.md",
        "a.md",
        "Z.md",
        "index.MD",
        "ReadMe.md",
        "README.md",
        "z/a.md",
        "Y/a.md",
        "y/a.md",
        "é.md",
    ]
    assert ids(a_tree(dict.fromkeys(paths, "x"))) == [
        "/",
        *("Y/", "Y/a.md"),
        *("y/", "y/a.md"),
        *("z/", "z/a.md"),
        *("README.md", "ReadMe.md", "index.MD"),
        *("Z.md", "a.md", "b.md", "é.md"),
    ]


def test_names_are_ordered_by_code_point_not_as_parts_of_paths():
    assert ids(a_tree({"a-b/x.md": "x", "a/x.md": "x", "a.b/x.md": "x"}))[1::2] == ["a/", "a-b/", "a.b/"]


def test_sections_keep_their_order_in_the_document():
    tree = a_tree(a="# A\n\n## Z\n\n### Y\n\n## R-01 X\n\n## B\n")
    assert ids(tree) == ["/", "a.md", "a.md#z", "a.md#y", "a.md#R-01", "a.md#b"]
    assert [each.parent for each in tree.nodes[1:]] == ["/", "a.md", "a.md#z", "a.md", "a.md"]
    assert [each.children for each in tree.nodes] == [1, 3, 1, 0, 0, 0]


def test_a_folders_title_is_its_name_and_the_roots_the_repositorys():
    tree = a_tree({"02-pledges/a.md": "x"}, setting={"name": "Web shop"})
    assert (node(tree, "/").title, node(tree, "02-pledges/").title) == ("Web shop", "02-pledges")


def test_a_folders_size_is_the_sum_of_its_documents():
    tree = a_tree({"a/x.md": b"12345", "a/b/y.md": b"123", "z.md": b"1"})
    assert [node(tree, each).size for each in ("a/b/", "a/", "/")] == [1, 3, 4]


def test_a_folder_has_no_lines():
    folder = node(a_tree({"a/x.md": "x"}), "a/")
    assert (folder.lines, folder.subtree_end, folder.level, folder.path) == (None, None, 0, "a/")


@pytest.mark.parametrize("name", ["README.md", "readme.MD", "index.md", "INDEX.md"])
def test_a_folders_readme_speaks_for_it(name):
    assert summary_of("rules/", {f"rules/{name}": "Hello.", "rules/a.md": "x"}) == ("readme", "Hello.")


def test_the_roots_readme_speaks_for_the_root():
    assert summary_of("/", {"README.md": "Hello.", "a.md": "x"}) == ("readme", "Hello.")


def test_a_readme_that_says_nothing_is_passed_over():
    assert summary_of("x/", {"x/README.md": "", "x/a.md": "# A"}) == ("children", "README · A")


def test_a_folder_of_one_document_says_what_that_says():
    assert summary_of("x/", {"x/a.md": "# A\n\nIts words."}) == ("children", "A: Its words.")
    assert summary_of("x/", {"x/a.md": "# A"}) == ("children", "A")
    assert summary_of("adr/", {"adr/a.md": "# A\n\nIts words."}) == ("children", "A: Its words.")
    assert len(summary_of("x/", {"x/a.md": f"# A\n\n{LONG}"})[1]) <= 240


def test_any_other_folder_tells_the_titles_of_what_it_holds():
    files = {"x/b.md": "# B", "x/a.md": "# A", "x/c/d.md": "# D\n\nWords."}
    assert summary_of("x/", files) == ("children", "c · A · B")
    assert summary_of("/", files) == ("children", "x")


def test_a_folder_the_layout_names_says_so_and_then_what_it_holds():
    files = {
        "adr/0001-backups.md": "# Nightly backups",
        "adr/0002.md": "text",
        "adr/old/x.md": "# Old one",
        "adr/rest/a.md": "x",
        "adr/rest/b.md": "x",
    }
    assert summary_of("adr/", files) == (
        "layout",
        "Architecture decisions, one record each. Holds: old (Old one) · rest · 0001-backups (Nightly backups) · 0002",
    )


def test_a_readme_comes_before_the_layout():
    assert summary_of("adr/", {"adr/README.md": "Hello.", "adr/a.md": "x"}) == ("readme", "Hello.")


def test_the_layout_has_no_words_for_the_root():
    assert summary_of("/", {"a.md": "# A", "b.md": "# B"}, setting={"name": "adr"}) == ("children", "A · B")


def test_a_long_list_of_what_a_folder_holds_is_cut():
    files = {f"rules/{number:03}.md": f"# Rule of number {number}" for number in range(100)}
    source, summary = summary_of("rules/", files)
    assert source == "layout"
    assert summary.startswith("Rules that hold for the project. Holds: 000 (Rule of number 0) · 001 (Rule")
    assert summary.endswith("…")
    assert len(summary) <= 240


def test_a_folder_may_be_as_deep_as_it_likes():
    path = "a/" * 1200 + "x.md"
    tree = a_tree({path: "# X"})
    assert len(tree.nodes) == 1202
    assert tree.nodes[-1].id == path
