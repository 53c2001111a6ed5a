"""Whatever a document holds, its page holds only harmless tags, attributes and addresses."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brain.rendering.cleaning import clean
from brain.rendering.documents import render
from brain.rendering.values import Heading, LinkTarget, Way
from tests.brain.rendering.allowed import findings_in
from tests.brain.rendering.given import html_of, known
from tests.brain.rendering.payloads import HTMX, PAYLOADS, RAW, SCHEMES

PIECES = [
    "<",
    ">",
    '"',
    "'",
    "&",
    "#",
    "[",
    "]",
    "(",
    ")",
    "!",
    "`",
    "*",
    "_",
    "~",
    "|",
    "-",
    ":",
    "\n",
    " ",
    "\t",
    "\r",
    "\x00",
    "\\",
    "/",
    "^",
    "[^1]",
    "[^1]: ",
    "javascript:",
    "data:",
    "onload=",
    "<script>",
    "</",
    "<!--",
    "-->",
    "<a id=",
    "<br>",
    "> [!NOTE]\n",
    "- [ ] ",
    "```",
    "|---|",
    "# ",
    "RULE-1",
    "a.md",
    "https://",
    "&#106;",
    "\u2028",
    "é",
    "<sup>",
    "\ufeff",
]


def test_the_corpus_is_wide_enough():
    assert len(set(PAYLOADS)) >= 800


@pytest.mark.parametrize("payload", PAYLOADS)
def test_no_payload_leaves_the_lists(payload):
    assert findings_in(html_of(payload)).bad == []


@pytest.mark.parametrize("payload", [*RAW, *HTMX])
def test_raw_html_stays_text_or_goes(payload):
    html = html_of(payload)
    assert "<script" not in html
    assert "hx-" not in "".join(piece for piece in html.split(">") if piece.startswith("<"))


@pytest.mark.parametrize("payload", [*RAW, *HTMX, *SCHEMES])
def test_the_second_layer_holds_alone(payload):
    assert findings_in(clean(f"{payload}<a href='{payload}' id='x'>y</a>")).bad == []


@pytest.mark.parametrize("scheme", ["javascript", "vbscript", "data", "file", "blob"])
@pytest.mark.parametrize("way", list(Way))
def test_a_caller_that_resolves_badly_is_not_trusted(scheme, way):
    target = LinkTarget(way, f"{scheme}:x", '"><script>')
    html = render("[x](y) ![x](y)", headings={}, resolve=lambda _address: target).html
    assert findings_in(html).bad == []


def test_a_hostile_heading_keeps_its_id_in_its_attribute():
    heading = Heading('x" onload="1', "<script>", '"><script>')
    assert findings_in(html_of("# x", {1: heading})).bad == []


@settings(max_examples=400, deadline=None)
@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=8), max_size=60).map("".join))
def test_no_text_leaves_the_lists_or_repeats_an_id(text):
    headings = {line: Heading(f"s{line}", "x", "RULE-1") for line in range(1, 40)}
    html = render(text, headings=headings, resolve=known, mentions={"RULE-1": "/projects/p"}, title="x").html
    findings = findings_in(html)
    assert findings.bad == []
    assert len(findings.ids) == len(set(findings.ids))
