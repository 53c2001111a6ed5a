"""Where links and mentions lead, from which node, and how many a node keeps."""

from __future__ import annotations

import pytest

from brain.tree.nodes import Link, LinkKind
from tests.given import a_tree, ids, links, node

WORLD = {
    "README.md": "# Home",
    "docs/guide.md": "# Guide\n\n## Lay out\n\nx\n\n## Lay out\n\n> ### Quoted\n\n## R-01 Prices match\n\nx\n",
    "docs/a b.md": "# Spaces",
    "docs/a#b.md": "# Hash",
    "docs/a%20b.md": "# Percent",
    "docs/a?b.md": "# Question",
    "docs/ü.md": "# Umlaut",
    "docs/back\\slash.md": "# Backslash",
    "docs/x/deep.md": "# Deep",
    "docs/it.md/inner.md": "# A folder with a document's name",
}


def target(destination, path="docs/from.md", **options):
    """Where a link to this destination in a document of this world leads; None for nowhere."""
    tree = a_tree({**WORLD, path: f"# From\n\n[x](<{destination}>)\n".encode()}, **options)
    found = [link.target for link in tree.linked.links if link.source == path]
    return found[0] if found else None


@pytest.mark.parametrize(
    ("destination", "reached"),
    [
        ("guide.md", "docs/guide.md"),
        ("./guide.md", "docs/guide.md"),
        ("x/../guide.md", "docs/guide.md"),
        ("../README.md", "README.md"),
        ("/README.md", "README.md"),
        ("/docs/guide.md", "docs/guide.md"),
        ("x/deep.md", "docs/x/deep.md"),
        ("a b.md", "docs/a b.md"),
        ("a%20b.md", "docs/a b.md"),
        ("a%2520b.md", "docs/a%20b.md"),
        ("a%23b.md", "docs/a#b.md"),
        ("a%3Fb.md", "docs/a?b.md"),
        ("%C3%BC.md", "docs/ü.md"),
        ("ü.md", "docs/ü.md"),
        ("%2e%2e/README.md", "README.md"),
        ("x%2Fdeep.md", "docs/x/deep.md"),
        ("guide.md?plain=1", "docs/guide.md"),
        ("guide.md?a=b#lay-out", "docs/guide.md#lay-out"),
        ("guide.md#a?b", "docs/guide.md"),
        ("&#103;uide.md", "docs/guide.md"),
        ("back\\\\slash.md", "docs/back\\slash.md"),
    ],
)
def test_a_destination_is_read_as_a_browser_reads_it_on_a_git_host(destination, reached):
    assert target(destination) == reached


@pytest.mark.parametrize(
    "destination",
    [
        "Guide.md",
        "GUIDE.MD",
        "guide",
        "docs/guide.md",
        "u\u0308.md",
        "../../README.md",
        "../../docs/guide.md",
        "/../README.md",
        "x\\deep.md",
        "x//deep.md",
        "guide.md/",
        "https://host.example/docs/guide.md",
        "//host.example/guide.md",
        "mailto:guide.md",
        "C:/guide.md",
        "javascript:guide.md",
        "",
        "?plain=1",
        "%FF.md",
        "gone.md",
        "from.md",
        "#",
    ],
)
def test_a_destination_that_neither_git_nor_a_browser_follows_makes_no_link(destination):
    assert target(destination) is None


@pytest.mark.parametrize(
    ("destination", "reached"),
    [
        ("x", "docs/x/"),
        ("x/", "docs/x/"),
        (".", "docs/"),
        ("./", "docs/"),
        ("..", "/"),
        ("../", "/"),
        ("/", "/"),
        ("/docs", "docs/"),
        ("x/..", "docs/"),
        ("it.md", "docs/it.md/"),
        ("x#part", "docs/x/"),
    ],
)
def test_a_link_to_a_folder_goes_to_its_node(destination, reached):
    assert target(destination) == reached


