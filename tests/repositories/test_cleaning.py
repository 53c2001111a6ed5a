"""Foreign text: what is dropped, what stays, and that clean text costs nothing."""

from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from repositories.cleaning import clean_line, clean_text

# Every code point, with those that matter drawn often.
ODD = "\x00\x07\x1b\r\n\t\x85\x9f\ud800\udfff\u200b\u200c\u200d\u202e\u2028\ufe0f\ufeff"
ODD += "\u3164\U000e0041\U000e0101"
characters = st.one_of(
    st.characters(), st.sampled_from(ODD), st.characters(categories=["Cs", "Cc", "Cf", "Zs"])
)
texts = st.text(characters)


@given(texts)
def test_clean_text_can_be_stored_and_sent(text):
    clean = clean_text(text)
    clean.encode()  # no lone surrogate
    assert json.loads(json.dumps(clean)) == clean
    assert not [sign for sign in clean if unicodedata.category(sign) == "Cc" and sign not in "\n\t"]


@given(texts)
def test_cleaning_changes_nothing_else(text):
    assert clean_text(clean_text(text)) == clean_text(text)
    kept = [sign for sign in text if sign in "\n\t" or unicodedata.category(sign) not in {"Cc", "Cs"}]
    assert clean_text(text) == "".join(kept)


@given(st.text(st.characters(exclude_categories=["Cc", "Cs"])))
def test_clean_text_returns_the_same_object_for_clean_text(text):
    assert clean_text(text) is text


@given(texts, st.integers(0, 40))
def test_a_clean_line_is_one_visible_line_within_its_limit(text, limit):
    line = clean_line(text, limit)
    line.encode()
    assert len(line) <= limit
    assert line == " ".join(line.split())
    assert not set(line) & set(ODD) - set("\u200c\u200d\ufe0f\U000e0101")
    assert clean_line(line, limit) == line


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("  A\t title\nof  two lines ", "A title of two lines"),
        ("a\x0bb\x85c\u2028d\xa0e", "a b c d e"),
        ("pass\u200bword", "password"),
        ("ad\u200dmin", "admin"),
        ("user\u202egnp.exe", "usergnp.exe"),
        ("\u2066isolated\u2069", "isolated"),
        ("\x1b[31mred\x1b[0m", "[31mred[0m"),
        ("soft\xadhyphen", "softhyphen"),
        ("tagged\U000e0068\U000e0069", "tagged"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("क्\u200dष", "क्\u200dष"),
        ("👨\u200d👩\u200d👧", "👨\u200d👩\u200d👧"),
        ("❤\ufe0f\u200d🔥", "❤\ufe0f\u200d🔥"),
        ("می\u200c\u200c\u200cخ", "می\u200cخ"),
        ("a\ufe01\ufe02\ufe03\U000e0105b", "a\ufe01b"),
        ("\u200d", ""),
        ("\ufeffTitle", "Title"),
    ],
)
def test_a_line_shows_what_it_says(written, shown):
    assert clean_line(written) == shown


def test_a_line_is_cut_after_it_is_cleaned():
    assert clean_line("\u200b" * 300 + "ab cd", 3) == "ab"


def test_a_clean_line_is_the_same_object():
    line = "A title — with ümlauts"
    assert clean_line(line, 240) is line
