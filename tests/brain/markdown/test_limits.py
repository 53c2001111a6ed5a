"""Texts that try a parser's patience: what they become, however hostile."""

from __future__ import annotations

import pytest

from brain.parsing import parse_within_budget
from tests.given import NOT_PREFIXES

END = "\n\n## End\n\n[x](b.md)\n"

PATIENCE = {
    "brackets": "[" * 50_000,
    "images": "![" * 50_000,
    "half links": "[a](" * 50_000,
    "half links with a definition": "[a]: /u\n\n" + "[a](" * 20_000,
    "closing brackets": "]" * 50_000,
    "quotes": "> " * 50_000 + "x",
    "list items": "- " * 50_000 + "x",
    "nested lists": "".join(f"{'  ' * depth}- a\n" for depth in range(300)),
    "emphasis": "*a **a " * 20_000,
    "underscores": "_" * 50_000 + "a" + "_" * 50_000,
    "strikes": "~~a" * 20_000,
    "back ticks": "".join("e" + "`" * count for count in range(800)),
    "comments": "<!-" * 50_000,
    "tags": "<a " * 30_000,
    "raw headings": "<div>\n" + "<h1 x" * 20_000,
    "entities": "&" * 50_000,
    "backslashes": "\\" * 50_001,
    "a wide table": "|a" * 3_000 + "|\n" + "|-" * 3_000 + "|\n" + "|b\n" * 20,
    "no table": "|" * 50_000 + "\n" + "|-" * 20_000,
    "ids": "A-" * 50_000 + "1 " + "A1" * 50_000,
    "blanks": "a" + " " * 100_000 + "b",
    "tabs": "\t" * 100_000,
    "links of one paragraph": "[a](b.md)\n" * 4_000,
}


@pytest.mark.parametrize("text", PATIENCE.values(), ids=PATIENCE.keys())
def test_a_hostile_text_does_not_hide_what_follows_it(text):
    document = parse_within_budget("a.md", (text + END).encode(), NOT_PREFIXES, seconds=20.0).document
    assert document.parts[-1].anchor == "end"
    assert document.references[-1].target == "b.md"
    assert not document.problems


def test_text_below_the_deepest_nesting_is_passed_over():
    document = parse_within_budget("a.md", ("> " * 5_000 + "[x](b.md)" + END).encode(), NOT_PREFIXES).document
    assert [reference.anchor for reference in document.references] == ["end"]


def test_a_list_below_the_deepest_nesting_is_text_of_the_item_around_it():
    text = "".join(f"{'  ' * depth}- a\n" for depth in range(60)) + "\nAfter R-01.\n"
    document = parse_within_budget("a.md", text.encode(), NOT_PREFIXES).document
    assert [(reference.target, reference.line) for reference in document.references] == [("R-01", 62)]


def test_footnotes_in_footnotes_end_where_they_end():
    document = parse_within_budget("a.md", ("[^1]: " * 300 + "x" + END).encode(), NOT_PREFIXES).document
    assert document.parts[-1].anchor == "end"


def test_an_unclosed_fence_ends_with_the_document():
    document = parse_within_budget("a.md", b"## A\n\n```\n" + b"# x\n" * 10_000, NOT_PREFIXES).document
    assert [(part.anchor, part.end) for part in document.parts] == [("", 10_003), ("a", 10_003)]


def test_a_document_of_two_mebibytes_is_parsed_whole():
    line = b"Some words of a line of text with A-1 and no more than that in the line.\n"
    blob = b"# Big\n\n" + line * (2 * 1024 * 1024 // len(line) - 1) + b"## End\n"
    document = parse_within_budget("a.md", blob, NOT_PREFIXES, seconds=30.0).document
    assert document.parts[-1].start == blob.count(b"\n")
    assert document.parts[0].size == -(-len(blob) // 4)


def test_a_title_is_cut_so_that_an_answer_can_hold_it():
    document = parse_within_budget("a.md", b"# A\n\n## " + b"word " * 150 + b"\n", NOT_PREFIXES).document
    assert len(document.parts[1].title) <= 300


def test_a_heading_too_long_for_an_address_is_text_of_the_node_before_it():
    document = parse_within_budget(
        "a.md", b"# A\n\n## " + b"word " * 1_000 + b"\n\n## End\n", NOT_PREFIXES
    ).document
    assert [part.anchor for part in document.parts] == ["", "end"]
    assert document.parts[0].own_end == 4


def test_an_id_too_long_for_a_name_is_none():
    text = f"# A\n\n## {'AB-' * 60}1 Rule\n\nSee {'CD-' * 60}2.\n"
    document = parse_within_budget("a.md", text.encode(), NOT_PREFIXES).document
    assert [part.reference_id for part in document.parts] == [None, None]
    assert not document.references
