"""Forks: which child meets a question best, by title, name and summary alone."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain.markdown.lexemes import words
from brain.tree.forks import (
    FUNCTION_WORDS,
    Sign,
    best_first,
    fork_scores,
    match,
    question_words,
    rarity,
    sign_of,
)


def a_sign(title: str = "", summary: str = "", name: str = "", size: int = 0) -> Sign:
    return Sign(title, name, summary, size)


def test_question_words_are_those_of_the_question_in_order_each_once():
    assert question_words("How do I return a late book, or a lost book?") == (
        "return",
        "late",
        "book",
        "lost",
    )


def test_a_question_of_function_words_alone_keeps_them():
    assert question_words("How are we?") == ("how", "are", "we")
    assert question_words("?!") == ()


def test_there_are_99_function_words_as_a_question_has_them():
    assert len(FUNCTION_WORDS) == 99
    assert all(words(word) == (word,) for word in FUNCTION_WORDS)


@pytest.mark.parametrize(
    ("word", "other", "expected"),
    [
        ("loan", "loan", 1),
        ("loan", "loans", 0.7),
        ("lending", "lender", 0.7),
        ("book", "bookings", 0),  # goes on for four
        ("bookings", "book", 0),
        ("fee", "fees", 0),  # share three letters only
        ("fine", "find", 0),
        ("2024", "20245", 0),  # numbers have no forms
        ("form2", "form", 0),
        ("книга", "книги", 0.7),
        ("library", "librarian", 0.7),  # share six, go on for one and three
        ("", "", 1),
    ],
)
def test_two_words_match_when_they_are_equal_or_forms_of_one_word(word, other, expected):
    assert match(word, other) == match(other, word) == expected


def test_a_word_is_worth_the_more_the_fewer_siblings_show_it():
    assert rarity(10, 0) == 0
    assert rarity(10, 1) == math.log(1 + 9.5 / 1.5)
    assert rarity(10, 1) > rarity(10, 2) > rarity(10, 10) > 0


def test_the_score_is_the_sum_over_the_words_of_rarity_and_a_saturated_match():
    signs = [a_sign(title="Late fees"), a_sign(summary="Fees, and who owes them late."), a_sign(title="Loan")]
    both, loan = rarity(3, 2), rarity(3, 1)
    title, summary, form = 2 * 2 / 3, 2 * 1 / 2, 2 * 1.4 / 2.4
    late, owed, lent = fork_scores("late fees of loans", signs)
    assert late == pytest.approx(both * title * 2)
    assert owed == pytest.approx(both * summary * 2)
    assert lent == pytest.approx(loan * form)


def test_the_name_of_a_file_counts_like_a_title():
    by_title, by_name = fork_scores("stamps", [a_sign(title="Stamps"), a_sign(name="stamps")])
    assert by_title == by_name > 0


def test_the_best_comes_first_then_the_larger_then_the_one_that_stands_first():
    signs = [a_sign("Other"), a_sign("Other", size=9), a_sign("Fees", size=1), a_sign("Other", size=9)]
    assert best_first("fees", signs) == [2, 1, 3, 0]


@pytest.mark.parametrize("title", ["Café", "cafe\u0301", "CAFÉ", "取消预订", "取消"])
def test_words_are_found_without_accents_and_within_sentences_without_blanks(title):
    asked = "cafe" if title[0] in "cC" else "取消"
    assert fork_scores(asked, [a_sign(title), a_sign("x")])[0] > 0


SOME = st.lists(
    st.sampled_from(
        ["loan", "loans", "lending", "LOAN-007", "7", "café", "cafe", "lendingDesk", "a/loan.md", "日本語"]
    ),
    max_size=4,
).map(" ".join)


@given(SOME, st.lists(st.builds(a_sign, title=SOME, summary=SOME, name=SOME), max_size=5))
def test_scores_are_those_of_the_definition(question, signs):
    def best(word, text):
        return max((match(word, other) for other in words(text)), default=0)

    def found(word, sign):
        return max(2 * best(word, f"{sign.title} {sign.name}"), best(word, sign.summary))

    def score(sign):
        return sum(
            rarity(len(signs), sum(found(word, one) > 0 for one in signs)) * 2 * f / (f + 1)
            for word in question_words(question)
            for f in [found(word, sign)]
        )

    assert fork_scores(question, signs) == pytest.approx([score(sign) for sign in signs])


def test_a_document_shows_the_name_of_its_file_and_a_section_none():
    assert sign_of("document", "a/001-loan.md", "Loan", "", 1).name == "001-loan"
    assert sign_of("folder", "a/lending/", "lending", "", 1).name == "lending"
    assert sign_of("section", "a/001-loan.md", "Loan", "", 1).name == ""
