"""Which lines are headings, which headings make a node, and which one is the document itself."""

from __future__ import annotations

import pytest
from hypothesis import assume, example, given, settings

from brain.markdown.front_matter import read_front_matter
from brain.markdown.headings import MAX_HEADINGS
from tests.brain.markdown.fragments import documents
from tests.brain.markdown.witness import headings_seen
from tests.given import a_document, headings_of


def lines_and_levels(text):
    return [(heading.line, heading.level) for heading in headings_of(text.encode()) if heading.own]


def anchors_of(text):
    return [part.anchor for part in a_document(text).parts[1:]]


@settings(max_examples=600, deadline=None)
@given(documents())
@example("| one |\n---\n")
@example("Para\n| one |\n   ---\n")
@example("[x]:\n===\n")
def test_headings_are_those_that_github_sees(text):
    """Left out of the generator is what cmark-gfm (of CommonMark 0.29) and CommonMark 0.31.2 read differently.

    - A heading right under a link definition: cmark counts its line from the definition.
    - A raw tag of its own line right under a quote's or item's paragraph: by 0.31.2 it continues that paragraph.
    - A line of spaces under an empty list item: by 0.31.2 it is blank, and the item is over.

    And what markdown-it-py reads otherwise than cmark-gfm, in tables nobody writes: one column without any pipe
    in its header, a row that is one pipe or nothing but white space other than blanks and tabs.
    """
    assume(not read_front_matter(text).length)
    assert lines_and_levels(text) == headings_seen(text)


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("A\n===\n", 1),
        ("A\n-\n", 2),
        ("###### A\n", 6),
        ("   # A\n", 1),
        ("#\tA\n", 1),
        ("## A ####   \n", 2),
    ],
)
def test_atx_and_setext_headings_have_their_level(text, level):
    assert lines_and_levels(text) == [(1, level)]


@pytest.mark.parametrize(
    "text",
    [
        "#A\n",
        "####### A\n",
        "    # A\n",
        "\\# A\n",
        "&#35; A\n",
        "#\u00a0A\n",
        "\u00a0# A\n",
        "```\n# A\n```\n",
        "~~~ md\n# A\n",
        "<!--\n# A\n\n# B\n-->\n",
        "<!-- # A\n",
        "<div>\n# A\n</div>\n",
        "<pre>\n\n# A\n\n</pre>\n",
        "<?php\n# A\n?>\n",
        "| A |\n|---|\n| # B |\n",
        "- A\n---\n",
        "A\n    ---\n",
    ],
)
def test_text_that_only_looks_like_a_heading_is_none(text):
    assert lines_and_levels(text) == []


def test_a_line_of_dashes_under_a_row_of_cells_makes_a_heading_not_a_table():
    assert lines_and_levels("text\n| A |\n---\n") == [(1, 2)]


def test_a_definition_does_not_swallow_the_line_under_a_heading():
    assert lines_and_levels("[A]:\n===\n\n[B]: /u\n\n[C]:\n--\n") == [(1, 1), (6, 2)]
    assert headings_of("[A]: /u\n'B\n===\n'\n")[0].text == "'B"


def test_a_footnote_ends_a_quote_and_a_table():
    assert lines_and_levels("> a\n[^1]: # b\nA\n---\n") == [(3, 2)]
    assert lines_and_levels("| a |\n|---|\n[^1]: # b\nA\n---\n") == [(4, 2)]


@pytest.mark.parametrize(
    "text",
    ["> ## Same\n", "- ## Same\n", "<h2>Same</h2>\n", "<div>\n<h3 class='x'><b>Sa</b>me</h3>\n</div>\n"],
)
def test_a_heading_in_a_quote_a_list_or_raw_html_is_no_node_but_takes_its_slug(text):
    document = a_document(f"{text}\n## Same\n")
    assert [part.anchor for part in document.parts] == ["", "same-1"]
    assert [name for name, _ in document.anchors] == ["same"]


def test_a_heading_in_a_footnote_is_no_node():
    assert anchors_of("Text[^1]\n\n[^1]: # Noted\n\n## Own\n") == ["own"]


def test_a_raw_heading_in_a_comment_takes_no_slug():
    assert anchors_of("<div>\n<!-- <h2>Same</h2> -->\n</div>\n\n## Same\n") == ["same"]


