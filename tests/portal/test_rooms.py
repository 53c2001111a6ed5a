"""The rooms of a project: what each page says, and its fragments."""

from __future__ import annotations

from html import unescape
from urllib.parse import quote

import pytest

from tests.portal.conftest import CANARY

ROOM = "/projects/lending/brain"
SPEC = f"{ROOM}/read?node=lending/overdue/spec.md"


def html_of(client, address, **headers):
    answer = client.get(address, headers=headers)
    assert answer.status_code == 200, answer.content.decode()
    return answer.content.decode()


def test_projects_are_listed_with_their_state_and_words(ines):
    html = html_of(ines, "/")
    assert "Lending desk" in html
    assert "How a town library lends" in html
    assert "up to date" in html
    assert "not built" in html


def test_whoever_has_no_project_is_told_what_to_do(noor):
    assert "No project yet" in html_of(noor, "/")


def test_a_project_opens_on_its_tree(ines):
    assert ines.get("/projects/lending/")["Location"] == f"{ROOM}/tree"


def test_the_state_page_says_what_members_read(ines):
    html = html_of(ines, ROOM)
    assert "142 documents" in html
    assert "every 5 minutes" in html


def test_the_state_page_answers_before_the_first_build(ines):
    assert "Nothing is built yet" in html_of(ines, "/projects/people/brain")


def test_a_level_shows_its_rows_and_its_readme(ines):
    html = html_of(ines, f"{ROOM}/tree?node=lending/")
    assert '<a class="row-name" href="/projects/lending/brain/tree?node=lending/overdue/">overdue</a>' in html
    assert "A loan begins at the desk" in html
    assert "/projects/lending/brain/read?node=standards/money.md#h-rounding" in html


def test_two_levels_show_what_each_child_holds(ines):
    html = html_of(ines, f"{ROOM}/tree?node=lending/overdue/&depth=2")
    assert "May a fee be paid in stamps?" in html


def test_a_wide_level_is_shown_in_windows(ines):
    html = html_of(ines, f"{ROOM}/tree?node=wide/&offset=50")
    assert "51 to 100 of 130" in html
    assert 'node=wide/&amp;offset=100&amp;depth=1&amp;limit=50">Later' in html


def test_a_fragment_is_the_rows_of_one_level_alone(ines):
    html = html_of(ines, f"{ROOM}/tree?node=wide/&limit=100", **{"HX-Request": "true"})
    assert "<html" not in html
    assert html.count('role="treeitem"') == 101
    assert 'aria-level="2" aria-setsize="130" aria-posinset="1"' in html
    assert "30 more" in html


def test_the_tree_is_open_down_to_the_current_node_even_beyond_the_window(ines):
    html = html_of(ines, f"{ROOM}/read?node=wide/branch-129.md")
    assert html.count('aria-current="page">') >= 1
    assert "Branch 129</span></a>" in html


def test_a_document_is_rendered_with_its_surroundings(ines):
    html = html_of(ines, SPEC)
    assert '<span class="ref">LOAN-OVD-0001</span> Three days are free' in html
    assert '<th scope="row">owner</th><td>circulation</td>' in html
    assert (
        '<a class="mention" href="/projects/lending/brain/read?node=decisions/002-fees.md">ADR-002</a>'
        in html
    )
    assert 'class="broken" href="/projects/lending/brain/broken" title="No such file: instruments.md"' in html
    assert "lending/overdue/spec.md:1-78@" in html
    assert "questions.md:6, to Fees" in html


def test_a_section_is_read_alone_at_its_own_address(ines):
    html = html_of(ines, f"{SPEC}%23rules")
    assert "<h1>Rules</h1>" in html
    assert 'id="h-LOAN-OVD-0001"' in html
    assert 'id="h-fees"' not in html


