"""Comparing two texts line by line."""

from __future__ import annotations

import random

import pytest

from repositories.reader import hunks_between, unified


def patched(old: bytes, new: bytes) -> bytes:
    """The new text, put together from the old one and what the hunks take of the new one."""
    before, after = old.split(b"\n"), new.split(b"\n")
    lines: list[bytes] = []
    at = 0
    for hunk in hunks_between(old, new):
        assert len(lines) + hunk.old_start - at == hunk.new_start
        lines += before[at : hunk.old_start] + after[hunk.new_start : hunk.new_end]
        at = hunk.old_end
    return b"\n".join(lines + before[at:])


@pytest.mark.parametrize("seed", range(30))
def test_all_lines_outside_of_hunks_are_equal(seed: int) -> None:
    chance = random.Random(seed)
    words = (b"", b"a", b"b\r", b"c\0", b"\xff")
    old, new = (b"".join(chance.choice(words) + b"\n" for _ in range(chance.randint(0, 9))) for _ in range(2))
    assert patched(old, new) == new


@pytest.mark.parametrize(("above", "below"), [("", ""), ("A\n", "B\nC\n")])
def test_texts_of_very_many_lines_differ_between_their_equal_ends(above: str, below: str) -> None:
    many = "".join(f"{number}\n" for number in range(50_001))
    old, new = (f"{above}{text}{below}".encode() for text in (many, many.replace("7", "seven")))
    first, last = above.count("\n") + 7, above.count("\n") + 49_998
    assert hunks_between(old, new) == [(first, last, first, last)]
    assert hunks_between(old, old) == []
    assert patched(old, old + old) == old + old
    assert hunks_between(old, old + b"More.") == [(old.count(b"\n"),) * 3 + (old.count(b"\n") + 1,)]


def test_a_difference_shows_its_lines_by_their_numbers_in_their_files() -> None:
    told = list(unified(b"One.\nTwo.\r\nThree.", b"One.\n2.\nThree.\n", old_first=5, new_first=8))
    assert told == [
        "@@ -5,3 +8,3 @@",
        " One.",
        "-Two.␍",
        "-Three.",
        "\\ No newline at end of text",
        "+2.",
        "+Three.",
    ]


def test_a_difference_of_very_many_lines_is_told_one_text_after_the_other() -> None:
    told = list(unified(b"a\n" * 50_001, b"b\n"))
    assert (told[0], told[50_000], told[-1]) == ("-a", "-a", "+b")
    assert len(told) == 50_002
