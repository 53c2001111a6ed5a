"""A node's summary: which rule gives it, what it then says, and where it is cut."""

from __future__ import annotations

from itertools import pairwise

import pytest

from brain.markdown.extracts import MAX_SUMMARY, cut
from tests.given import a_blob, a_document

LONG = " ".join(f"word{number}" for number in range(60))
FILLER = f"\n\n{LONG}\n"


def summary_of(text, anchor=""):
    (part,) = [part for part in a_document(text).parts if part.anchor == anchor]
    return part.summary_source, part.summary


@pytest.mark.parametrize(
    ("front", "summary"),
    [
        ("summary: Short.\ndescription: Other.", "Short."),
        ("summary: ''\ndescription: Other.", "Other."),
        ("description: >\n  Two\n  lines.", "Two lines."),
        ("summary: 42", "42"),
    ],
)
def test_front_matters_summary_comes_first_then_its_description(front, summary):
    assert summary_of(f"---\n{front}\n---\nText.\n") == ("front-matter", summary)


def test_front_matter_speaks_for_the_document_alone():
    assert summary_of("---\nsummary: S\n---\n## Part\n\nText.\n", "part") == ("text", "Text.")


def test_a_short_text_is_its_own_summary_lists_and_quotes_too():
    text = "## Part\n\nOne *line*,\ntwo lines.\n\n- `a`\n- b\n\n> c\n"
    assert summary_of(text, "part") == ("text", "One line, two lines. a b c")


@pytest.mark.parametrize(
    ("markdown", "shown"),
    [
        ("*a* **b** ~~c~~ `d`", "a b c d"),
        ("[text](x.md) ![picture](y.png)", "text"),
        ("[text][r]\n\n[r]: x.md", "text"),
        ("a\\*b &amp; &lt;c&gt;", "a*b & <c>"),
        ("a<br>b <b>c</b> <!-- d --> e", "ab c e"),
        ("note[^1] here\n\n[^1]: below", "note here"),
        ("a  \nb\\\nc", "a b c"),
        ("<https://host.example>", "https://host.example"),
        ("a\u200b\u202eb\x07c\u00a0d", "abc d"),
    ],
)
def test_marks_of_markdown_are_dropped_and_white_space_is_one_space(markdown, shown):
    assert summary_of(f"{markdown}\n") == ("text", shown)


def test_a_long_text_is_known_by_its_first_paragraph():
    assert summary_of(f"# T\n\nThe first.{FILLER}") == ("paragraph", "The first.")


def test_a_paragraph_among_the_first_four_blocks_wins_over_what_stands_before_it():
    before = "- a list\n\n```\ncode\n```\n\n> a quote\n\n"
    assert summary_of(f"{before}The paragraph.{FILLER}") == ("paragraph", "The paragraph.")
    assert summary_of(f"{before}| t |\n|---|\n\nThe paragraph.{FILLER}")[0] == "list"


def test_html_rules_and_badges_are_no_blocks_to_count():
    before = "<div>\n</div>\n\n---\n\n<!-- note -->\n\n[![badge](x.png)](y)\n\n- a list\n\n"
    assert summary_of(f"{before}The paragraph.{FILLER}") == ("paragraph", "The paragraph.")


def test_code_keeps_a_short_text_from_being_told_whole():
    assert summary_of("Run this:\n\n```sh\nmake\n```\n") == ("paragraph", "Run this:")


ROWS = """\
Each check has a code.

| Code | Meaning |
|------|---------|
| C-01 | Gate is shut |
| C-02 | Lamp is out |
| a longer key | is enough alone |
| EUR | Euro |
| plain | word |
|  | nothing |
"""


def test_the_keys_of_a_table_right_after_the_paragraph_are_added():
    assert summary_of(ROWS) == (
        "paragraph",
        "Each check has a code. (Rows: C-01 Gate is shut; C-02 Lamp is out; a longer key; EUR Euro; plain)",
    )


def test_a_table_further_down_adds_nothing():
    assert summary_of(ROWS.replace("\n\n|", "\n\n- between\n\n|")) == ("paragraph", "Each check has a code.")


def test_as_many_keys_as_fit_are_added():
    rows = "".join(f"| K-{number:02} | Some meaning of it |\n" for number in range(20))
    _, summary = summary_of(f"Codes.\n\n| Code | Meaning |\n|---|---|\n{rows}")
    assert summary.startswith("Codes. (Rows: K-00 Some meaning of it; K-01 Some")
    assert summary.endswith("Some meaning of it; …)")
    assert MAX_SUMMARY - 30 < len(summary) <= MAX_SUMMARY


def test_a_long_paragraph_leaves_no_room_for_keys():
    assert "Rows" not in summary_of(f"{LONG}\n\n| Code | Meaning |\n|---|---|\n| C-01 | x |\n")[1]


