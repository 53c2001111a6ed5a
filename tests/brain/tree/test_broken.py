"""Links to Markdown files that the commit does not have."""

from __future__ import annotations

import pytest

from brain.tree.links import MAX_BROKEN
from tests.given import a_tree


def broken(tree):
    return [(each.source, each.target) for each in tree.linked.broken]


def broken_in(text, **options):
    tree = a_tree({"docs/a.md": text, "b.md": "# B\n", **options.pop("files", {})}, **options)
    return [target for source, target in broken(tree) if source == "docs/a.md"]


@pytest.mark.parametrize(
    ("link", "target"),
    [
        ("[x](gone.md)", "gone.md"),
        ("[x](gone.MD)", "gone.MD"),
        ("[x](../gone.md#part)", "../gone.md"),
        ("[x](/gone.md?plain=1#part)", "/gone.md"),
        ("[x](<gone now.md>)", "gone now.md"),
        ("[x](gone%20now.md)", "gone%20now.md"),
        ("[x](gone\\(1.md)", "gone(1.md"),
        ("[x](gone&amp;1.md)", "gone&1.md"),
        ("[x](b.md)", "b.md"),
        ("[x](A.md)", "A.md"),
        ("[x][r]\n\n[r]: gone.md", "gone.md"),
        ("[![x](y.png)](gone.md)", "gone.md"),
        ("[x](../../b.md)", "../../b.md"),
        ("[x](../../../up%2Emd)", "../../../up%2Emd"),
        ("[x](gone%2Emd)", "gone%2Emd"),
    ],
)
def test_a_link_to_a_markdown_file_that_is_not_there_is_broken_as_written(link, target):
    assert broken_in(link) == [target]


@pytest.mark.parametrize(
    "link",
    [
        "[x](a.md)",
        "[x](../b.md#nowhere)",
        "[x](/b.md)",
        "[x](../../notes.txt)",
        "[x](gone)",
        "[x](gone/)",
        "[x](gone.md/)",
        "[x](gone.txt)",
        "[x](gone.mdx)",
        "[x](gone.markdown)",
        "![x](gone.md)",
        "[x](https://host.example/gone.md)",
        "[x](//host.example/gone.md)",
        "[x](mailto:gone.md)",
        "[x](C:/gone.md)",
        "<https://host.example/gone.md>",
        "gone.md [[gone.md]] `[x](gone.md)`",
        "[r]: gone.md",
        "[x](#gone.md)",
        "[x](?x=gone.md)",
        "R-01",
    ],
)
def test_anything_else_is_not_broken(link):
    assert broken_in(link) == []


def test_one_row_a_pair_ordered_by_path_then_first_use():
    tree = a_tree(
        b="[x](gone.md) [y](other.md)\n\n## Part\n\n[x](gone.md#part) [x](./gone.md)\n",
        a="[x](other.md) [y](gone.md)",
    )
    assert broken(tree) == [
        ("a.md", "other.md"),
        ("a.md", "gone.md"),
        ("b.md", "gone.md"),
        ("b.md", "other.md"),
        ("b.md", "./gone.md"),
    ]
    assert [each.line for each in tree.linked.broken] == [1, 1, 1, 1, 5]


def test_a_file_that_exists_but_is_not_indexed_is_not_broken():
    links = "[s](../link.md) [m](../module.md) [l](../large.md) [o](../out.md)"
    files = {"large.md": b"x" * (2 * 1024 * 1024 + 1), "out.md": "x"}
    beside = ["link.md", "module.md"]
    assert broken_in(links, files=files, beside=beside, setting={"include": ("docs/", "b.md")}) == []


@pytest.mark.parametrize(
    "path",
    [
        "/restricted/x.md",
        "Restricted/x.md",
        "/plugins/x.md",
        "/scratch/x.md",
        "/identifiers/x.md",
        "../.git/x.md",
    ],
)
@pytest.mark.parametrize("there", [True, False])
def test_a_link_under_a_path_that_is_never_indexed_tells_nothing(path, there):
    beside = [path.lstrip("/").replace("../", "").replace("Restricted", "docs/Restricted")] if there else []
    assert broken_in(f"[x]({path})", beside=beside) == []


@pytest.mark.parametrize("there", [True, False])
def test_nor_does_one_under_an_excluded_path(there):
    files = {"drafts/x.md": "x"} if there else {}
    assert broken_in("[x](/drafts/x.md)", files=files, setting={"exclude": ("drafts/",)}) == []


def test_a_link_outside_the_included_paths_is_broken_when_nothing_is_there():
    assert broken_in("[x](/other/x.md)", setting={"include": ("docs/",)}) == ["/other/x.md"]


def test_documents_that_are_not_indexed_report_nothing():
    assert broken_in("x", files={"restricted/r.md": "[x](gone.md)", ".x/h.md": "[x](gone.md)"}) == []


def test_an_address_of_this_repository_can_be_broken():
    web = {"branch": "main", "web_address": "https://git.example/team/shop"}
    address = "https://git.example/team/shop/blob/main/gone.md"
    assert broken_in(f"[x]({address}#part)", setting=web) == [address]


def test_broken_links_over_the_limit_are_cut_and_told():
    text = "".join(f"[x](gone{number}.md)\n" for number in range(MAX_BROKEN + 1))
    tree = a_tree(a=text)
    assert (len(tree.linked.broken), tree.linked.truncated) == (MAX_BROKEN, True)


def test_as_many_as_the_limit_are_whole():
    tree = a_tree(a="".join(f"[x](gone{number}.md)\n" for number in range(MAX_BROKEN)))
    assert (len(tree.linked.broken), tree.linked.truncated) == (MAX_BROKEN, False)