@pytest.mark.parametrize(
    ("fragment", "reached"),
    [
        ("lay-out", "docs/guide.md#lay-out"),
        ("lay-out-1", "docs/guide.md#lay-out-1"),
        ("Lay-OUT", "docs/guide.md#lay-out"),
        ("lay%2Dout", "docs/guide.md#lay-out"),
        ("user-content-lay-out", "docs/guide.md#lay-out"),
        ("R-01", "docs/guide.md#R-01"),
        ("r-01", "docs/guide.md#R-01"),
        ("r-01-prices-match", "docs/guide.md#R-01"),
        ("quoted", "docs/guide.md#lay-out-1"),
        ("guide", "docs/guide.md"),
        ("L3", "docs/guide.md"),
        ("L3-L5", "docs/guide.md"),
        (":~:text=Lay", "docs/guide.md"),
        ("nothing", "docs/guide.md"),
        ("", "docs/guide.md"),
        ("lay-out#x", "docs/guide.md"),
    ],
)
def test_a_fragment_finds_the_node_it_names_else_the_document(fragment, reached):
    assert target(f"guide.md#{fragment}") == reached


def test_an_exact_anchor_wins_over_one_in_another_case():
    tree = a_tree(a="[x](b.md#i) [y](b.md#I-1)", b="## I-1 One\n\n## i-1 two\n\n## i\n")
    assert links(tree) == [("a.md", "b.md#i"), ("a.md", "b.md#I-1")]


def test_the_id_of_a_title_heading_finds_the_document():
    assert links(a_tree(a="[x](b.md#ADR-3)", b="# ADR-3 Backups\n\n## Part\n")) == [("a.md", "b.md")]


def test_a_heading_over_the_limit_is_found_in_the_node_that_holds_it():
    late = "## Part\n" * 2000 + "\n## Late\n"
    assert links(a_tree(a="[x](b.md#late)", b=late)) == [("a.md", "b.md#part-1999")]


WEB = {"branch": "main", "web_address": "https://git.example/team/shop"}


@pytest.mark.parametrize(
    ("destination", "reached"),
    [
        ("https://git.example/team/shop/blob/main/docs/guide.md#lay-out", "docs/guide.md#lay-out"),
        ("https://GIT.example/team/shop/blob/main/README.md?plain=1", "README.md"),
        ("https://git.example/team/shop/tree/main/docs", "docs/"),
        ("https://git.example/team/shop/-/blob/main/docs/guide.md", "docs/guide.md"),
        ("https://git.example/team/shop/src/branch/main/docs/a%20b.md", "docs/a b.md"),
        ("https://git.example/team/shop/blob/other/README.md", None),
        ("https://git.example/team/shopping/blob/main/README.md", None),
        ("https://git.example/team/shop/issues/1", None),
        ("https://other.example/team/shop/blob/main/README.md", None),
    ],
)
def test_an_address_of_this_very_repository_is_followed_on_its_branch(destination, reached):
    assert target(destination, setting=WEB) == reached


def test_an_address_in_angle_brackets_is_followed_into_this_very_repository_only():
    text = "<https://git.example/team/shop/blob/main/b.md> <https://other.example/b.md> <a@git.example>\n"
    assert links(a_tree(a=text, b="# B", setting=WEB)) == [("a.md", "b.md")]


def test_without_its_web_address_no_address_is_the_repositorys():
    assert target("https://git.example/team/shop/blob/main/README.md") is None


def test_a_link_stands_at_the_deepest_node_that_holds_it_in_order_of_position():
    tree = a_tree(
        a="""\
            # A

            [b](b.md) [c](c.md)

            ## Part

            [c](c.md)

            ### Deep

            [b](b.md)

            ## Next [b](b.md)
            """,
        b="# B",
        c="# C",
    )
    assert tree.linked.links == [
        Link("a.md", "b.md", LinkKind.LINK, 3),
        Link("a.md", "c.md", LinkKind.LINK, 3),
        Link("a.md#part", "c.md", LinkKind.LINK, 7),
        Link("a.md#deep", "b.md", LinkKind.LINK, 11),
        Link("a.md#next-b", "b.md", LinkKind.LINK, 13),
    ]


