"""Reference ids, and the cards that headings with one make."""

from __future__ import annotations

import pytest

from brain.markdown.anchors import leading_id, mentioned_ids
from tests.given import NOT_PREFIXES, a_document


def cards_of(text):
    return [(part.anchor, part.alias, part.title) for part in a_document(text).parts if part.is_card]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("RULE-PAY-0001", "RULE-PAY-0001"),
        ("RULE-PAY-0001 Amounts", "RULE-PAY-0001"),
        ("ADR-7: Backups", "ADR-7"),
        ("R-01, more", "R-01"),
        ("A1-B2-3_x", "A1-B2-3"),
        ("R-12345678", "R-12345678"),
        ("R-1-2", "R-1-2"),
        ("R-1.2", "R-1"),
    ],
)
def test_a_reference_id_is_capitals_and_digits_with_a_number_at_the_end(text, name):
    assert leading_id(text, NOT_PREFIXES) == name


@pytest.mark.parametrize(
    "text",
    [
        "R-123456789",
        "rule-1",
        "Rule-1",
        "1R-1",
        "RULE-",
        "RULE-A",
        "R-1a",
        "R-1é",
        "R-1-",
        "R-1-b",
        "-R-1",
        " R-1",
    ],
)
def test_what_runs_on_is_no_reference_id(text):
    assert leading_id(text, NOT_PREFIXES) is None


@pytest.mark.parametrize("text", ["UTF-8", "SHA-256", "ISO-8601", "TLS-1", "CP-1252", "X-1", "SHA-2-256"])
def test_a_technical_words_number_is_no_reference_id(text):
    assert leading_id(text, NOT_PREFIXES) is None


def test_a_heading_that_starts_with_an_id_is_a_card_under_the_id_with_its_slug_as_alias():
    assert cards_of("## RULE-PAY-0001: Amounts match\n") == [
        ("RULE-PAY-0001", "rule-pay-0001-amounts-match", "Amounts match")
    ]


@pytest.mark.parametrize(
    ("heading", "title"),
    [
        ("R-01", "R-01"),
        ("R-01:", "R-01"),
        ("R-01 – Amounts", "Amounts"),
        ("R-01 — Amounts", "Amounts"),
        ("R-01 - Amounts", "Amounts"),
        ("R-01. Amounts", "Amounts"),
        ("R-01 | Amounts", "Amounts"),
        ("**R-01** Amounts", "Amounts"),
        ("`R-01` Amounts", "Amounts"),
        ("[R-01](x.md) Amounts", "Amounts"),
        ("R-01 (old) amounts", "(old) amounts"),
    ],
)
def test_a_cards_title_is_the_heading_without_the_id_and_what_separates_them(heading, title):
    assert cards_of(f"## {heading}\n")[0][2] == title


@pytest.mark.parametrize(
    "text", ["## On R-01\n", "```\n## R-01 Code\n```\n", "> ## R-01 Quoted\n", "- ## R-01\n"]
)
def test_an_id_elsewhere_makes_no_card(text):
    assert cards_of(text) == []


def test_a_second_card_of_an_id_is_a_plain_section_that_still_defines_it():
    document = a_document("## R-01 First\n\n## R-01 Second\n")
    second = document.parts[2]
    assert (second.anchor, second.title, second.is_card, second.alias) == (
        "r-01-second",
        "R-01 Second",
        False,
        None,
    )
    assert [part.reference_id for part in document.parts] == [None, "R-01", "R-01"]


def test_a_title_heading_with_an_id_makes_the_document_define_it_and_keeps_its_text():
    document = a_document("# ADR-8: Nightly backups\n\n## Context\n")
    whole = document.parts[0]
    assert (whole.reference_id, whole.title, whole.is_card) == ("ADR-8", "ADR-8: Nightly backups", False)
    assert document.anchors == (("adr-8-nightly-backups", 1), ("ADR-8", 1))


def test_a_card_of_the_title_headings_id_is_a_second_one():
    assert cards_of("# R-01 All\n\n## R-01 Again\n") == []


def test_front_matters_id_wins_over_the_title_headings():
    document = a_document("---\nid: backups\n---\n# ADR-8: Nightly backups\n")
    assert document.parts[0].reference_id == "backups"
    assert [name for name, _ in document.anchors] == ["adr-8-nightly-backups"]


def test_a_bad_id_of_front_matter_leaves_the_title_headings():
    assert a_document("---\nid: two words\n---\n# ADR-8 Backups\n").parts[0].reference_id == "ADR-8"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("See R-01 and ADR-12.", ["R-01", "ADR-12"]),
        ("(R-01), R-02; “R-03”", ["R-01", "R-02", "R-03"]),
        ("R-01/R-02", ["R-01", "R-02"]),
        ("R-01_x", ["R-01"]),
        ("XR-01 R-01x xR-01 R-01-x -R-01 éR-01 R-01é", ["XR-01"]),
        ("UTF-8 and HTTP-404", []),
        ("https://host.example/R-01?R-02#R-03 www.host.example/R-04 R-05", ["R-05"]),
        ("R-01 R-01", ["R-01", "R-01"]),
    ],
)
def test_an_id_is_mentioned_where_no_letter_digit_or_hyphen_touches_it(text, names):
    assert list(mentioned_ids(text, NOT_PREFIXES)) == names
