"""A document's page: its headings, links, code, tables, tasks, alerts and footnotes."""

from __future__ import annotations

import pytest

from brain.rendering.values import Heading
from tests.brain.rendering.allowed import findings_in
from tests.brain.rendering.given import PAGE, html_of, page

RULE = Heading("RULE-R-0001", "The window", "RULE-R-0001")


def test_a_heading_that_is_a_node_has_the_nodes_anchor_as_id_and_a_link_to_it():
    html = html_of("## Scope\n", {1: Heading("scope", "Scope")})
    assert '<h2 id="h-scope">Scope <a class="perma" href="#h-scope" aria-label="Link to Scope">' in html


def test_a_heading_that_is_no_node_has_no_id():
    assert html_of("> ## Quoted\n") == "<blockquote>\n<h2>Quoted</h2>\n</blockquote>\n"


@pytest.mark.parametrize(
    "written", ["RULE-R-0001: The window", "RULE-R-0001 – The window", "`RULE-R-0001` The window"]
)
def test_a_card_shows_its_reference_id_before_its_title(written):
    html = html_of(f"### {written}\n", {1: RULE})
    assert '<h2 class="card-head" id="h-RULE-R-0001"><span class="ref">RULE-R-0001</span> The window ' in html


def test_heading_levels_follow_the_nesting_so_that_none_is_skipped():
    html = html_of("# A\n#### B\n###### C\n## D\n#### E\n")
    assert [html[i + 1 : i + 3] for i in range(len(html)) if html.startswith("<h", i)] == [
        "h2",
        "h3",
        "h4",
        "h3",
        "h4",
    ]


def test_the_title_heading_is_not_said_twice():
    assert html_of("# Spec\n\nText.\n", title="Spec") == "<p>Text.</p>\n"


def test_a_title_heading_with_other_words_than_the_page_stays():
    assert "<h2>Spec</h2>" in html_of("# Spec\n", title="The specification")


def test_a_section_that_repeats_the_title_keeps_its_heading():
    assert 'id="h-spec"' in html_of("## Spec\n", {1: Heading("spec", "Spec")}, title="Spec")


def test_a_sections_own_heading_is_left_out_of_its_page():
    assert (
        html_of("## Scope\n\nText.\n", {7: Heading("scope", "Scope")}, first_line=7, own_line=7)
        == "<p>Text.</p>\n"
    )


def test_lines_are_counted_as_git_counts_them():
    text = "---\ntitle: x\n---\none\rtwo\r\n\n## Scope\n"
    assert page(text, {6: Heading("scope", "Scope")}, skip_lines=3).outline == (Heading("scope", "Scope"),)


def test_front_matter_is_not_shown():
    assert html_of("---\ntitle: x\n---\nText.\n", skip_lines=3) == "<p>Text.</p>\n"


def test_the_outline_lists_the_headings_that_have_an_id():
    assert page("# A\n## B\n### C\n", {2: Heading("b", "B"), 3: RULE}).outline == (Heading("b", "B"), RULE)


def test_a_link_to_a_page_leads_there():
    assert f'<a href="{PAGE}a.md">x</a>' in html_of("[x](a.md)")


def test_a_broken_link_says_so_to_those_who_do_not_see_the_wave():
    assert (
        '<a class="broken" href="/projects/shop/brain/broken" title="No such file: gone.md">x'
        '<span class="vh"> (broken link)</span></a>'
    ) in html_of("[x](gone.md)")


def test_a_file_without_a_page_is_text():
    assert html_of("[x](photo.png)") == '<p><span title="photo.png is not indexed">x</span></p>\n'


@pytest.mark.parametrize(
    "written", ["[x](https://x.example/a)", "<https://x.example/a>", "https://x.example/a."]
)
def test_a_link_to_another_site_tells_it_nothing(written):
    assert '<a href="https://x.example/a" rel="noopener noreferrer nofollow">' in html_of(written)


@pytest.mark.parametrize("address", ["javascript:x", "other.md", "//x.example", "ftp://x.example"])
def test_an_address_that_leads_nowhere_known_is_text(address):
    assert findings_in(html_of(f"[x]({address})")).links == []


