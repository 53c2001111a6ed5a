"""The anchors GitHub gives to headings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brain.markdown.anchors import Slugger, slug_of
from tests.given import a_document, headings_of


def slugs(*headings):
    slugger = Slugger()
    return [slugger.give(heading) for heading in headings]


@pytest.mark.parametrize(
    ("heading", "slug"),
    [
        ("Opening hours", "opening-hours"),
        ("What (exactly) happens?", "what-exactly-happens"),
        ("a  b", "a--b"),
        ("Q&A", "qa"),
        ("Q & A", "q--a"),
        ("- dash -", "--dash--"),
        ("under_score", "under_score"),
        ("Ångström", "ångström"),
        ("ПЛАН № 7", "план--7"),
        ("用語集", "用語集"),
        ("İstanbul", "i̇stanbul"),
        ("STRASSE ẞ", "strasse-ß"),
        ("हिन्दी", "हिन्दी"),
        ("tab\tand\u00a0hard\u2003wide", "tabandhardwide"),
        ("en – em — dash", "en--em--dash"),
        ("soft\u00adhyphen", "softhyphen"),
        ("5 €", "5-"),
        ("½ x²", "-x"),
        ("Ⅷ", "ⅷ"),
        ("Ⓐ", "ⓐ"),
        ("a‿b", "a‿b"),
        ("❤\ufe0f x", "\ufe0f-x"),
        ("“quotes”", "quotes"),
        ("...", ""),
    ],
)
def test_a_slug_keeps_letters_marks_numbers_and_hyphens(heading, slug):
    assert slug_of(heading) == slug


def test_a_slug_taken_already_gets_the_next_free_number():
    assert slugs("Rules", "Rules", "Rules") == ["rules", "rules-1", "rules-2"]
    assert slugs("Rules 1", "Rules", "Rules", "Rules") == ["rules-1", "rules", "rules-2", "rules-3"]
    assert slugs("Rules", "Rules", "Rules 1", "Rules") == ["rules", "rules-1", "rules-1-1", "rules-2"]
    assert slugs("Rules", "RULES", "Rules!") == ["rules", "rules-1", "rules-2"]


@pytest.mark.parametrize(
    ("heading", "slug"),
    [
        ("*One* **two** ~~three~~", "one-two-three"),
        ("[Text](x.md 'title')", "text"),
        ("[Text][ref]", "text"),
        ("![alt](x.png) Logo", "-logo"),
        ("`a_b` call", "a_b-call"),
        ("`<b>` tag", "b-tag"),
        ("<b>bold</b> tag", "bold-tag"),
        ("R&amp;D &copy; &eacute;", "rd--é"),
        ("\\*star\\* \\_line\\_", "star-_line_"),
        ("<https://host.example/a>", "httpshostexamplea"),
        ("note[^1]", "note"),
        ("a <!-- hidden --> b", "a--b"),
        ("snake_case_name", "snake_case_name"),
        ("closed ##", "closed"),
    ],
)
def test_an_anchor_is_the_slug_of_the_rendered_text(heading, slug):
    text = f"## {heading}\n\n[ref]: y.md\n[^1]: note\n"
    assert headings_of(text)[0].slug == slug


def test_lines_of_a_setext_heading_are_joined_without_a_hyphen():
    assert headings_of("One\ntwo\n---\n")[0].slug == "onetwo"


def test_numbers_run_over_the_whole_document():
    document = a_document("# A\n## B\n### C\n## D\n### C\n")
    assert [part.anchor for part in document.parts] == ["", "b", "c", "d", "c-1"]


@given(st.lists(st.text(alphabet="aA-1 ?é.", max_size=6), max_size=30))
def test_no_anchor_is_given_twice(headings):
    given = slugs(*headings)
    assert len(set(given)) == len(given)


@given(st.text())
def test_a_slug_is_lower_case_and_has_no_white_space_but_is_never_trimmed(heading):
    slug = slug_of(heading)
    assert slug == slug.lower()
    assert not any(sign.isspace() for sign in slug)
    assert slug.count("-") == heading.count("-") + heading.count(" ")
