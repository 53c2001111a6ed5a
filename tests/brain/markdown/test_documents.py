"""From the bytes of a file to a document: what holds for any file, and the words search knows it by."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brain.markdown.documents import MAX_WORDS, bare_document, parse
from brain.markdown.lines import count_lines
from brain.markdown.problems import Problem
from tests.brain.markdown.fragments import LINES, documents
from tests.given import a_document, headings_of, words_in

many = settings(max_examples=250, deadline=None)
texts = st.one_of(documents(), st.text(), documents().map(lambda text: f"---\ntitle: T\n---\n{text}"))


@settings(max_examples=500, deadline=None)
@given(
    st.one_of(
        st.binary(), st.lists(st.one_of(st.sampled_from(LINES).map(str.encode), st.binary())).map(b"\n".join)
    )
)
def test_no_bytes_are_too_odd_to_parse(blob):
    parsed = parse("a.md", blob)
    assert len(parsed.words) == len(parsed.document.parts)


@many
@given(texts)
def test_own_lines_tile_the_document(text):
    parts = a_document(text.encode()).parts
    starts = [part.start for part in parts]
    assert starts == sorted(starts)
    assert starts[0] == 1
    assert [part.own_end + 1 for part in parts] == [*starts[1:], count_lines(text.removeprefix("\ufeff")) + 1]


@many
@given(texts)
def test_a_subtree_ends_where_the_last_of_all_under_it_ends(text):
    parts = a_document(text.encode()).parts
    last = [part.own_end for part in parts]
    for index in range(len(parts) - 1, 0, -1):
        parent = parts[index].parent
        assert parent < index
        assert parts[parent].level < parts[index].level
        last[parent] = max(last[parent], last[index])
    assert [part.end for part in parts] == last


@many
@given(texts)
def test_sections_end_before_the_next_of_their_level_or_higher(text):
    parts = a_document(text.encode()).parts[1:]
    for index, part in enumerate(parts):
        after = [other.start for other in parts[index + 1 :] if other.level <= part.level]
        assert part.end == (after[0] - 1 if after else a_document(text.encode()).parts[0].end)


@many
@given(texts)
def test_no_anchor_is_given_twice(text):
    document = a_document(text.encode())
    slugs = [heading.slug for heading in headings_of(text.encode())]
    assert len(set(slugs)) == len(slugs)
    anchors = [part.anchor for part in document.parts]
    assert len(set(anchors)) == len(anchors)
    assert not {name for name, _ in document.anchors} & set(anchors)


@many
@given(texts)
def test_references_stand_in_order_in_the_part_whose_own_lines_hold_them(text):
    document = a_document(text.encode())
    parts = {part.anchor: part for part in document.parts}
    lines = [reference.line for reference in document.references]
    assert lines == sorted(lines)
    for reference in document.references:
        assert parts[reference.anchor].start <= reference.line <= parts[reference.anchor].own_end


@many
@given(texts)
def test_summaries_and_titles_can_be_shown(text):
    for part in a_document(text.encode()).parts:
        assert len(part.summary) <= 240
        assert not [sign for sign in part.summary + part.title if unicodedata.category(sign) in {"Cc", "Cs"}]
        assert part.title


@many
@given(texts)
def test_a_text_says_the_same_with_windows_line_ends(text):
    lines = text.replace("\r", "")
    parts, windows = (a_document(each.encode()).parts for each in (lines, lines.replace("\n", "\r\n")))
    assert [part._replace(size=0) for part in parts] == [part._replace(size=0) for part in windows]


@many
@given(texts)
def test_a_byte_order_mark_changes_nothing_but_the_size(text):
    text = text.removeprefix("\ufeff")
    plain, marked = a_document(text.encode()), a_document(f"\ufeff{text}".encode())
    assert [part._replace(size=0) for part in plain.parts] == [part._replace(size=0) for part in marked.parts]
    assert plain.references == marked.references


def test_nul_and_lone_surrogates_leave_no_trace_in_what_is_shown():
    document = a_document(
        b'---\nid: "A\\0B"\nlabels: ["x\\0y"]\nstatus: "a\\0b"\n---\n# A\0B &#xD800; \xed\xa0\x80\n'
    )
    shown = repr((document.parts, document.labels, document.status))
    assert "\\x00" not in shown
    assert "\\ud800" not in shown


def test_a_bare_document_keeps_its_front_matter_and_tells_its_problem():
    text = b"---\ntitle: T\nid: A-1\nlabels: x\nsummary: S\nspace: eng\n---\n# Head\n\n## Part\n\n[x](b.md)\n"
    problem = Problem("docs/a.md", None, "too-slow", "It took too long.")
    document, (words,) = bare_document("docs/a.md", text, problem)
    (part,) = document.parts
    assert (part.title, part.summary, part.reference_id, part.own_end, part.end) == ("T", "S", "A-1", 12, 12)
    assert (document.references, document.anchors, document.labels, document.space) == ((), (), ("x",), "ENG")
    assert document.problems == (problem,)
    assert words.text == text.decode().removesuffix("\n")


def test_words_are_the_title_what_stands_below_it_and_the_own_lines():
    whole, part, deep = words_in(
        "---\nlabels: [x, y]\npage_id: 77\n---\n# Title\nOwn.\n## Part\nText.\n### Deep\n```\ncode\n```\n",
        "docs/a.md",
    )
    assert (whole.anchor, whole.title, whole.below) == ("", "Title", "x y 77 Part")
    assert (part.title, part.below, part.text) == ("Part", "Deep", "## Part\nText.")
    assert (deep.below, deep.text) == ("", "### Deep\n```\ncode\n```")
    assert {"docs", "md"} <= set(whole.side)


@pytest.mark.parametrize("key", ["page_id", "pageId"])
def test_a_page_id_is_found_with_its_document(key):
    assert words_in(f"---\n{key}: 4711\n---\nx\n")[0].below == "4711"


def test_a_card_is_found_by_its_id():
    assert {"rule-pay-0001", "0001", "1", "pay"} <= set(words_in("## RULE-PAY-0001: Amounts\n")[1].side)


def test_words_are_composed():
    assert words_in("# Cafe\u0301\n")[0].title == "Caf\u00e9"


def test_words_of_one_part_are_cut():
    assert len(words_in("x" * (MAX_WORDS + 10))[0].text) == MAX_WORDS
