"""The wiki: its spaces in order, what their pages are labelled with, and the pages of a label."""

from __future__ import annotations

import re

import pytest

from members.models import ReadCount
from tests.portal.given_brain import given_brain
from tests.portal.test_rooms import html_of

WIKI = "/projects/guides/wiki"


def rows(html: str) -> list[str]:
    return re.findall(r'class="row-name" href="[^"]*">(.*?)</a>', html)


def test_spaces_stand_in_their_order_and_then_by_key(rolf):
    html = html_of(rolf, WIKI)
    assert rows(html) == ["Lending", "The library", "People"]
    assert '<a class="row-name" href="/projects/guides/brain/read?node=lending/README.md">Lending</a>' in html
    assert "What is lent." in html


def test_a_space_shows_the_labels_of_its_pages_the_most_frequent_first(rolf):
    lending = html_of(rolf, WIKI).split("Labels in Lending")[1].split("</ul>")[0]
    links = re.findall(r'href="([^"]*)">(\S+) ', lending)
    assert links == [
        ("/projects/guides/wiki/pages?space=LEND&amp;label=desk", "desk"),
        ("/projects/guides/wiki/pages?space=LEND&amp;label=fees--fines", "fees--fines"),
        ("/projects/guides/wiki/pages?space=LEND&amp;label=overview", "overview"),
    ]


@pytest.mark.parametrize(
    ("asked", "titles"),
    [
        ("", ["The library", "Lending", "Fees", "Shifts", "People"]),
        ("?space=lend", ["Lending", "Fees"]),
        ("?space=LEND&label=Desk", ["Lending", "Fees"]),
        ("?label=desk", ["Lending", "Fees", "Shifts"]),
        ("?label=desk&offset=2", ["Shifts"]),
        ("?label=desk&offset=9", []),
        ("?space=ALL&label=overview", []),
        ("?space=NOPE", []),
        ("?label=!", []),
    ],
)
def test_pages_are_listed_by_space_and_label(rolf, asked, titles):
    html = html_of(rolf, f"{WIKI}/pages{asked}")
    assert sorted(rows(html)) == sorted(titles)
    assert bool(titles) != ('class="empty"' in html)


def test_a_list_that_is_longer_than_its_window_leads_on(rolf, monkeypatch):
    monkeypatch.setattr("wiki.spaces.WINDOW", 2)
    html = html_of(rolf, f"{WIKI}/pages?label=desk")
    assert 'href="?label=desk&amp;offset=2">Later</a>' in html
    assert "1 to 2 of 3" in html


@pytest.mark.parametrize("asked", ["?space=a%20b", "?space=1", "?offset=x", "?offset=99999"])
def test_a_malformed_question_is_refused(rolf, asked):
    assert rolf.get(f"{WIKI}/pages{asked}").status_code == 400


@pytest.mark.parametrize("asked", ["?label=%3Cimg%20src=x%3E", "?label=%22%3E%3Cb%3E"])
def test_a_label_that_is_asked_for_never_becomes_markup(rolf, asked):
    html = html_of(rolf, f"{WIKI}/pages{asked}")
    assert "<img" not in html
    assert "<b>" not in html


@pytest.mark.parametrize("room", ["", "/pages"])
def test_a_wiki_that_is_off_says_so_and_leads_on(rolf, ines, room):
    given_brain("guides", wiki=False)
    for client, words in (
        (rolf, "A maintainer can turn it on."),
        (ines, "You can turn it on from the page of the Brain"),
    ):
        answer = client.get(f"{WIKI}{room}")
        html = answer.content.decode()
        assert (answer.status_code, "The wiki of this project is off" in html) == (404, True)
        assert words in html
        assert ">Wiki</a>" not in html


def test_the_tab_is_there_while_the_wiki_is_on(rolf):
    assert f'<a href="{WIKI}" aria-current="page">Wiki</a>' in html_of(rolf, WIKI)
    assert f'<a href="{WIKI}">Wiki</a>' in html_of(rolf, "/projects/guides/brain/tree")
    assert ">Wiki</a>" not in html_of(rolf, "/projects/lending/brain/tree")


def test_a_wiki_without_spaces_says_how_one_is_opened(ines):
    given_brain("lending", wiki=True)
    assert "No space yet" in html_of(ines, "/projects/lending/wiki")


def test_a_wiki_without_a_tree_is_refused_as_every_read_is(ines):
    given_brain("people", wiki=True)
    for room in ("", "/pages"):
        answer = ines.get(f"/projects/people/wiki{room}")
        assert (answer.status_code, "brain-not-built" in answer.content.decode()) == (409, True)


def test_only_members_of_the_project_read_its_wiki_and_it_is_counted(rolf, noor, nobody):
    for room in ("", "/pages"):
        assert noor.get(f"{WIKI}{room}").status_code == 404
        assert nobody.get(f"{WIKI}{room}").status_code == 302
    before = sum(ReadCount.objects.values_list("count", flat=True))
    html_of(rolf, WIKI)
    html_of(rolf, f"{WIKI}/pages")
    assert sum(ReadCount.objects.values_list("count", flat=True)) == before + 2
