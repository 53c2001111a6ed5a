"""Front matter: where it stands, that it is text, its caps, and that a broken one costs only itself."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain.markdown.front_matter import (
    MAX_ALIAS_NODES,
    MAX_BYTES,
    MAX_DEPTH,
    FrontMatter,
    clean_label,
    read_front_matter,
)
from tests.given import a_document


def fields(text):
    return read_front_matter(text).fields


def front(**written):
    return FrontMatter(written)


def problem_of(text):
    (problem,) = a_document(text).problems
    return problem


@pytest.mark.parametrize(
    "text",
    [
        "---\ntitle: T\n---\n",
        "---\ntitle: T\n---",
        "--- \t\ntitle: T\n---  \nbody",
        "---\r\ntitle: T\r\n---\r\nbody",
        "---\ntitle: T\n---\n---\n",
        "---\n\n# a comment\ntitle: T\n\n---\n",
        "---\n  title: T\n---\n",
    ],
)
def test_a_block_between_two_fences_at_the_very_start_is_front_matter(text):
    assert fields(text) == {"title": "T"}


@pytest.mark.parametrize(
    "text",
    [
        "\n---\ntitle: T\n---\n",
        " ---\ntitle: T\n---\n",
        "----\ntitle: T\n----\n",
        "+++\ntitle: T\n+++\n",
        "---\ntitle: T\n...\n",
        "---\ntitle: T\n ---\n",
        "---\ntitle: T\n----\n",
        "---\ntitle: T\n--- #\n",
        "---\ntitle: T\n",
        "--- title: T\n---\n",
        "---\rtitle: T\r---\r",
        "---",
        "",
    ],
)
def test_nothing_else_is_front_matter_nor_a_problem(text):
    assert read_front_matter(text) == FrontMatter()


def test_an_empty_block_is_front_matter_that_says_nothing():
    assert read_front_matter("---\n---\nbody") == FrontMatter(length=8)


def test_a_byte_order_mark_may_stand_before_it():
    assert a_document("\ufeff---\ntitle: T\n---\n").parts[0].title == "T"


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("1815", "1815"),
        ("1999-12-31", "1999-12-31"),
        ("yes", "yes"),
        ("null", "null"),
        ("~", "~"),
        ("0o17", "0o17"),
        ("010", "010"),
        ("1e3", "1e3"),
        ("12:30:45", "12:30:45"),
        ("'quoted'", "quoted"),
        ('"tab\\tbed"', "tab\tbed"),
        ("!!int 7", "7"),
        ("!custom x", "x"),
        ("", ""),
        (">\n  two\n  lines", "two lines\n"),
        ("|\n  # kept\n  ---", "# kept\n---\n"),
    ],
)
def test_a_scalar_is_text_as_written(written, text):
    assert fields(f"---\ntitle: {written}\n---\n") == {"title": text}


def test_no_tag_makes_an_object():
    assert fields("---\na: !!python/object/apply:os.system [x]\nb: !!binary aGk=\n---\n") == {
        "a": ["x"],
        "b": "aGk=",
    }


def test_a_key_written_twice_counts_as_written_last():
    assert fields("---\ntitle: A\ntitle: B\n---\n") == {"title": "B"}


def test_a_merge_key_is_a_key_like_another():
    assert fields("---\na: &a {b: c}\nd:\n  <<: *a\n---\n") == {"a": {"b": "c"}, "d": {"<<": {"b": "c"}}}


BROKEN = {
    "an open list": "tags: [x, y",
    "an open quote": 'title: "a',
    "a colon in a value": "title: Part: one",
    "a tab for indentation": "a:\n\tb: c",
    "a list": "- a\n- b",
    "a plain text": "Dear reader",
    "two documents": "a: b\n--- {}",
    "a key that is a list": "? [a]\n: b",
    "an unknown alias": "a: *nothing",
    "an alias to what holds it": "a: &a [*a]",
    "a directive": "%YAML 9.9\n--- a",
    "a control character": "a: \x07",
    "too deep a nest": f"a: {'[' * MAX_DEPTH}{']' * MAX_DEPTH}",
    "an absurd nest": f"a: {'[' * 30_000}",
    "an absurd nest of mappings": f"a: {'{a: ' * 15_000}",
    "too large a block": f"a: {'x' * MAX_BYTES}",
    "a billion laughs": "a: &a [x, x, x, x, x, x, x, x, x, x]\n"
    + "".join(
        f"{new}: &{new} [{', '.join([f'*{old}'] * 10)}]\n"
        for old, new in zip("abcdefgh", "bcdefghi", strict=True)
    ),
}


@pytest.mark.parametrize("block", BROKEN.values(), ids=BROKEN.keys())
def test_a_block_that_cannot_be_read_stays_text_and_is_a_problem(block):
    text = f"---\n{block}\n---\n\n## Part\n\nText.\n"
    document = a_document(text, "docs/broken.md")
    assert read_front_matter(text).length == 0
    assert [(problem.path, problem.code) for problem in document.problems] == [
        ("docs/broken.md", "front-matter")
    ]
    assert document.parts[0].title == "broken"
    assert document.parts[-1].anchor == "part"
    assert document.parts[-1].start == text[: text.index("## Part")].count("\n") + 1


@pytest.mark.parametrize(
    ("block", "line"), [("title: a\ntags: [b\nc: d", 4), ("- a", 2), ("a:\n  b: c\n d: e", 4), ("a: *b", 2)]
)
def test_the_problem_names_the_line_of_the_file(block, line):
    assert problem_of(f"---\n{block}\n---\n").line == line


def test_the_problem_says_what_is_wrong():
    assert problem_of("---\n- a\n---\n").message == (
        "The front matter was not read. It is no mapping of keys to values."
    )


def test_as_much_as_the_caps_allow_is_read():
    assert fields(f"---\na: {'[' * (MAX_DEPTH - 1)}{']' * (MAX_DEPTH - 1)}\n---\n")
    assert fields(f"---\na: {'x' * (MAX_BYTES - 10)}\n---\n")
    assert fields(f"---\na: &a x\nb: [{', '.join(['*a'] * MAX_ALIAS_NODES)}]\n---\n")


def test_one_alias_more_is_over_the_cap():
    assert read_front_matter(f"---\na: &a x\nb: [{', '.join(['*a'] * (MAX_ALIAS_NODES + 1))}]\n---\n").problem


@pytest.mark.parametrize("value", ["ADR-003", "  ADR-003 ", "intro", "a.b:c", "x" * 128])
def test_a_document_defines_its_id_as_written(value):
    assert front(id=value).reference_id == value.strip()


@pytest.mark.parametrize(
    "value", ["", "  ", "two words", "a/b", "a#b", "x" * 129, "a\u00a0b", "a\x00b", ["A-1"]]
)
def test_an_id_with_white_space_or_signs_of_a_path_is_none(value):
    assert front(id=value).reference_id is None


@pytest.mark.parametrize(
    ("written", "stored"),
    [
        ("Billing", "billing"),
        ("  Two  Words ", "two-words"),
        ("Cafe\u0301", "caf\u00e9"),
        ("C++ / C#", "c--c"),
        ("v1.2_x", "v1.2_x"),
        ("日本語", "日本語"),
        ("🚀", ""),
        ("x" * 64, "x" * 64),
        ("x" * 65, ""),
    ],
)
def test_a_label_is_stored_in_one_form(written, stored):
    assert clean_label(written) == stored


@pytest.mark.parametrize(
    ("fields", "labels"),
    [
        ({"labels": ["B", "A", "b"]}, ("b", "a")),
        ({"labels": "one, Two,,one"}, ("one", "two")),
        ({"tags": ["x"]}, ("x",)),
        ({"labels": ["y"], "tags": ["x"]}, ("y",)),
        ({"labels": [], "tags": ["x"]}, ()),
        ({"labels": [["x"], {"y": "z"}, "w"]}, ("w",)),
        ({"labels": {"x": "y"}}, ()),
    ],
)
def test_labels_are_a_list_or_a_text_with_commas_and_tags_stand_in_for_them(fields, labels):
    assert FrontMatter(fields).labels == labels


@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("eng", "ENG"),
        (" Ops2 ", "OPS2"),
        ("x" * 32, "X" * 32),
        ("x" * 33, ""),
        ("2ops", ""),
        ("a-b", ""),
        ("é", ""),
    ],
)
def test_a_space_is_letters_and_digits_and_stored_upper_case(written, key):
    assert front(space=written).space == key


@pytest.mark.parametrize(
    ("written", "order"),
    [("10", 10), ("-3", -3), (" 7 ", 7), ("1.5", None), ("x", None), ("٣", None), ("", None)],
)
def test_an_order_is_an_integer(written, order):
    assert front(order=written).order == order


@given(st.text())
def test_no_text_is_too_odd_to_look_for_front_matter(text):
    read_front_matter(text)


@given(
    st.lists(st.sampled_from([*"[]{},:&*!|>'\"%@`#?-", " ", "\n", "a", "\t", "<<", "---"]), max_size=40).map(
        "".join
    )
)
def test_no_block_is_too_odd_to_be_read(block):
    text = f"---\n{block}\n---\nbody"
    found = read_front_matter(text)
    assert bool(found.length) != bool(found.problem)
    assert found.problem is None or 1 <= found.problem[0] <= text.count("\n") + 1
