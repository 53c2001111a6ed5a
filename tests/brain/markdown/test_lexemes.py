"""The words of a text that a search needs besides those that PostgreSQL finds."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain.markdown.lexemes import (
    MAX_LEXEME,
    MAX_LEXEMES,
    normal,
    parsable,
    side_lexemes,
    tokens,
    unaccented,
    words,
)


@pytest.mark.parametrize(
    ("text", "lexemes"),
    [
        ("plain words, nothing else", []),
        ("Sentence Case.", []),
        ("LOG-0042", ["0042", "42", "log", "log-0042"]),
        ("(log-0042)", ["0042", "42", "log", "log-0042"]),
        ("RULE-PAY-007", ["007", "7", "pay", "rule", "rule-pay-007"]),
        ("000", ["0"]),
        ("a/b/sendInvoice", ["a", "b", "invoice", "send", "sendinvoice"]),
        ("docs/plan.md", ["docs", "md", "plan"]),
        ("sendInvoice", ["invoice", "send"]),
        ("HTTPServer2", ["2", "http", "server"]),
        ("snake_case", ["case", "snake"]),
        ("MAX_VALUE", ["max", "value"]),
        ("kebab-case", ["case", "kebab"]),
        ("日本語", ["日本", "日本語", "本語"]),
        ("日", ["日"]),
        ("使用API接口", ["api", "使用", "使用api接口", "接口"]),
        ("/etc and ./run", ["etc", "run"]),
        ("3D and 2nd", ["2nd", "3d"]),
        ("한국어", ["국어", "한국", "한국어"]),
        ("café", ["cafe", "café"]),
        ("cafe\u0301", ["cafe", "café"]),
        ("ÅNGSTRÖM", ["angstrom", "ångström"]),
        ("Straße", ["strasse", "straße"]),
        ("Привет", ["привет"]),
        ("", []),
    ],
)
def test_side_lexemes(text, lexemes):
    assert side_lexemes(text) == lexemes


def test_a_lexeme_is_listed_once_and_in_order():
    assert side_lexemes("b_a a_b B_A") == ["a", "b"]


def test_an_endless_word_is_none():
    assert side_lexemes("x" * 100 + "_y") == ["y"]


def test_there_is_an_end_to_the_lexemes_of_one_text():
    assert len(side_lexemes(" ".join(f"a{number}_b" for number in range(MAX_LEXEMES + 10)))) == MAX_LEXEMES


@given(st.text(alphabet="aB1-_/. é日\u0301\n"))
def test_both_sides_of_a_search_find_the_same_words(text):
    found = side_lexemes(text)
    assert found == side_lexemes(unicodedata.normalize("NFD", text))
    assert found == sorted(set(found))
    assert all(0 < len(lexeme) <= MAX_LEXEME and lexeme == normal(lexeme) for lexeme in found)


@pytest.mark.parametrize("unit", ["a1B", "A-", "A1-a-", "Aa", "A", "a.-", "é-1", "日-", "x_", "-1A"])
def test_one_endless_word_costs_no_endless_time(unit):
    assert isinstance(side_lexemes(unit * 200_000), list)


def test_accents_are_taken_off():
    assert unaccented("Crème Brûlée ĳ") == "creme brulee ij"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("How do I pay?", ("how", "do", "i", "pay")),
        ("LOG-0042", ("log-0042", "log", "0042", "42")),
        ("sendInvoice, sendInvoice", ("sendinvoice", "send", "invoice")),
        ("docs/plan.md.", ("docs/plan.md", "docs", "plan", "md")),
        ("snake_case", ("snake_case", "snake", "case")),
        ("Café", ("café", "cafe")),
        ("取消预订", ("取消预订", "取消", "消预", "预订")),
        ("__ ... -- ''", ()),
        ("x" * 100, ()),
    ],
)
def test_words_are_the_whole_tokens_and_their_parts_in_order(text, expected):
    assert words(text) == expected


def test_tokens_are_what_stands_between_blanks_and_marks():
    assert tokens("See (a/b.md#part), `x_y` -- and «ça»…") == ["See", "a/b.md", "part", "x_y", "and", "ça"]


@given(st.text(alphabet="aB1-_/. é日<\u0301\n"))
def test_every_side_lexeme_of_a_text_is_a_word_of_it(text):
    assert set(side_lexemes(text)) <= set(words(text))


@given(st.text())
def test_what_the_parser_sees_has_the_same_tokens_and_blanks_for_other_marks(text):
    seen = parsable(normal(text))
    assert tokens(seen) == tokens(text)
    assert len(seen) == len(normal(text))
    assert all(character.isalnum() or character in "_./- \t\n" for character in seen)
