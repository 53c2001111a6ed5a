"""What holds for every tree, whatever the documents say."""

from __future__ import annotations

import unicodedata

from hypothesis import given, settings
from hypothesis import strategies as st

from brain.tree.assembly import File, TreeSettings, assemble
from brain.tree.digests import tree_hash
from brain.tree.nodes import Kind, key_of
from brain.tree.scope import Scope
from tests.brain.tree.worlds import worlds
from tests.given import Blob, a_document, a_tree, tree_of

many = settings(max_examples=150, deadline=None)


@many
@given(worlds)
def test_every_document_of_the_scope_is_one_node_and_every_folder_above_it(world):
    tree = a_tree(world)
    indexed = {path for path in world if Scope().covers(path)}
    assert [node.id for node in tree.nodes if node.kind is Kind.DOCUMENT and node.id not in indexed] == []
    assert tree.counts["documents"] == len(indexed)
    folders = {path[: at + 1] for path in indexed for at, sign in enumerate(path) if sign == "/"}
    assert {node.id for node in tree.nodes if node.kind is Kind.FOLDER} == folders


@many
@given(worlds)
def test_ids_are_unique_parents_exist_and_stand_before_their_children(world):
    seen, children = set(), {}
    for node in a_tree(world).nodes:
        assert node.id not in seen
        assert (node.parent is None) if node.id == "/" else (node.parent in seen)
        seen.add(node.id)
        children[node.parent] = children.get(node.parent, 0) + 1
        children.setdefault(node.id, 0)
    assert all(node.children == children[node.id] for node in a_tree(world).nodes)
    assert len({key_of(each) for each in seen}) == len(seen)


@many
@given(worlds)
def test_both_ends_of_every_link_exist_and_differ_and_totals_add_up(world):
    tree = a_tree(world)
    nodes = {node.id: node for node in tree.nodes}
    for link in tree.linked.links:
        assert link.source != link.target
        assert link.target in nodes
        source = nodes[link.source]
        assert source.lines.start <= link.line <= source.lines.end
    assert len(set(tree.linked.links)) == len(tree.linked.links)
    assert sum(node.outgoing for node in tree.nodes) == len(tree.linked.links)


@many
@given(worlds)
def test_what_is_broken_is_neither_there_nor_hidden(world):
    tree = a_tree(world)
    for broken in tree.linked.broken:
        assert broken.source in tree.documents
        assert "restricted" not in broken.target
        assert broken.target.lower().endswith(".md")
    assert len({(each.source, each.target) for each in tree.linked.broken}) == len(tree.linked.broken)
    assert all(each.suggestion != each.target.partition("#")[2] for each in tree.linked.anchors)


@many
@given(worlds)
def test_summaries_are_short_and_clean_and_name_their_rule(world):
    for node in a_tree(world).nodes:
        assert len(node.summary) <= 240
        assert not [sign for sign in node.summary + node.title if unicodedata.category(sign) in {"Cc", "Cs"}]
        assert bool(node.summary) == bool(node.summary_source)
        assert node.title


@many
@given(worlds, st.randoms(use_true_random=False))
def test_the_order_in_which_documents_come_changes_nothing(world, random):
    documents = [a_document(text, path) for path, text in world.items() if Scope().covers(path)]
    files = {document.path: File(blob="") for document in documents}
    first = assemble(documents, files, TreeSettings(name="shop"))
    random.shuffle(documents)
    second = assemble(iter(documents), files, TreeSettings(name="shop"))
    assert first == second
    assert tree_hash(first) == tree_hash(second)


@many
@given(worlds)
def test_what_is_never_indexed_changes_nothing(world):
    """The same repository without its restricted and hidden files gives the same tree."""
    hidden = ("restricted/", ".hidden/")
    without = {path: text for path, text in world.items() if not path.startswith(hidden)}
    assert a_tree(world) == a_tree(without)


def test_many_documents_make_many_nodes():
    blobs = [Blob(f"{number % 100:02}/{number:05}.md", b"# A\n\n## B\n") for number in range(2_000)]
    blobs.sort(key=lambda blob: blob.path)
    assert len(tree_of(blobs, [], {}, {}).nodes) == 1 + 100 + 2 * 2_000