def test_a_document_that_no_longer_holds_names_its_successor(ines):
    html = html_of(ines, f"{ROOM}/read?node=decisions/001-stamps.md")
    assert "<strong>Superseded.</strong> Read" in html
    assert (
        'href="/projects/lending/brain/read?node=decisions/002-fees.md">ADR-002 Fees by card</a> instead'
        in html
    )


def test_the_text_as_written_has_an_address_for_each_line(ines):
    html = html_of(ines, f"{SPEC}&view=written")
    assert '<li id="L12"><a href="#L12" aria-label="Line 12">12</a><code>A loan is late' in html
    assert '<code class="hd">## Purpose</code>' in html
    assert '<code class="dim">title: Overdue loans</code>' in html


@pytest.mark.parametrize("view", ["rendered", "written"])
def test_a_long_text_goes_on_on_its_next_page(ines, view):
    address = f"{ROOM}/read?node=long.md&view={view}"
    html = html_of(ines, address)
    assert "The text goes on" in html
    following = html.split("view=" + view + "&amp;fromLine=")[1].split('"')[0]
    assert "Part 199" in html_of(ines, f"{address}&fromLine={following}")


def test_a_folder_is_read_in_the_tree(ines):
    assert ines.get(f"{ROOM}/read?node=lending/")["Location"] == f"{ROOM}/tree?node=lending/"


@pytest.mark.parametrize(
    "address",
    [
        "/tree?node=odd/&depth=2",
        "/tree?node=",
        "/read?node=",
        "/read?view=written&node=",
        "/read?scope=node&node=",
    ],
)
def test_what_a_document_says_of_itself_never_becomes_markup(ines, address):
    node = quote(CANARY) if address.endswith("node=") else ""
    html = html_of(ines, f"{ROOM}{address}{node}")
    assert "#1 &lt;b&gt;&amp;%22&#x27; name.md" in html
    assert "<img" not in html
    assert "<b>" not in html
    assert "<script>1" not in html


def test_the_way_to_a_document_with_an_odd_name_is_found(ines):
    html = html_of(ines, f"{ROOM}/tree?node=odd/")
    address = html.split('<a class="row-name" href="')[1].split('"')[0]
    assert "&quot;&gt;&lt;img src=x" in html_of(ines, unescape(address))


def test_health_lists_what_is_broken_by_document(ines):
    html = html_of(ines, f"{ROOM}/broken")
    assert '<code class="gone">instruments.md</code>' in html
    assert (
        'href="/projects/lending/brain/read?node=lending/overdue/spec.md&amp;view=written#L62">line 62</a>'
        in html
    )
    assert "Close by:" in html


def test_a_suggested_anchor_leads_to_its_place_in_the_document(ines):
    html = html_of(ines, f"{ROOM}/broken")
    address = unescape(html.split('Close by: <a href="')[1].split('"')[0])
    page, _, place = address.partition("#")
    assert f'id="{place}"' in html_of(ines, page)


def test_health_lists_problems_with_their_line_and_files_left_out_with_the_reason(ines):
    html = html_of(ines, f"{ROOM}/broken")
    assert '<span class="chip warn">front-matter</span>' in html
    assert '<td role="cell"><code>caf\\xe9.md</code></td><td role="cell">the path is not UTF-8</td>' in html


def test_no_page_leads_to_a_room_that_does_not_exist(ines):
    from django.urls import Resolver404, resolve

    wiki = ("/projects/guides/brain", "/projects/guides/wiki", "/projects/guides/wiki/pages?label=desk")
    for address in ("/", ROOM, f"{ROOM}/tree", SPEC, f"{SPEC}&view=written", f"{ROOM}/broken", *wiki):
        html = html_of(ines, address)
        links = [piece.split('"')[0] for piece in html.split('href="')[1:]]
        for link in {link.split("?")[0].split("#")[0] for link in links if link.startswith("/")}:
            if not link.startswith("/static/"):
                try:
                    resolve(link)
                except Resolver404:
                    pytest.fail(f"{address} leads to {link}")
