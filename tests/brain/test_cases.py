"""The case log that lies beside the checkout, as far as parsing and assembling decide it."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from brain.markdown.anchors import Slugger
from brain.parsing import parse_within_budget
from brain.tree.assembly import Tree
from brain.tree.canonical import node_view
from tests.given import NOT_PREFIXES, Blob, headings_of, ids, links, node, tree_of

LOG = Path(__file__).resolve().parents[3] / "shared" / "cases" / "cases.jsonl"

type Case = dict[str, Any]


def cases(*checks: str) -> pytest.MarkDecorator:
    """Runs a test with each case of these checks whose input is one commit, or plain headings."""
    lines = LOG.read_text().split("\n") if LOG.exists() else []
    log = [json.loads(line) for line in lines if line]
    wanted = [case for case in log if case["check"] in checks and "commits" not in case["input"]]
    return pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in wanted])


def content(entry: Any) -> bytes | None:
    """The bytes of a regular file; None for a symbolic link or a submodule."""
    match entry:
        case str():
            return entry.encode()
        case {"base64": text}:
            return base64.b64decode(text)
        case {"prefix": prefix, "unit": unit, "count": count, "suffix": suffix}:
            units = "".join(unit.replace("{n}", str(number)) for number in range(1, count + 1))
            return f"{prefix}{units}{suffix}".encode()
    return None


def tree(case: Case) -> Tree:
    """The tree of the case's commit."""
    files = {path: content(entry) for path, entry in sorted(case["input"]["files"].items())}
    return tree_of([Blob(path, blob) for path, blob in files.items() if blob is not None], files, {}, {})


def found_headings(case: Case, *, own: bool) -> list[dict[str, Any]]:
    (blob,) = (content(entry) for entry in case["input"]["files"].values())
    headings = [heading for heading in headings_of(blob or b"") if heading.own or not own]
    return [{"line": each.line, "level": each.level, "anchor": each.slug} for each in headings]


@cases("slugs")
def test_headings_get_the_anchors_of_the_log(case):
    slugger = Slugger()
    assert [slugger.give(heading) for heading in case["input"]["headings"]] == case["expected"]


@cases("headings")
def test_a_document_has_the_headings_of_the_log(case):
    assert found_headings(case, own=False) == case["expected"]


@cases("headings_top")
def test_a_document_has_the_top_headings_of_the_log(case):
    assert found_headings(case, own=True) == case["expected"]


@cases("nodes")
def test_nodes_are_as_in_the_log(case):
    made = tree(case)
    for node_id, expected in case["expected"].items():
        found = node(made, node_id)
        view = node_view(found) | {"ownEnd": found.lines and found.lines.end, "lineEnd": found.subtree_end}
        assert {field: view[field] for field in expected} == expected


@cases("node_ids")
def test_node_ids_are_those_of_the_log(case):
    made = set(ids(tree(case)))
    assert made >= set(case["expected"]["exist"])
    assert not made & set(case["expected"]["absent"])


@cases("links")
def test_documents_link_as_in_the_log(case):
    found = {(source.partition("#")[0], target) for source, target in links(tree(case))}
    assert found == {(expected["from"], expected["to"]) for expected in case["expected"]}


@cases("broken")
def test_the_links_of_the_log_are_broken(case):
    found = {(broken.source, broken.target) for broken in tree(case).linked.broken}
    assert found == {(expected["from"], expected["target"]) for expected in case["expected"]}


@cases("property")
def test_the_tree_has_the_properties_of_the_log(case):
    made = tree(case)
    for condition, expected in case["expected"].items():
        CONDITIONS[condition](made, expected)


@cases("property")
def test_no_document_of_the_log_takes_too_long(case):
    for path, entry in case["input"]["files"].items():
        parsed = parse_within_budget(path, content(entry) or b"", NOT_PREFIXES)
        assert "too-slow" not in {problem.code for problem in parsed.document.problems}


def nodes_exist(tree, node_ids):
    assert set(node_ids) <= set(ids(tree))


def nodes_absent(tree, node_ids):
    assert not set(node_ids) & set(ids(tree))


def line_of(tree, lines):
    assert {node_id: node(tree, node_id).lines.start for node_id in lines} == lines


def never_contains(tree, texts):
    assert not [text for text in texts if text in repr(tree)]


def file_not_created(tree, path):
    assert not Path(path).exists()


def summary_starts(tree, starts):
    assert not [each for each, start in starts.items() if not node(tree, each).summary.startswith(start)]


def summary_contains(tree, texts):
    assert not [
        (each, text) for each in texts for text in texts[each] if text not in node(tree, each).summary
    ]


def summary_source_in(tree, sources):
    assert not [each for each, names in sources.items() if node(tree, each).summary_source not in names]


def summary_max_chars(tree, limit):
    assert not [node.id for node in tree.nodes if len(node.summary) > limit]


def always(tree, expected):
    """A tree was made, and each document within its budget of time: see the test above."""


CONDITIONS = {
    "build": always,
    "seconds_max": always,
    "nodes_exist": nodes_exist,
    "nodes_absent": nodes_absent,
    "line_of": line_of,
    "never_contains": never_contains,
    "file_not_created": file_not_created,
    "summary_starts": summary_starts,
    "summary_contains": summary_contains,
    "summarySource_in": summary_source_in,
    "summary_max_chars": summary_max_chars,
}
