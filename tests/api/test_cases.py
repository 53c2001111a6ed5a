"""The case log over HTTP: each case is a project, each check a question to the member API.

What HTTP does not tell is the level of a heading: it is seen in what a section stands under. A heading
without a node of its own, which is the one that gives its document the title, is seen by its anchor.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.api.given_cases import CASES, Asking, Cases, built_cases, in_process, over_the_wire

OVER_THE_WIRE = ("dev-slug-08", "dev-link-03", "dev-chg-07", "dev-grep-01", "dev-read-01", "dev-sec-02")


@pytest.fixture(scope="module")
def log(tmp_path_factory, django_db_setup, django_db_blocker) -> Iterator[Cases]:
    """Every case built."""
    with django_db_blocker.unblock(), built_cases(tmp_path_factory.mktemp("cases")) as made:
        yield made


@pytest.fixture
def asking(request, db, log) -> Asking:
    """One case in process."""
    return log.asked(request.param, in_process(log.raw))


def cases(*checks: str) -> pytest.MarkDecorator:
    """Runs a test with each case of these checks."""
    wanted = [name for name, case in CASES.items() if case["check"] in checks]
    return pytest.mark.parametrize("asking", wanted, indirect=True)


@cases("slugs")
def test_headings_get_the_anchors_of_the_log(asking):
    anchors_are_as_expected(asking)


@cases("headings", "headings_top")
def test_a_document_has_the_headings_of_the_log(asking):
    headings_are_as_expected(asking)


@cases("nodes")
def test_nodes_are_as_in_the_log(asking):
    nodes_are_as_expected(asking)


@cases("node_ids")
def test_node_ids_are_those_of_the_log(asking):
    ids_are_as_expected(asking)


@cases("links")
def test_documents_link_as_in_the_log(asking):
    links_are_as_expected(asking)


@cases("broken")
def test_the_links_of_the_log_are_broken(asking):
    broken_links_are_as_expected(asking)


@cases("changes", "changed_sections")
def test_documents_changed_as_in_the_log(asking):
    changes_are_as_expected(asking)


@cases("grep", "grep_many")
def test_the_lines_of_the_log_are_found(asking):
    lines_are_as_expected(asking)


@cases("read")
def test_the_text_of_the_log_is_read(asking):
    text_is_as_expected(asking)


@cases("property")
def test_the_project_has_the_properties_of_the_log(asking):
    properties_are_as_expected(asking)


def test_every_case_has_a_check():
    assert {case["check"] for case in CASES.values()} <= set(CHECKS)


@pytest.mark.skipif(not CASES, reason="there is no case log here")
def test_cases_pass_over_the_wire_too(db, log):
    with over_the_wire(log.raw) as get:
        for name in OVER_THE_WIRE:
            CHECKS[CASES[name]["check"]](log.asked(name, get))


def anchors_are_as_expected(asking: Asking) -> None:
    ids = [child["id"] for child in asking.children("a.md")]
    assert [identity.partition("#")[2] for identity in ids] == asking.case["expected"]


def headings_are_as_expected(asking: Asking) -> None:
    """A section's parent is the nearest heading above it of a smaller level that has a node."""
    sections = {name.partition("#")[2]: view for name, view in asking.nodes.items() if "#" in name}
    above: list[tuple[int, str]] = []  # level and node of the headings that are still open
    for heading in asking.case["expected"]:
        anchor, level = heading["anchor"], heading["level"]
        if anchor not in sections:  # it gave its document the title
            (match,) = asking.answer("lookup", query=f"a.md#{anchor}")["matches"]
            assert (match["id"], match["matchedBy"]) == ("a.md", "anchor")
            continue
        above = [(deep, name) for deep, name in above if deep < level]
        view = sections.pop(anchor)
        assert view["lineStart"] == heading["line"]
        assert view["parent"] == (above[-1][1] if above else "a.md")
        above.append((level, view["id"]))
    assert sections == {}


def nodes_are_as_expected(asking: Asking) -> None:
    for node_id, expected in asking.case["expected"].items():
        view = asking.nodes[node_id]
        view |= {"ownEnd": view["lineEnd"], "lineEnd": view["subtreeEnd"]}  # in the names of the log
        assert {field: view[field] for field in expected} == expected


def ids_are_as_expected(asking: Asking) -> None:
    are_there(asking, asking.case["expected"]["exist"])
    are_not_there(asking, asking.case["expected"]["absent"])


def links_are_as_expected(asking: Asking) -> None:
    found = set()
    for node_id, view in asking.nodes.items():
        links = asking.answer("read", node=node_id, scope="node")["links"]
        assert links["outgoingTotal"] == view["outgoing"] == len(links["outgoing"])
        found |= {(node_id.partition("#")[0], link["node"]["id"]) for link in links["outgoing"]}
    assert found == {(expected["from"], expected["to"]) for expected in asking.case["expected"]}


def broken_links_are_as_expected(asking: Asking) -> None:
    found = {(link["from"], link["target"]) for link in asking.answer("broken")["links"]}
    assert found == {(expected["from"], expected["target"]) for expected in asking.case["expected"]}


def changes_are_as_expected(asking: Asking) -> None:
    changed = asking.answer("changes", since=asking.first)["changes"]
    if asking.case["check"] == "changed_sections":
        assert {node["id"] for document in changed for node in document["nodes"]} == set(
            asking.case["expected"]
        )
        return
    fields = {"path": "path", "oldPath": "oldPath", "status": "status"}
    fields |= {"linesAdded": "added", "linesRemoved": "removed"}
    found = [{name: each[key] for key, name in fields.items() if key in each} for each in changed]
    assert sorted(found, key=str) == sorted(asking.case["expected"], key=str)
    assert all(each["linesKnown"] for each in changed)