NAMES = ["Summary", "Purpose", "Overview", "Description", "Abstract", "Decision"]
NAMES += ["Intent", "Goal", "Objective", "Scope", "Context"]


@pytest.mark.parametrize(("first", "second"), list(pairwise(NAMES)))
def test_a_document_that_opens_on_its_sections_is_told_by_the_best_named_one(first, second):
    text = f"# T\n\n## Notes\n\nNo.\n\n## {second}\n\nSecond.\n\n## {first}\n\nFirst.\n"
    assert summary_of(text) == ("section", "First.")
    assert summary_of(text.replace(f"## {first}\n", "## Other\n")) == ("section", "Second.")


@pytest.mark.parametrize("title", ["SUMMARY", "1. Summary", "2.1 Summary:", "*Summary*"])
def test_a_named_section_may_be_numbered_and_in_any_case(title):
    assert summary_of(f"## Notes\n\nNo.\n\n### {title}\n\nYes.\n") == ("section", "Yes.")


def test_a_named_section_without_prose_at_its_start_is_passed_over():
    assert summary_of("## Summary\n\n- a\n\nText.\n\n## Purpose\n\nYes.\n") == ("section", "Yes.")
    assert summary_of("## Summary\n\n### Purpose\n\nYes.\n") == ("section", "Yes.")


def test_a_document_with_text_of_its_own_is_told_by_that():
    assert summary_of("Own.\n\n## Summary\n\nNo.\n") == ("text", "Own.")


def test_a_leading_list_of_short_facts_says_no_more_than_front_matter_would():
    facts = "- Start date: today\n- **Feature:** `x`\n- Issue:\n"
    assert summary_of(f"# T\n\n{facts}\n## Summary\n\nYes.\n") == ("section", "Yes.")
    assert summary_of(f"# T\n\n{facts}\n## Notes\n\nNo.\n")[0] == "list"
    assert summary_of(f"# T\n\n{facts}- no fact\n\n## Summary\n\nNo.\n")[0] == "list"
    assert summary_of(f"# T\n\n{facts}\nProse.\n\n## Summary\n\nNo.\n")[0] == "text"


def test_a_card_is_told_by_its_fields():
    text = "## R-01 Prices\n\n- **When:** an invoice comes\n- **Then**: it is *checked*\n- __By:__ a person\n"
    assert summary_of(text, "R-01") == (
        "fields",
        "When: an invoice comes · Then: it is checked · By: a person",
    )


def test_fields_are_a_cards_and_all_items_are_fields():
    fields = "- **When:** an invoice comes\n- **Then:** it is checked\n"
    assert summary_of(f"## Prices\n\n{fields}", "prices")[0] == "list"
    assert summary_of(f"## R-01\n\n{fields}- no field\n", "R-01")[0] == "list"


def test_a_list_is_told_by_its_items_the_nested_ones_left_out():
    assert summary_of("1. One\n   - nested\n2. Two\n\n   more\n3. [Three](x.md)\n") == (
        "list",
        "One · Two · Three",
    )


def test_the_boxes_of_tasks_and_the_marks_of_alerts_are_dropped():
    assert summary_of("- [ ] One\n- [x] Two\n- [X] Three\n") == ("list", "One · Two · Three")
    assert summary_of("> [!NOTE]\n> Mind this.\n\nText.\n") == ("text", "Mind this. Text.")


@pytest.mark.parametrize(
    ("rows", "summary"),
    [
        (["| R-01 | Prices |"], "Columns: Code, Meaning · 1 row: R-01 Prices"),
        (["| R-01 | Prices |", "| *b* | x |"], "Columns: Code, Meaning · 2 rows: R-01 Prices; b"),
        ([], "Columns: Code, Meaning · 0 rows"),
    ],
)
def test_a_table_is_told_by_its_columns_and_rows(rows, summary):
    table = "\n".join(["| Code | Meaning |", "|---|---|", *rows])
    assert summary_of(f"{table}\n") == ("table", summary)


@pytest.mark.parametrize(
    ("code", "summary"),
    [
        ("sequenceDiagram\n  A->>B: hi", "Mermaid sequence diagram"),
        ("graph TD", "Mermaid flowchart"),
        ("flowchart LR\nA-->B", "Mermaid flowchart"),
        ("erDiagram", "Mermaid entity relationship diagram"),
        ("stateDiagram-v2", "Mermaid state diagram"),
        ("%% a comment\n\npie title Pets", "Mermaid pie diagram"),
        ("", "Mermaid diagram"),
    ],
)
def test_a_mermaid_diagram_is_told_by_its_kind(code, summary):
    assert summary_of(f"```mermaid\n{code}\n```\n") == ("diagram", summary)


