"""What a token looks like: a form that scanners find, with a checksum that shows typing errors."""

from __future__ import annotations

import binascii
import string

import pytest
from hypothesis import given
from hypothesis import strategies as some

from members.tokens.text import ALPHABET, FORM, checksum, draw, is_well_formed


def test_a_token_has_the_form_that_scanners_look_for():
    for raw in (draw() for _ in range(500)):
        assert len(raw) == 43
        assert FORM.fullmatch(raw)
        assert is_well_formed(raw)


def test_no_two_tokens_are_alike():
    assert len({draw() for _ in range(500)}) == 500


def test_the_checksum_is_the_crc_32_in_base_62_of_six_letters():
    letters = string.digits + string.ascii_uppercase + string.ascii_lowercase
    for said in ("ktb_" + "0" * 32, "ktb_" + "z" * 32, draw()[:36]):
        number = sum(letters.index(each) * 62**place for place, each in enumerate(reversed(checksum(said))))
        assert number == binascii.crc32(said.encode())
        assert len(checksum(said)) == 6


@given(place=some.integers(4, 42), letter=some.sampled_from(ALPHABET))
def test_one_wrong_letter_shows(place, letter):
    raw = "ktb_0123456789ABCDEFGHIJKLMNOPQRSTUV_" + checksum("ktb_0123456789ABCDEFGHIJKLMNOPQRSTUV")
    wrong = raw[:place] + letter + raw[place + 1 :]
    assert is_well_formed(wrong) == (wrong == raw)


@given(some.text(max_size=60))
def test_no_other_text_is_one(text):
    assert not is_well_formed(text)


@pytest.mark.parametrize("change", ["{}\n", " {}", "{} ", "{}0", "K{}"])
def test_nothing_stands_around_it(change):
    assert not is_well_formed(change.format(draw()))
