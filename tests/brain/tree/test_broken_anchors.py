"""Links to headings that an existing document does not have."""

from __future__ import annotations

import pytest

from brain.tree.links import MAX_BROKEN
from brain.tree.nodes import BrokenAnchor
from tests.given import a_tree

PAGE = """\
    # Page

    ## Lay out the tools

    > ### Quoted

    ## R-01 Prices match

    <a id="here"></a> <a name='there'>x</a>
    """


def anchors(link):
    return a_tree(a=link, page=PAGE).linked.anchors


@pytest.mark.parametrize(
    "fragment",
    [
        "lay-out-the-tools",
        "LAY-out-the-tools",
        "user-content-lay-out-the-tools",
        "page",
        "quoted",
        "R-01",
        "r-01-prices-match",
        "here",
        "there",
        "user-content-here",
        "L3",
        "L3-L9",
        "L3C1-L9C2",
        ":~:text=Page",
        "page:~:text=x",
        "",
    ],
)
def test_a_fragment_that_names_something_is_not_broken(fragment):
    assert anchors(f"[x](page.md#{fragment})") == []


def test_one_that_names_nothing_is_listed_with_the_closest_anchor():
    assert anchors("x\n[x](page.md?plain=1#lay-out-tools)") == [
        BrokenAnchor("a.md", 2, "page.md?plain=1#lay-out-tools", "lay-out-the-tools")
    ]


@pytest.mark.parametrize(
    ("fragment", "suggestion"),
    [
        ("qoted", "quoted"),
        ("R-1", "R-01"),
        ("r-01-price-match", "r-01-prices-match"),
        ("elsewhere", None),
        ("L", None),
    ],
)
def test_a_suggestion_is_made_when_one_is_close(fragment, suggestion):
    assert [each.suggestion for each in anchors(f"[x](page.md#{fragment})")] == [suggestion]


def test_a_fragment_of_the_same_document_counts():
    assert [each.target for each in anchors("[x](#gone)")] == ["#gone"]


@pytest.mark.parametrize(
    "link",
    [
        "[x](gone.md#part)",
        "[x](link.md#part)",
        "[x](notes.txt#part)",
        "[x](docs/#part)",
        "[x](https://h.example/#p)",
    ],
)
def test_only_indexed_documents_have_anchors_to_miss(link):
    tree = a_tree({"a.md": link, "docs/b.md": "x", "notes.txt": "x"}, beside=["link.md"])
    assert tree.linked.anchors == []


def test_a_broken_anchor_still_leads_to_the_document():
    assert [link.target for link in a_tree(a="[x](page.md#gone)", page=PAGE).linked.links] == ["page.md"]


def test_broken_anchors_are_listed_apart_from_broken_links():
    tree = a_tree(a="[x](page.md#gone) [y](gone.md#gone)", page=PAGE)
    assert [each.target for each in tree.linked.anchors] == ["page.md#gone"]
    assert [each.target for each in tree.linked.broken] == ["gone.md"]


def test_broken_anchors_over_the_limit_are_cut_and_told():
    linked = a_tree(a="".join(f"[x](#gone{number})\n" for number in range(MAX_BROKEN + 1))).linked
    assert (len(linked.anchors), linked.anchors_truncated, linked.truncated) == (MAX_BROKEN, True, False)
