"""Highlights: the line that shows the words of a question best, with the words marked."""

from __future__ import annotations

import pytest

from brain.reads.highlights import LONGEST, Marker

LATE_FEES = Marker(
    {"late": "late", "fee": "fee", "fees": "fee", "取消": "取消", "预订": "预订", "cafe": "cafe"}
)


@pytest.mark.parametrize(
    ("lines", "best"),
    [
        (["nothing", "late", "a late fee", "the fee is late"], 2),
        (["fee fee fees", "late fees"], 1),
        (["LATE", "late fee"], 1),
        (["a/late-fee.md", "late fee"], 0),
        (["latest feed"], None),
        (["Cafés", "Café"], 1),
        (["预定", "请取消预订"], 1),
        ([], None),
    ],
)
def test_the_best_line_has_the_most_words_and_is_the_first_of_such(lines, best):
    assert LATE_FEES.best_line(lines) == best


def test_a_long_line_is_cut_around_its_first_word():
    line = "x " * 400 + "late " + "y " * 400 + "fees"
    shown = LATE_FEES.marked(line)
    assert len(shown) <= LONGEST
    assert "**late**" in shown
    assert LATE_FEES.marked("late " * 200).count("**late**") == 10
    assert len(LATE_FEES.marked("z" * 5_000)) <= LONGEST


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("A late fee.", "A **late** **fee**."),
        ("A *late* fee, **late too**, late.", "A *late* **fee**, **late too**, **late**."),
        ("LATE-fees", "**LATE-fees**"),
        ("late\r", "**late**\r"),
        ("nothing", "nothing"),
        ("可以取消预订。", "可以**取消****预订**。"),
    ],
)
def test_marks_leave_markdown_as_it_is(line, shown):
    assert LATE_FEES.marked(line) == shown
