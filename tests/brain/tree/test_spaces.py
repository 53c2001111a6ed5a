"""Spaces: the home page that opens one, and the folders that belong to it."""

from __future__ import annotations

import pytest

from tests.given import a_tree, node


def home(space, order=None):
    return f"---\nspace: {space}\n{'' if order is None else f'order: {order}\n'}---\n# Home\n"


def spaces(tree):
    return {each.id: each.space for each in tree.nodes if each.space}


def test_a_home_pages_folder_and_all_below_belong_to_its_space():
    tree = a_tree({"eng/README.md": home("eng"), "eng/a/b.md": "## Part\n", "other/c.md": "x", "d.md": "x"})
    home_and_below = ["eng/", "eng/README.md", "eng/a/", "eng/a/b.md", "eng/a/b.md#part"]
    assert spaces(tree) == dict.fromkeys(home_and_below, "ENG")


def test_a_nearer_home_page_takes_its_folder_over():
    tree = a_tree({"README.md": home("all"), "ops/index.md": home("ops"), "ops/x/a.md": "x", "b.md": "x"})
    assert spaces(tree) == {
        "/": "ALL",
        "README.md": "ALL",
        "b.md": "ALL",
        "ops/": "OPS",
        "ops/index.md": "OPS",
        "ops/x/": "OPS",
        "ops/x/a.md": "OPS",
    }


@pytest.mark.parametrize("name", ["about.md", "readme.txt", "README.markdown"])
def test_any_other_page_opens_no_space(name):
    assert spaces(a_tree({f"eng/{name}": home("eng"), "eng/a.md": "x"})) == {}


@pytest.mark.parametrize("key", ["2nd", "a-b", "é", "x" * 33, "''"])
def test_a_malformed_key_opens_no_space(key):
    assert spaces(a_tree({"README.md": home(key)})) == {}


def test_the_order_stands_on_the_home_page():
    tree = a_tree(
        {"eng/README.md": home("eng", 20), "eng/a.md": "---\norder: 5\n---\n", "x.md": home("x", 3)}
    )
    assert {each.id: each.order for each in tree.nodes if each.order is not None} == {"eng/README.md": 20}
    assert [each.id for each in tree.nodes if each.home] == ["eng/README.md"]


def test_of_two_homes_of_one_key_the_first_path_wins_and_the_other_is_a_problem():
    tree = a_tree({"b/README.md": home("eng"), "a/README.md": home("ENG", 7), "b/x.md": "x"})
    assert spaces(tree) == {"a/": "ENG", "a/README.md": "ENG"}
    assert [(problem.path, problem.code) for problem in tree.problems] == [("b/README.md", "space-twice")]
    assert "a/README.md" in tree.problems[0].message
    assert node(tree, "b/README.md").home is False


def test_a_second_home_of_a_nearer_space_leaves_its_folder_to_the_farther_one():
    tree = a_tree({"README.md": home("all"), "a/README.md": home("eng"), "b/README.md": home("eng")})
    assert node(tree, "b/README.md").space == "ALL"


def test_a_readme_that_opens_none_leaves_it_to_the_index():
    tree = a_tree({"eng/README.md": "# Hello", "eng/index.md": home("eng")})
    assert [each.id for each in tree.nodes if each.home] == ["eng/index.md"]
    assert node(tree, "eng/").space == "ENG"
