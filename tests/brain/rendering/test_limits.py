"""Hostile sizes: every page is cut within caps, and what is cut is told."""

from __future__ import annotations

import time

import pytest

from brain.rendering import limits
from brain.rendering.documents import render
from tests.brain.rendering.given import html_of, page

SIZE = 400_000


def table(columns: int, rows: int) -> str:
    line = "|" + "a|" * columns + "\n"
    return line + "|" + "-|" * columns + "\n" + line * rows


BOMBS = {
    "brackets": "[" * SIZE,
    "lines of brackets": ("[" * 40 + "\n") * (SIZE // 40),
    "emphasis": "*a **b " * (SIZE // 7),
    "headings": "# a\n" * (SIZE // 4),
    "lists in a line": "- - - - - - - - a\n" * (SIZE // 18),
    "lists in lists": "".join("  " * depth + "- a\n" for depth in range(500)),
    "quotes": ">" * SIZE,
    "colons": "http:" * (SIZE // 5),
    "mails": "a@b.c " * (SIZE // 6),
    "autolinks": "<http://a.b>" * (SIZE // 12),
    "nested links": "[" * 20_000 + "a" + "](u)" * 20_000,
    "footnotes": "".join(f"[^{n}] " for n in range(5_000))
    + "\n\n"
    + "".join(f"[^{n}]: x\n" for n in range(5_000)),
    "carriage returns": "a\r" * (SIZE // 2),
    "open comments": "<!-- a " * (SIZE // 7),
    "wide table": table(2_000, 50),
    "short rows": table(2_000, 1) + "|a|\n" * 3_000,
    "code": "```python\n" + "def f(x): return 'a' # c\n" * 3_900 + "```\n",
}


@pytest.mark.parametrize("name", BOMBS)
def test_no_page_costs_more_than_a_few_seconds(name):
    started = time.process_time()
    render(BOMBS[name], headings={}, resolve=lambda _address: None)
    assert time.process_time() - started < 10  # 0.01 to 1.7 s on two cores


def test_a_page_is_cut_after_a_whole_line_and_says_where():
    line = "x" * 999 + "\n"
    assert page(line * 500).cut_line == limits.MAX_CHARACTERS // len(line) + 1


def test_a_page_within_the_caps_is_whole():
    assert page("x\n" * 100).cut_line is None


def test_a_table_over_the_cap_is_shown_as_text():
    html = html_of(table(100, 300))
    assert "<table>" not in html
    assert "<figcaption>Table, too large to draw</figcaption>" in html


def test_many_small_tables_share_one_cap():
    html = html_of((table(10, 97) + "\n") * 40)
    assert html.count("<table>") == limits.MAX_TABLE_CELLS // 990


def test_long_code_is_not_coloured():
    assert '<span class="k">' not in html_of("```python\n" + "def f(): pass\n" * 8_000 + "```\n")


def test_a_long_line_of_code_is_not_coloured():
    assert '<span class="k">' not in html_of("```python\ndef " + "x" * 1_001 + "\n```\n")
