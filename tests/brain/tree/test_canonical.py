"""The canonical form of nodes, links, broken references and problems."""

from __future__ import annotations

from brain.tree.canonical import broken_line, link_line, node_line, problem_line
from tests.given import a_tree, node

FILES = {
    "README.md": "---\nspace: eng\norder: 2\nlabels: [Home, Start]\nstatus: Draft\n---\n# Home\n\n[x](gone.md) R-01\n",
    "rules/a.md": "# ADR-1 Rules\n\n> ## Quoted\n\n## R-01: Prices\n\n- **When:** [x](#qoted)\n\n## Plain\n",
    "rules/b.md": "---\na: [\n---\n",
}


def line(node_id):
    return node_line(node(a_tree(FILES), node_id))


def test_a_document_says_all_that_is_known_of_it():
    assert line("README.md") == {
        "type": "node",
        "id": "README.md",
        "kind": "document",
        "title": "Home",
        "summary": "x R-01",
        "summarySource": "text",
        "lineStart": 1,
        "lineEnd": 9,
        "subtreeEnd": 9,
        "size": 23,
        "hasChildren": False,
        "childCount": 0,
        "outgoing": 1,
        "labels": ["home", "start"],
        "space": "ENG",
        "order": 2,
        "status": "Draft",
        "parent": "/",
        "alias": None,
        "anchors": ["home"],
    }


def test_a_folder_has_no_lines_and_says_nothing_it_does_not_have():
    folder = line("rules/")
    assert (folder["kind"], folder["lineStart"], folder["lineEnd"], folder["subtreeEnd"]) == (
        "folder",
        None,
        None,
        None,
    )
    assert not {"referenceId", "labels", "order", "status"} & set(folder)
    assert (folder["hasChildren"], folder["childCount"], folder["parent"], folder["anchors"]) == (
        True,
        2,
        "/",
        [],
    )


def test_a_card_is_found_by_its_id_and_its_alias():
    card = line("rules/a.md#R-01")
    assert (card["kind"], card["referenceId"], card["alias"], card["anchors"]) == (
        "card",
        "R-01",
        "r-01-prices",
        ["R-01"],
    )
    assert (card["parent"], card["summary"]) == ("rules/a.md", "When: x")


def test_a_section_is_found_by_its_anchor():
    section = line("rules/a.md#plain")
    assert (section["kind"], section["alias"], section["anchors"]) == ("section", None, ["plain"])


def test_a_document_names_the_anchors_that_are_no_node():
    assert line("rules/a.md")["anchors"] == ["adr-1-rules", "quoted", "ADR-1"]
    assert line("rules/a.md")["referenceId"] == "ADR-1"


def test_links_broken_references_and_problems_are_lines_too():
    tree = a_tree(FILES)
    assert [link_line(link) for link in tree.linked.links] == [
        {"type": "link", "from": "README.md", "to": "rules/a.md#R-01", "kind": "mention"},
        {"type": "link", "from": "rules/a.md#R-01", "to": "rules/a.md", "kind": "link"},
    ]
    assert [broken_line(each) for each in (*tree.linked.broken, *tree.linked.anchors)] == [
        {"type": "broken", "from": "README.md", "target": "gone.md"},
        {"type": "brokenAnchor", "from": "rules/a.md", "line": 7, "target": "#qoted", "suggestion": "quoted"},
    ]
    (problem,) = map(problem_line, tree.problems)
    assert problem.pop("message").startswith("The front matter was not read. ")
    assert problem == {
        "type": "problem",
        "path": "rules/b.md",
        "line": 3,
        "code": "front-matter",
        "severity": "warning",
    }


def test_counts_tell_how_much_there_is_of_each_kind():
    assert a_tree(FILES).counts == {
        "documents": 3,
        "folders": 1,
        "sections": 2,
        "cards": 1,
        "links": 2,
        "broken": 1,
        "brokenAnchors": 1,
        "problems": 1,
    }