@pytest.mark.parametrize(
    ("block", "summary"),
    [
        ("```python\na\nb\n```", "Code: python, 2 lines"),
        ("``` js title=x\na\n```", "Code: js, 1 line"),
        ("```\na\n\nb\n```", "Code: 3 lines"),
        ("```\n```", "Code: 0 lines"),
        ("```sh\na", "Code: sh, 1 line"),
        ("x\n\n---\n\n    a\n    b".removeprefix("x\n\n"), "Code: 2 lines"),
    ],
)
def test_code_is_told_by_its_language_and_length(block, summary):
    assert summary_of(block) == ("code", summary)


def test_a_document_without_text_of_its_own_is_told_by_its_first_section_in_prose():
    text = "# T\n\n## A\n\n- list\n\n## B\n\nProse here.\n\n## C\n\nMore.\n"
    assert summary_of(text) == ("section", "Prose here.")


def test_only_when_no_section_is_in_prose_front_matter_facts_are_told():
    front = "---\ntitle: T\nstatus: open\npages: 9\nowner: ''\nlabels: [x]\nid: A-1\norder: 3\n---\n"
    assert summary_of(f"{front}\n## A\n\n- list\n") == ("facts", "status: open · pages: 9")
    assert summary_of(f"{front}\n## A\n\nProse.\n") == ("section", "Prose.")
    assert summary_of(f"{front}\n- own list\n") == ("list", "own list")


def test_a_node_that_says_nothing_is_told_by_what_it_holds():
    text = "# T\n\n## A\n\n### A1\n\n### A2\n\n## B\n"
    assert summary_of(text) == ("children", "A · B")
    assert summary_of(text, "a") == ("children", "A1 · A2")
    assert summary_of(text, "b") == ("", "")


@pytest.mark.parametrize(
    ("front", "start"),
    [
        ("status: superseded\nsupersededBy: ADR-9", "Superseded by ADR-9. "),
        ("status: ' Superseded '\nsuperseded_by: ADR-9", "Superseded by ADR-9. "),
        ("status: superseded", "Superseded. "),
        ("status: Deprecated\nsuperseded-by: ADR-9", "Deprecated, superseded by ADR-9. "),
        ("status: DEPRECATED", "Deprecated. "),
        ("status: rejected", "Rejected. "),
        ("status: retired", "Retired. "),
        ("status: withdrawn", "Withdrawn. "),
        ("status: obsolete", "Obsolete. "),
        ("status: replaced\nsupersededBy: [ADR-9, ADR-10]", "Replaced, superseded by ADR-9, ADR-10. "),
        ("status: accepted\nsupersededBy: ADR-9", ""),
        ("status: [superseded]", ""),
        ("supersededBy: ADR-9", ""),
    ],
)
def test_a_document_that_no_longer_holds_says_so_first(front, start):
    assert summary_of(f"---\n{front}\n---\nText.\n") == ("text", f"{start}Text.")


def test_its_sections_do_not_say_so():
    assert summary_of("---\nstatus: retired\n---\n## A\n\nText.\n", "a") == ("text", "Text.")


def test_the_status_counts_to_the_limit_and_stands_alone_where_nothing_else_is_said():
    source, summary = summary_of(f"---\nstatus: retired\nsummary: {LONG}\n---\n")
    assert (source, len(summary) <= MAX_SUMMARY) == ("front-matter", True)
    assert (summary.startswith("Retired. word0 "), summary.endswith("…")) == (True, True)
    assert summary_of("---\nstatus: retired\n---\n")[1].startswith("Retired.")


def test_a_long_list_of_what_replaced_it_is_cut_too():
    names = ", ".join(f"ADR-{number}" for number in range(100))
    assert len(summary_of(f"---\nstatus: replaced\nsupersededBy: {names}\n---\nText.\n")[1]) <= MAX_SUMMARY


@pytest.mark.parametrize(
    ("text", "limit", "shown"),
    [
        ("one two three", 13, "one two three"),
        ("one two three", 12, "one two…"),
        ("one two three", 8, "one two…"),
        ("one two, three", 10, "one two…"),
        ("eins · zwei · drei", 14, "eins · zwei…"),
        ("abcdefghijkl", 6, "abcde…"),
        ("ab cdefghijkl", 8, "ab cdef…"),
        ("日本語の文章です", 5, "日本語の…"),
    ],
)
def test_a_cut_falls_between_words_and_leaves_room_for_the_ellipsis(text, limit, shown):
    assert cut(text, limit) == shown


def test_a_text_as_long_as_the_limit_is_whole_and_one_longer_is_not():
    assert summary_of("x" * MAX_SUMMARY) == ("text", "x" * MAX_SUMMARY)
    assert summary_of("x" * (MAX_SUMMARY + 1)) == ("paragraph", "x" * (MAX_SUMMARY - 1) + "…")
    assert summary_of("文" * (MAX_SUMMARY + 1))[1] == "文" * (MAX_SUMMARY - 1) + "…"


def test_characters_are_code_points_not_bytes():
    assert len(a_blob(summary_of("🚀" * 300)[1])) == 4 * (MAX_SUMMARY - 1) + 3