def test_the_same_link_is_kept_once_a_node_and_kind():
    tree = a_tree(a="[b](b.md) [b](./b.md#b) R-01 [r](b.md#R-01) R-01", b="# B\n\n## R-01 Rule\n")
    assert [(link.target, link.kind) for link in tree.linked.links] == [
        ("b.md", "link"),
        ("b.md#R-01", "mention"),
        ("b.md#R-01", "link"),
    ]


def test_a_link_to_the_node_itself_is_none_but_one_inside_the_document_is():
    tree = a_tree(a="# A\n\n[a](a.md) [a](#a) [p](#part)\n\n## Part\n\n[p](#part) [a](a.md)\n")
    assert links(tree) == [("a.md", "a.md#part"), ("a.md#part", "a.md")]


def test_a_node_keeps_50_links_and_knows_how_many_it_makes():
    files = {f"{number}.md": "x" for number in range(60)}
    many = "".join(f"[x]({path}) " for path in files)
    tree = a_tree({**files, "z.md": f"{many}\n\n## Part\n\n[x](1.md)\n"})
    assert len([link for link in tree.linked.links if link.source == "z.md"]) == 50
    assert node(tree, "z.md").outgoing == 60
    assert node(tree, "z.md#part").outgoing == 1
    assert links(tree)[-1] == ("z.md#part", "1.md")
    assert len(tree.documents["z.md"].references) == 61


def test_the_number_of_links_kept_is_a_setting():
    tree = a_tree(a="[b](b.md) [c](c.md) [d](d.md)", b="x", c="x", d="x", setting={"max_links": 2})
    assert links(tree) == [("a.md", "b.md"), ("a.md", "c.md")]


def test_a_mention_links_to_every_node_that_defines_the_id():
    tree = a_tree(
        a="As R-01 says.", card="## R-01 Rule\n", front="---\nid: R-01\n---\n", title="# R-01: Rule\n\nx\n"
    )
    assert links(tree) == [("a.md", "card.md#R-01"), ("a.md", "front.md"), ("a.md", "title.md")]
    assert {link.kind for link in tree.linked.links} == {LinkKind.MENTION}


def test_more_than_three_other_definers_make_the_id_a_word():
    definers = {f"d{number}.md": "## R-01 Rule\n" for number in range(4)}
    assert links(a_tree({**definers, "a.md": "R-01"})) == []
    assert links(a_tree({**definers, "d0.md": "## R-01 Rule\n\nAs R-01 says.\n"})) == [
        ("d0.md#R-01", f"d{number}.md#R-01") for number in (1, 2, 3)
    ]


def test_a_definition_is_no_mention_of_itself():
    assert links(a_tree(a="## R-01 Rule\n\nR-01 is the rule.\n")) == []


def test_a_second_card_of_the_same_document_counts_as_a_definer():
    tree = a_tree(a="R-01", b="## R-01 One\n\n## R-01 Two\n")
    assert links(tree) == [("a.md", "b.md#R-01"), ("a.md", "b.md#r-01-two")]


def test_an_id_nobody_defines_is_no_link_and_not_broken():
    tree = a_tree(a="R-01")
    assert (links(tree), tree.linked.broken) == ([], [])


def test_an_id_of_another_shape_is_not_found_by_mention():
    assert links(a_tree(a="The intro and no-1.", b="---\nid: intro\n---\n", c="---\nid: no-1\n---\n")) == []


def test_a_setting_decides_which_words_are_no_ids():
    tree = a_tree(a="ADR-1 UTF-8", b="## ADR-1 x\n\n## UTF-8 x\n", setting={"not_prefixes": ("ADR",)})
    assert links(tree) == [("a.md", "b.md#UTF-8")]


def test_ids_of_the_tree_are_the_paths_verbatim():
    assert "docs/a%20b.md" in ids(a_tree(WORLD))