@pytest.mark.parametrize("heading", ["#", "## ???", "### 🚀", "## ![logo](x.png)", "## <br>"])
def test_a_heading_without_a_slug_is_text(heading):
    document = a_document(f"## Before\n\n{heading}\n\nText.\n\n## After\n")
    assert [part.anchor for part in document.parts[1:]] == ["before", "after"]
    assert document.parts[1].own_end == 6
    assert "" not in dict(document.anchors)


def test_the_second_heading_without_a_slug_takes_what_github_gives_it():
    assert anchors_of("## ?\n\n## !\n\n## -1\n") == ["-1-1"]


def test_the_only_level_1_heading_that_comes_first_is_the_document_itself():
    document = a_document("Words.\n\n# Spec\n\nOwn text.\n\n## Part\n")
    assert [(part.anchor, part.title) for part in document.parts] == [("", "Spec"), ("part", "Part")]
    assert document.parts[0].own_end == 6
    assert document.anchors == (("spec", 3),)


def test_the_slug_of_the_title_heading_is_taken():
    assert anchors_of("# Spec\n\n## Spec\n") == ["spec-1"]


@pytest.mark.parametrize("text", ["# One\n\n# Two\n", "## Part\n\n# Late\n", "### A\n# B\n## C\n"])
def test_any_other_level_1_heading_is_a_section(text):
    assert len(anchors_of(text)) == text.count("# ")


def test_a_quoted_heading_before_the_title_heading_is_passed_over():
    assert anchors_of("> # Quoted\n\n# Spec\n\n## Part\n") == ["part"]


TITLES = [
    ("---\ntitle: Front\nname: n\n---\n# Head\n", "Front"),
    ("---\nname: n\n---\n# Head\n", "Head"),
    ("---\nname: n\n---\n## Part\n\n# Head\n", "Head"),
    ("---\nname: n\n---\n# One\n\n# Two\n", "n"),
    ("---\ntitle: ' '\nname: ''\n---\ntext\n", "plan"),
    ("# \n\ntext\n", "plan"),
    ("# ![x](y.png)\n", "plan"),
    ("text\n", "plan"),
    ("# `code` & *more* [text](x.md)\n", "code & more text"),
    ("Two\nlines\n===\n", "Two lines"),
    ("# A\u200bB\u202e C\x07\n", "AB C"),
]


@pytest.mark.parametrize(("text", "title"), TITLES)
def test_the_title_is_front_matters_else_the_headings_else_the_name(text, title):
    assert a_document(text, "docs/plan.md").parts[0].title == title


@pytest.mark.parametrize(("path", "title"), [("PLAN.MD", "PLAN"), ("a/.md", ".md"), ("v1.2.md", "v1.2")])
def test_a_file_name_without_its_extension_is_the_last_resort(path, title):
    assert a_document("text", path).parts[0].title == title


def test_a_heading_is_the_child_of_the_nearest_earlier_one_of_a_lower_level():
    document = a_document("# T\n\n### A\n\n## B\n\n#### C\n\n### D\n\n## E\n")
    assert [(part.title, part.level, document.parts[part.parent].title) for part in document.parts[1:]] == [
        ("A", 3, "T"),
        ("B", 2, "T"),
        ("C", 4, "B"),
        ("D", 3, "B"),
        ("E", 2, "T"),
    ]


def test_headings_over_the_limit_are_text_of_the_node_before_them():
    document = a_document("# Title\n" + "".join(f"## Part {n}\n" for n in range(1, MAX_HEADINGS + 2)))
    assert len(document.parts) == MAX_HEADINGS  # the title heading counts
    assert (document.parts[-1].title, document.parts[-1].own_end) == ("Part 1999", MAX_HEADINGS + 2)
    assert document.anchors[1:] == (("part-2000", 2001), ("part-2001", 2002))
    assert [problem.code for problem in document.problems] == ["headings-cut"]


def test_as_many_headings_as_the_limit_allows_are_no_problem():
    document = a_document("## Part\n" * MAX_HEADINGS)
    assert len(document.parts) == 1 + MAX_HEADINGS
    assert not document.problems