def lines_are_as_expected(asking: Asking) -> None:
    queries = asking.case["input"].get("queries") or [asking.case["input"]["query"]]
    expected = asking.case["expected"] if asking.case["check"] == "grep_many" else [asking.case["expected"]]
    for query, lines in zip(queries, expected, strict=True):
        hits = asking.answer("grep", **query)["matches"]
        assert [(hit["path"], hit["line"]) for hit in hits] == [(one["path"], one["line"]) for one in lines]
        told = [one.get("node", hit["node"]["id"]) for one, hit in zip(lines, hits, strict=True)]
        assert [hit["node"]["id"] for hit in hits] == told


def text_is_as_expected(asking: Asking) -> None:
    query = {name: value for name, value in asking.case["input"]["query"].items() if name != "lineNumbers"}
    reading, expected = asking.answer("read", **query), asking.case["expected"]
    assert reading["lineNumbers"] is True  # the member API always counts lines
    assert reading["text"].removesuffix("\n") == expected["text"].removesuffix("\n")
    assert reading["citation"] | expected["citation"] == reading["citation"]


def properties_are_as_expected(asking: Asking) -> None:
    assert asking.answer("status")["state"] == "ready"
    for condition, expected in asking.case["expected"].items():
        CONDITIONS[condition](asking, expected)


def are_there(asking: Asking, node_ids: list[str]) -> None:
    assert set(node_ids) <= set(asking.nodes)
    assert [asking.answer("tree", node=each)["node"]["id"] for each in node_ids] == node_ids


def are_not_there(asking: Asking, node_ids: list[str]) -> None:
    assert not set(node_ids) & set(asking.nodes)
    for node_id in node_ids:
        for read in ("tree", "read", "backlinks"):
            status, told = asking.ask(read, node=node_id)
            assert (status, told["code"]) in {(404, "node-not-found"), (400, "invalid-argument")}
        assert asking.answer("lookup", query=node_id)["matches"] == []


def stand_at_lines(asking: Asking, lines: dict[str, int]) -> None:
    assert {node_id: asking.nodes[node_id]["lineStart"] for node_id in lines} == lines


def never_says(asking: Asking, texts: list[str]) -> None:
    for node_id in asking.nodes:
        asking.answer("read", node=node_id, scope="subtree")
    for text in texts:
        assert asking.answer("grep", text=text)["matches"] == []
        assert asking.answer("search", query=text)["results"] == []
        asking.heard = asking.heard[:-2]  # these say what was asked
    for read in ("status", "broken", "problems"):
        asking.answer(read)
    assert not [text for text in texts for told in asking.heard if text in told]


def have_summaries(asking: Asking, starts: dict[str, str]) -> None:
    assert {node_id: asking.nodes[node_id]["summary"][: len(starts[node_id])] for node_id in starts} == starts


def have_in_their_summaries(asking: Asking, texts: dict[str, list[str]]) -> None:
    assert not [
        (each, text) for each in texts for text in texts[each] if text not in asking.nodes[each]["summary"]
    ]


def have_sources(asking: Asking, sources: dict[str, list[str]]) -> None:
    assert not [each for each in sources if asking.nodes[each]["summarySource"] not in sources[each]]


def have_short_summaries(asking: Asking, limit: int) -> None:
    assert not [each for each, view in asking.nodes.items() if len(view["summary"]) > limit]


def no_document_was_too_slow(asking: Asking, seconds: int) -> None:
    assert "too-slow" not in {problem["code"] for problem in asking.answer("problems")["problems"]}


def answer_with_status(asking: Asking, statuses: dict[str, list[int]]) -> None:
    for since, allowed in statuses.items():
        assert asking.ask("changes", since=since)[0] in allowed


def answer_to_short_ids(asking: Asking, _: str) -> None:
    whole = asking.answer("changes", since=asking.first)
    assert whole["since"] == asking.first
    assert all(asking.answer("changes", since=asking.first[:digits]) == whole for digits in (7, 12, 39))


def no_file_was_made(asking: Asking, path: str) -> None:
    assert not Path(path).exists()


def is_ready(asking: Asking, state: str) -> None:
    assert asking.answer("status")["state"] == state


CONDITIONS: dict[str, Callable[[Asking, Any], None]] = {
    "build": is_ready,
    "seconds_max": no_document_was_too_slow,
    "nodes_exist": are_there,
    "nodes_absent": are_not_there,
    "line_of": stand_at_lines,
    "never_contains": never_says,
    "file_not_created": no_file_was_made,
    "summary_starts": have_summaries,
    "summary_contains": have_in_their_summaries,
    "summarySource_in": have_sources,
    "summary_max_chars": have_short_summaries,
    "status_codes": answer_with_status,
    "abbreviated": answer_to_short_ids,
}
CHECKS: dict[str, Callable[[Asking], None]] = {
    "slugs": anchors_are_as_expected,
    "headings": headings_are_as_expected,
    "headings_top": headings_are_as_expected,
    "nodes": nodes_are_as_expected,
    "node_ids": ids_are_as_expected,
    "links": links_are_as_expected,
    "broken": broken_links_are_as_expected,
    "changes": changes_are_as_expected,
    "changed_sections": changes_are_as_expected,
    "grep": lines_are_as_expected,
    "grep_many": lines_are_as_expected,
    "read": text_is_as_expected,
    "property": properties_are_as_expected,
}
