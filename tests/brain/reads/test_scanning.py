"""Scanning: the lines of many texts that hold every needle, found in as few steps as the needles allow."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import count

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from brain.errors import InvalidArgument
from brain.reads.needles import Needles
from brain.reads.scanning import Found, Stretch, first_spots
from brain.snapshots import Texts, in_memory


def texts_of(files: Mapping[str, str]) -> Texts:
    return in_memory((path, text.encode()) for path, text in sorted(files.items()))


def lines_with(
    files: Mapping[str, str], text: str, limit: int = 50, late: Callable[[], bool] = bool
) -> Found:
    texts, needles = texts_of(files), Needles.parse(text, ignore_case=True).encoded()
    whole = [Stretch(0, len(texts.paths))]
    return first_spots(texts.folded, whole, needles, limit=limit, is_late=late)


def steps_of(files: Mapping[str, str], text: str, limit: int = 50) -> int:
    """How many steps the search took."""
    steps = count()
    lines_with(files, text, limit, late=lambda: next(steps) < 0)
    return next(steps)


@pytest.mark.parametrize(
    ("text", "needles"),
    [
        ("red  car\tblue", ("red", "car", "blue")),
        ('"red car" blue', ("red car", "blue")),
        ('blue "red  car"', ("blue", "red  car")),
        ('"red"car', ("red", "car")),
        ('"a" "b"', ("a", "b")),
        ('"red car', ('"red', "car")),
        ('red" car"', ('red"', 'car"')),
        ('say="hi there"', ('say="hi', 'there"')),
        ('"', ('"',)),
        ('"" x', ("x",)),
        ('x " "', ("x", " ")),
        ("a\u00a0b\u2028c\x1fd\u3000e", ("a", "b", "c", "d", "e")),
        ("x\x00y", ("x\x00y",)),
        ("%_.*[a]\\", ("%_.*[a]\\",)),
        ("x" * 256, ("x" * 256,)),
    ],
)
def test_a_text_is_words_at_white_space_and_phrases_in_quotes(text, needles):
    assert Needles.parse(text, ignore_case=False).texts == needles


@pytest.mark.parametrize("text", ["", " ", "\n\t\u3000", '""', '"" ""', '" "', "x" * 257, "a " * 33])
def test_a_text_without_a_word_or_with_too_many_is_refused(text):
    with pytest.raises(InvalidArgument) as refused:
        Needles.parse(text, ignore_case=True)
    assert refused.value.field == "text"


def test_a_needle_within_another_is_not_looked_for():
    assert Needles.parse("a AB bab ab c", ignore_case=True).encoded() == [b"bab", b"c"]
    assert Needles.parse("a AB", ignore_case=False).encoded() == [b"AB", b"a"]


def test_no_hit_spans_two_documents():
    assert lines_with({"a.md": "red", "b.md": "car"}, "redcar").spots == []
    assert lines_with({"a.md": "red", "b.md": "car"}, "red car").spots == []
    assert lines_with({"a.md": "", "b.md": "", "c.md": "car"}, "car").spots == [(2, 1)]


def test_it_stops_behind_the_limit_and_says_so():
    files = {f"{n}.md": "x\n" for n in range(9)}
    assert lines_with(files, "x", limit=8) == Found([(n, 1) for n in range(8)], complete=False)
    assert lines_with(files, "x", limit=9) == Found([(n, 1) for n in range(9)], complete=True)


def test_when_time_is_up_it_tells_what_it_found_until_then():
    steps = count()
    found = lines_with({"a.md": "x\n" * 40}, "x", late=lambda: next(steps) == 7)
    assert found == Found([(0, line) for line in range(1, 8)], complete=False)
    assert lines_with({"a.md": "x\n"}, "y", late=lambda: True) == Found([], complete=False)


MANY = {f"{n:03}.md": "every line holds the words\n" * 1_000 for n in range(30)}


def test_a_word_that_never_occurs_is_decided_in_a_step_for_each_window():
    assert steps_of(MANY, "zzz") < 10
    assert steps_of(MANY, "zzz every line holds the words") < 10
    assert steps_of(MANY, "line z") < 10


def test_a_rare_word_decides_how_far_each_step_goes():
    files = MANY | {"900.md": "the words a rare line holds: qq\n"}
    assert lines_with(files, "qq rare every").spots == []
    assert lines_with(files, "words line qq").spots == [(30, 1)]
    assert steps_of(files, "words line qq") < 12


def test_a_word_that_is_rare_from_some_place_on_leads_from_there():
    files = {"a.md": "long-word\n" * 999 + "k\n", "b.md": "k\n" * 999 + "long-word k\n"}
    assert lines_with(files, "long-word k").spots == [(1, 1_000)]
    assert steps_of(files, "long-word k") < 12


def test_one_line_of_two_mebibytes_is_looked_at_once():
    files = {"a.md": "ab " * 700_000 + "end", "b.md": "ab end\n"}
    assert lines_with(files, "end ab").spots == [(0, 1), (1, 1)]
    assert steps_of(files, "ab zz") < 5


LETTERS = st.sampled_from(list('aAbBsSkKiI \n\n\r\t\0"') + list("ßẞſİıKΣσςﬁ\u0307\u2028\u0085\U0001f600"))
TEXT = st.text(LETTERS, max_size=30)


def naive(
    files: Mapping[str, str], words: tuple[str, ...], fold: Callable[[str], str]
) -> list[tuple[int, int]]:
    """The lines by the rule itself."""
    return [
        (document, number)
        for document, (_, text) in enumerate(sorted(files.items()))
        for number, line in enumerate(text.split("\n"), 1)
        if all(fold(word) in fold(line) for word in words)
    ]


@given(
    texts=st.lists(TEXT, max_size=6), words=st.lists(TEXT, min_size=1, max_size=3), ignore_case=st.booleans()
)
@example(texts=["aSS\n", "ß"], words=["ss"], ignore_case=True)
@example(texts=["\n\n", "", "a"], words=["a"], ignore_case=False)
def test_lines_are_those_of_a_filter_that_looks_at_each_line(texts, words, ignore_case):
    files = {f"{n}.md": text for n, text in enumerate(texts)}
    text = " ".join(f'"{word}"' if " " in word and '"' not in word else word for word in words)
    try:
        needles = Needles.parse(text, ignore_case=ignore_case)
    except InvalidArgument:
        return
    held = texts_of(files)
    run = held.folded if ignore_case else held.written
    found = first_spots(run, [Stretch(0, len(files))], needles.encoded(), limit=9_999, is_late=bool)
    assert found.spots == naive(files, needles.texts, str.casefold if ignore_case else str)


@given(texts=st.lists(TEXT, min_size=1, max_size=6), word=TEXT.filter(str.strip), data=st.data())
def test_a_stretch_narrows_to_documents_or_lines_before_anything_is_cut(texts, word, data):
    files = {f"{n}.md": text for n, text in enumerate(texts)}
    needles = (word.strip().partition("\n")[0].casefold(),)
    everything = naive(files, needles, str.casefold)
    document = data.draw(st.integers(0, len(texts) - 1))
    first, last = data.draw(st.integers(1, 9)), data.draw(st.integers(0, 9))
    run, looked_for = texts_of(files).folded, [needles[0].encode()]

    def within(stretch: Stretch) -> list[tuple[int, int]]:
        return list(first_spots(run, [stretch], looked_for, limit=9_999, is_late=bool).spots)

    assert within(Stretch(document, len(texts))) == [spot for spot in everything if spot[0] >= document]
    assert within(Stretch(document, document + 1, (first, last))) == [
        spot for spot in everything if spot[0] == document and first <= spot[1] <= last
    ]


@given(
    before=st.text(LETTERS, max_size=900), after=st.text(LETTERS, max_size=900), needle=TEXT.filter(str.strip)
)
def test_of_a_long_line_500_characters_around_the_first_word_are_shown(before, after, needle):
    word = needle.split()[0]
    line = before + word + after
    needles = Needles((word.casefold(),), ignore_case=True)
    shown = needles.shown(line)
    assert len(shown) == min(len(line), 500)
    assert shown in line.replace("\r", "␍")
    assert word.replace("\r", "␍").casefold() in shown.casefold()
