"""The hash of a tree: the same for the same commit and settings, another for anything that is told."""

from __future__ import annotations

import pytest

from brain.tree.digests import tree_hash
from tests.given import a_tree

FILES = {
    "README.md": "---\nspace: eng\nlabels: [x]\nstatus: draft\n---\n# Home\n\n[gone](gone.md) [a](a.md#part)\n",
    "a.md": "# A\n\nText.\n\n## Part\n\n## R-01 Rule\n",
    "adr/b.md": "R-01 and R-02.\n",
    "adr/c.md": "x\n",
}


def hashed(changes=None, **setting):
    return tree_hash(a_tree({**FILES, **(changes or {})}, setting=setting))


def test_the_same_commit_has_the_same_hash():
    assert hashed() == hashed()
    assert len(hashed()) == 64
    assert set(hashed()) <= set("0123456789abcdef")


CHANGES = {
    "a title": {"a.md": FILES["a.md"].replace("# A", "# B")},
    "a summary": {"a.md": FILES["a.md"].replace("Text", "Word")},
    "a line": {"a.md": FILES["a.md"].replace("Text.\n", "Text.\n\n")},
    "an anchor": {"a.md": FILES["a.md"].replace("Part", "Port")},
    "an id": {"a.md": FILES["a.md"].replace("R-01", "R-07")},
    "a link that resolves": {"README.md": FILES["README.md"].replace("#part", "")},
    "a link that does not": {"README.md": FILES["README.md"].replace("(gone.md)", "(lost.md)")},
    "a mention nobody defines": {"adr/b.md": "R-01 and R-03.\n"},
    "a label": {"README.md": FILES["README.md"].replace("[x]\nstatus", "[y]\nstatus")},
    "a status": {"README.md": FILES["README.md"].replace("draft", "final")},
    "a space": {"README.md": FILES["README.md"].replace("eng", "ops")},
    "a reserved anchor": {"README.md": FILES["README.md"].replace("# Home", "> # Home\n\n# Home")},
    "a document": {"new.md": "x\n"},
    "a folder": {"new/a.md": "x\n"},
    "the layout": {"layout.yml": "folders: {adr: Choices}\n"},
}


@pytest.mark.parametrize("changes", CHANGES.values(), ids=CHANGES.keys())
def test_what_a_tree_tells_is_in_its_hash(changes):
    assert hashed(changes) != hashed()


def test_so_are_the_settings_that_decide_it():
    hashes = [
        hashed(),
        hashed(name="other"),
        hashed(exclude=("adr/",)),
        hashed(max_links=0),
        hashed(not_prefixes=("R",)),
    ]
    assert len(set(hashes)) == len(hashes)


def test_what_is_not_indexed_is_not_in_it():
    assert hashed({"notes.txt": "x", "restricted/x.md": "x"}) == hashed()
