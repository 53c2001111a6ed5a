"""Lines: only a line feed ends one, and a document's parts share its lines without a gap."""

from __future__ import annotations

import pytest

from brain.markdown.lines import decode, line_numbers
from tests.given import a_document


def ranges(text):
    """Of each part: its anchor, its own first and last line, and the last line of all under it."""
    return [(part.anchor, part.start, part.own_end, part.end) for part in a_document(text).parts]


def test_a_section_ends_before_the_next_heading_of_its_level_or_higher():
    text = """\
        Words before.

        ## Rules
        ### First
        One.
        ### Second
        ## Limits
        Few.
        """
    assert ranges(text) == [
        ("", 1, 2, 8),
        ("rules", 3, 3, 6),
        ("first", 4, 5, 5),
        ("second", 6, 6, 6),
        ("limits", 7, 8, 8),
    ]


@pytest.mark.parametrize("end", ["\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029"])
def test_what_python_takes_for_a_line_end_is_none(end):
    assert ranges(f"a{end}b{end}c\n## Here\nx\n")[1] == ("here", 2, 3, 3)


def test_a_lone_carriage_return_ends_a_line_for_markdown_but_counts_no_line():
    assert ranges(b"one\rtwo\r\n## Here\r\nthree\r") == [("", 1, 1, 3), ("here", 2, 3, 3)]


def test_headings_on_one_line_of_git_leave_the_first_without_lines_of_its_own():
    assert ranges(b"## A\r## B\r\nx") == [("", 1, 0, 2), ("a", 1, 0, 0), ("b", 1, 2, 2)]


def test_windows_line_ends_count_once():
    assert ranges(b"## A\r\nx\r\n\r\n## B\r\ny\r\n") == [("", 1, 0, 5), ("a", 1, 3, 3), ("b", 4, 5, 5)]


def test_front_matter_and_a_byte_order_mark_leave_lines_as_they_are():
    assert ranges("\ufeff---\ntitle: T\n---\n\n## A\n")[1] == ("a", 5, 5, 5)


def test_a_setext_heading_starts_on_the_first_line_of_its_text():
    assert ranges("words\n\nA title\nof two lines\n---\ntext\n")[1] == ("a-titleof-two-lines", 3, 6, 6)


@pytest.mark.parametrize(("text", "last"), [("", 0), ("a", 1), ("a\n", 1), ("a\n\n", 2), ("a\nb", 2)])
def test_a_final_line_feed_starts_no_line(text, last):
    assert ranges(text) == [("", 1, last, last)]


def test_sizes_are_a_quarter_of_the_bytes_rounded_up():
    document = a_document("# Ä\n\n## B\n日本\n### C\nx\n## D\n")
    assert [(part.anchor, part.size) for part in document.parts] == [("", 8), ("b", 5), ("c", 2), ("d", 2)]


def test_bytes_that_are_no_utf8_are_replaced_and_told():
    document = a_document(b"# Caf\xe9\n\n## Next\n")
    assert document.parts[0].title == "Caf\ufffd"
    assert [(problem.code, problem.line) for problem in document.problems] == [("encoding", None)]


def test_only_one_byte_order_mark_is_none_of_the_text():
    assert decode("\ufeff\ufeff# A".encode()) == ("\ufeff# A", False)


def test_numbers_cover_every_line_that_markdown_sees_and_the_end():
    assert list(line_numbers("a\nb\n", 5)) == [5, 6, 7, 8]
    assert line_numbers("a\rb\r\nc", 1) == [1, 1, 2, 3]