def test_an_image_is_a_link_with_its_words():
    html = html_of("![A *chart*](https://x.example/c.png)")
    assert (
        '<a href="https://x.example/c.png" rel="noopener noreferrer nofollow">'
        '<span class="vh">Image: </span>A chart</a>' in html
    )


def test_a_linked_image_counts_for_its_link():
    assert f'<a href="{PAGE}a.md"><span class="vh">Image: </span>A</a>' in html_of("[![A](x.png)](a.md)")


def test_a_mention_is_linked_in_prose_but_not_in_code_or_links():
    html = html_of("ADR-1 `ADR-1` [ADR-1](a.md) XADR-1 ADR-1-2", mentions={"ADR-1": "/projects/x"})
    assert html.count('<a class="mention" href="/projects/x">ADR-1</a>') == 1


def test_code_is_coloured_and_named_by_its_lines():
    html = html_of("```python\ndef f(): return 1\n```\n")
    assert "<figcaption>Python</figcaption>" in html
    assert 'role="region" aria-label="Python, lines 1 to 3"' in html
    assert '<span class="k">def</span> <span class="f">f</span>' in html


def test_code_of_an_unknown_language_keeps_its_name_and_its_text():
    html = html_of("```cobol85\n<x>\n```\n")
    assert "<figcaption>cobol85</figcaption>" in html
    assert "&lt;x&gt;" in html


def test_a_mermaid_diagram_is_shown_as_written():
    assert "<figcaption>Mermaid diagram</figcaption>" in html_of("```mermaid\ngraph TD\n```\n")


def test_a_table_scrolls_in_a_region_of_its_own():
    html = html_of("| A | B |\n|---|--:|\n| x | 1 |\n")
    assert '<div class="scroll" tabindex="0" role="region" aria-label="Table, lines 1 to 3"><table>' in html
    assert '<th scope="col">A</th>' in html
    assert '<th scope="col" class="num">B</th>' in html
    assert '<td class="num">1</td>' in html


def test_an_empty_head_cell_heads_nothing():
    assert "<td></td><th" in html_of("|  | B |\n|---|---|\n| x | 1 |\n").replace("\n", "")


def test_tasks_say_whether_they_are_done():
    html = html_of("- [x] one\n- [ ] two\n")
    assert '<ul class="tasks">' in html
    assert '<span class="vh">Done: </span></span>one' in html
    assert '<li><span class="box"><span class="vh">To do: </span></span>two' in html


@pytest.mark.parametrize(
    ("kind", "tone"),
    [("NOTE", "info"), ("TIP", "ok"), ("IMPORTANT", "gold"), ("WARNING", "warn"), ("CAUTION", "bad")],
)
def test_an_alert_has_its_tone_and_its_name(kind, tone):
    html = html_of(f"> [!{kind}]\n> Words.\n")
    assert f'<div class="alert" data-tone="{tone}" role="note">' in html
    assert f"</svg>{kind.capitalize()}</p>" in html


def test_a_footnote_leads_there_and_back():
    html = html_of("x[^a] y[^a]\n\n[^a]: Note.\n")
    findings = findings_in(html)
    assert findings.links == ["#h-fn.1", "#h-fn.1", *_icons(2, "#h-fnref.1.0", "#h-fnref.1.1")]
    assert findings.ids == ["h-fnref.1.0", "h-fnref.1.1", "h-fn.1"]


def _icons(count: int, *links: str) -> list[str]:
    return [each for link in links[:count] for each in (link, "#i-back")]


def test_comments_and_bare_anchors_are_not_shown_but_other_tags_are():
    html = html_of(
        'a <!-- hidden --> <a id="x"></a> <b>c</b><br>\n\n<!-- also\n\n# hidden -->\n\n'
        "<div>\n# text\n</div>\n"
    )
    assert "hidden" not in html
    assert "&lt;b&gt;c&lt;/b&gt;<br>" in html
    assert "# text" in html
    assert "<h2" not in html
