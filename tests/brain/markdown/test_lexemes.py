"""The words of a text that a search needs besides those that PostgreSQL finds."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain.markdown.lexemes import MAX_LEXEME, MAX_LEXEMES, normal, side_lexemes, unaccented


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
