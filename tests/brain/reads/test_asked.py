"""What a search asks for: a query taken apart into words, conditions and names."""

from __future__ import annotations

import pytest
from django.db import connection
from hypothesis import given
from hypothesis import strategies as st

from brain.store.asked import MAX_WORDS, any_of, ask, forms


def test_words_are_asked_for_without_function_words():
    asked = ask("How do I renew a loan, please?")
    assert asked.words == ("renew", "loan", "please")
    assert (asked.required, asked.excluded, asked.names) == ((), (), ())


@pytest.mark.parametrize(
    ("query", "required"),
    [
        ('"late fee"', ("('late' <-> 'fee')",)),
        ('"late fee" "book"', ("('late' <-> 'fee')", "('book')")),
        ('"late fee" or "a book"', ("('late' <-> 'fee') | ('a' <-> 'book')",)),
        ('late OR "book"', ("('late') | ('book')",)),
        ("late or book", ()),
        ('"see docs/plan.md now"', ("('see') & ('docs/plan.md' | ('docs' & 'plan' & 'md')) & ('now')",)),
        ('"unclosed', ()),
        ('"" "..."', ()),
    ],
)
def test_phrases_are_conditions(query, required):
    assert ask(query).required == required


@pytest.mark.parametrize(
    ("query", "excluded", "words"),
    [
        ("loan -late", ("('late')",), ("loan",)),
        ('loan -"late fee"', ("('late' <-> 'fee')",), ("loan",)),
        ("loan -LOG-007", ("('log-007' | ('log' & '007' & '7'))",), ("loan",)),
        ("loan --late", (), ("loan", "late")),
        ("pre-loan", (), ("pre-loan", "pre", "loan")),
        ("-late -fee", (), ("late", "fee")),
    ],
)
def test_a_hyphen_before_a_word_is_a_condition_unless_nothing_else_is_asked(query, excluded, words):
    asked = ask(query)
    assert (asked.excluded, asked.words) == (excluded, words)


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("intro", ("intro",)),
        ("what is (RULE-07)?", ("RULE-07",)),
        ("see a/b.md#c and readme.md.", ("a/b.md#c", "readme.md")),
        ("plain words", ()),
    ],
)
def test_what_may_name_a_node_is_kept_as_written(query, names):
    assert ask(query).names == names


@pytest.mark.parametrize(
    ("word", "some"),
    [
        ("cancel", {"cancels", "canceled", "cancelled", "canceling", "cancelling"}),
        ("cancelled", {"cancel", "cancels", "cancelling"}),
        ("running", {"run", "runs"}),
        ("booking", {"book", "books", "booked", "bookings"}),
        ("files", {"file", "filed", "filing"}),
        ("used", {"use", "uses", "using"}),
        ("policies", {"policy"}),
        ("policy", {"policies"}),
        ("box", {"boxes"}),
        ("process", {"processes", "processed"}),
        ("fee", {"fees"}),
        ("calls", {"call", "called", "calling"}),
    ],
)
def test_an_english_word_is_found_in_its_other_forms(word, some):
    assert some <= forms(word)
    assert word not in forms(word)
    assert len(forms(word)) <= 10


@pytest.mark.parametrize("word", ["of", "b2b", "a/b.md", "naïve", "книга", "取消", "x" * 64])
def test_other_words_have_few_or_no_forms(word):
    assert len(forms(word)) <= (10 if word.isalpha() and word.isascii() and len(word) > 2 else 0)


@pytest.mark.django_db
@given(st.text(alphabet="ab1é字 \"'-_./#:&|!()*<>\\\\%\n", max_size=60))
def test_every_condition_is_one_for_the_database(query):
    asked = ask(query)
    conditions = [*asked.required, *asked.excluded, any_of(asked.words)]
    with connection.cursor() as cursor:
        for condition in filter(None, conditions):
            cursor.execute("SELECT %s::tsquery IS NOT NULL, numnode(%s::tsquery)", [condition, condition])
            known, nodes = cursor.fetchone()
            assert known
            assert nodes > 0


def test_a_query_has_an_end():
    asked = ask(" ".join(f'w{n} "p {n}" -x{n}' for n in range(200)))
    assert [len(part) for part in (asked.words, asked.required, asked.excluded)] == [MAX_WORDS] * 3
    assert len(asked.names) <= MAX_WORDS
