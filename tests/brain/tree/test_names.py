"""What nodes are looked up by besides their ids, and that stored nodes are found as parsed ones are."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from brain.tree.names import Names, asked_number, names_of, stem_of, text_key
from brain.tree.targets import Page
from tests.brain.tree.worlds import worlds
from tests.given import a_tree, node


@pytest.mark.parametrize(
    ("node_id", "names"),
    [
        ("rfcs/1327-dropck.md", Names("1327-dropck", 1327)),
        ("rfcs/0042.MD", Names("0042", 42)),
        ("rfcs/.md", Names(".md", None)),
        ("rfcs/", Names("rfcs", None)),
        ("01-rules/", Names("01-rules", 1)),
        ("/", None),
        ("rfcs/0042.MD#part", None),
    ],
)
def test_documents_and_folders_have_a_stem_and_perhaps_a_number(node_id, names):
    tree = a_tree(
        {"rfcs/1327-dropck.md": "x", "rfcs/0042.MD": "## Part", "rfcs/.md": "x", "01-rules/a.md": "x"}
    )
    assert names_of(node(tree, node_id)) == names


@pytest.mark.parametrize(
    ("name", "stem"), [("a.md", "a"), ("a.b.MD", "a.b"), (".md", ".md"), ("a.txt", "a.txt")]
)
def test_a_stem_is_the_name_without_markdowns_extension(name, stem):
    assert stem_of(name) == stem


@pytest.mark.parametrize(
    ("query", "number"),
    [
        ("1327", 1327),
        (" RFC 1327 ", 1327),
        ("adr-012", 12),
        ("#7", None),
        ("rfc #7", 7),
        ("v1.2", None),
        ("x", None),
    ],
)
def test_a_query_may_ask_for_a_number(query, number):
    assert asked_number(query) == number


def test_a_text_has_one_key_in_any_case():
    assert text_key("Straße") == text_key("STRASSE")
    assert text_key("a") != text_key("b")
    assert -(2**63) <= text_key("x" * 1_000_000) < 2**63


@settings(max_examples=100, deadline=None)
@given(worlds)
def test_a_fragment_leads_to_the_same_node_from_stored_nodes_as_from_parsed_documents(world):
    tree = a_tree(world)
    for path, document in tree.documents.items():
        parsed = Page.of_document(document)
        stored = Page.of_nodes([each for each in tree.nodes if each.path == path and each.lines])
        names = [*parsed.names, *document.named, "alpha", "ALPHA", "nowhere"]
        assert stored.names == parsed.names
        assert [stored.find(name) for name in names] == [parsed.find(name) for name in names]
        assert [stored.has(name) for name in names] == [parsed.has(name) for name in names]
