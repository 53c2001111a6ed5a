"""What a document says of other places: its links and mentions as written, where they stand, in order."""

from __future__ import annotations

import pytest

from tests.given import a_document


def targets(text):
    return [reference.target for reference in a_document(text).references if reference.kind == "link"]


def mentions(text):
    return [reference.target for reference in a_document(text).references if reference.kind == "mention"]


def said(text):
    return [(one.kind, one.target, one.anchor, one.line) for one in a_document(text).references]


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("[a](b.md)", "b.md"),
        ("[a](<b c.md>)", "b c.md"),
        ("[a](b%20c.md)", "b%20c.md"),
        ("[a](b.md 'title')", "b.md"),
        ("[a](  b.md  )", "b.md"),
        ("[a](b\\(c.md)", "b(c.md"),
        ("[a](b(c).md)", "b(c).md"),
        ("[a](b&amp;c.md)", "b&c.md"),
        ("[a](b\\#c.md)", "b#c.md"),
        ("[](b.md)", "b.md"),
        ("[a]()", ""),
        ("[a](#part)", "#part"),
        ("[a](/docs/b.md?plain=1#L3)", "/docs/b.md?plain=1#L3"),
        ("[a *b* `c`](b.md)", "b.md"),
        ("[![badge](x.png)](b.md)", "b.md"),
        ("[a][B]\n\n[b]: b.md", "b.md"),
        ("[b][]\n\n[b]: b.md", "b.md"),
        ("[B]\n\n[b]: <b.md> 'title'", "b.md"),
        ("[ẞ]\n\n[SS]: b.md", "b.md"),
        ("[b]\n\n[b]: first.md\n[b]: second.md", "first.md"),
        ("> [b]: b.md\n\n[b]", "b.md"),
        ("## [a](b.md)", "b.md"),
        ("> [a](b.md)", "b.md"),
        ("- [ ] [a](b.md)", "b.md"),
        ("| x |\n|---|\n| [a \\| b](b.md) |", "b.md"),
        ("x[^1]\n\n[^1]: [a](b.md)", "b.md"),
        ("<b>[a](b.md)</b>", "b.md"),
        ("[a](javascript:x)", "javascript:x"),
        ("[a](https://host.example/b.md)", "https://host.example/b.md"),
    ],
)
def test_a_link_is_kept_with_its_target_as_written(text, target):
    assert targets(text) == [target]


@pytest.mark.parametrize(
    "text",
    [
        "![a](b.md)",
        "![a][b]\n\n[b]: b.md",
        "<someone@host.example>",
        "https://host.example/b.md b.md",
        "[[b]] [[b.md|text]]",
        "[a](b c.md)",
        "[a] (b.md)",
        "\\[a](b.md)",
        "`[a](b.md)`",
        "x\n\n    [a](b.md)",
        "```\n[a](b.md)\n```",
        "<!-- [a](b.md) -->",
        "<div>\n[a](b.md)\n</div>",
        '<a href="b.md">a</a>',
        "[a][gone]",
        "[unused]: b.md",
        "x[^1]\n\n[^1]: note",
        "---\nsee: '[a](b.md)'\n---\n",
    ],
)
def test_nothing_else_is_a_link(text):
    assert targets(text) == []


def test_a_link_in_a_link_is_the_inner_one_alone():
    assert targets("[a [b](c.md)](d.md)") == ["c.md"]


def test_links_over_lines_and_in_link_text_count():
    assert targets("[a\nb](c.md) [d](\ne.md)") == ["c.md", "e.md"]


@pytest.mark.parametrize(
    "text",
    [
        "R-01",
        "See R-01.",
        "## On R-01",
        "- R-01",
        "> R-01",
        "| a |\n|---|\n| R-01 |",
        "*R-01*",
        "x[^1]\n\n[^1]: R-01",
    ],
)
def test_an_id_in_any_text_is_a_mention(text):
    assert mentions(text) == ["R-01"]


@pytest.mark.parametrize(
    "text",
    [
        "`R-01`",
        "```\nR-01\n```",
        "x\n\n    R-01",
        "<!-- R-01 -->",
        "<div>R-01</div>",
        "[R-01](a.md)",
        "[see R-01][x]\n\n[x]: y.md",
        "<https://host.example/R-01>",
        "https://host.example/R-01",
        "[a](R-01.md)",
        "![R-01](x.png)",
        "[x]: /u 'R-01'",
        "---\nsee: R-01\n---\n",
        "UTF-8",
    ],
)
def test_an_id_in_code_addresses_link_text_or_raw_html_is_no_mention(text):
    assert mentions(text) == []


def test_the_id_that_a_card_or_the_title_starts_with_is_its_definition_not_a_mention():
    assert mentions("# ADR-1 After ADR-0\n\n## R-01 Before R-02\n\n## `R-03` R-04\n") == [
        "ADR-0",
        "R-02",
        "R-04",
    ]


@pytest.mark.parametrize("written", ["`R-01`", "**R**-01", "[R-01](#x)", "R\\-01", "R&#45;01", "~~R-0~~1"])
def test_however_the_id_of_a_card_is_written_what_follows_it_is_mentioned(written):
    assert mentions(f"## {written} R-02 and R-03\n") == ["R-02", "R-03"]


def test_the_id_that_a_quoted_heading_starts_with_is_a_mention():
    assert mentions("> ## R-01 Quoted\n") == ["R-01"]


def test_references_stand_in_order_each_at_its_line_and_in_the_deepest_part():
    text = """\
        ---
        title: T
        ---
        Words [a](1.md)
        and R-01 and
        [b](2.md).

        ## Part
        | x | y |
        |---|---|
        | [c](3.md) | R-02 |

        ### Deep [d](4.md)
        - one
          - [e](5.md)

        ## Last
        x[^1]

        [^1]: note
            [f](6.md)
        """
    assert said(text) == [
        ("link", "1.md", "", 4),
        ("mention", "R-01", "", 5),
        ("link", "2.md", "", 6),
        ("link", "3.md", "part", 11),
        ("mention", "R-02", "part", 11),
        ("link", "4.md", "deep-d", 13),
        ("link", "5.md", "deep-d", 15),
        ("link", "6.md", "last", 21),
    ]


def test_lines_are_right_with_front_matter_windows_line_ends_and_lone_carriage_returns():
    text = b"---\r\na: b\r\n---\r\nx\ry [a](1.md)\r\nR-01\rR-02\r\n"
    assert said(text) == [("link", "1.md", "", 4), ("mention", "R-01", "", 5), ("mention", "R-02", "", 5)]


def test_a_reference_is_kept_as_often_as_it_is_written():
    assert targets("[a](b.md) [a](b.md)") == ["b.md", "b.md"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ('<a id="here"></a>', ("here",)),
        ("text <a class='x' NAME='there'></a>", ("there",)),
        ("<div>\n<a id=one></a>\n</div>\n\n<a name=two>", ("one", "two")),
        ("## <a id='x'></a>Heading", ("x",)),
        ("<a href='x.md'>a</a>", ()),
        ("`<a id=x>`", ()),
        ("<b id=x>", ()),
    ],
)
def test_anchors_written_as_raw_tags_are_known(text, names):
    assert sorted(a_document(text).named) == sorted(names)
