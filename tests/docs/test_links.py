"""Every link of the documentation leads somewhere."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from urllib.parse import unquote

import pytest

from tests.docs.conftest import Docs
from tests.environment import CHECKOUT

LARGEST = 150_000  # bytes of a picture


def test_no_link_and_no_anchor_is_broken(docs: Docs) -> None:
    lists = docs.store.broken()
    broken = [
        f"{one.source}:{one.line} {one.target}"
        for one in (*lists.links, *lists.anchors)
        if docs.is_ours(one.source)
    ]
    assert broken == []


def test_links_to_other_files_find_them(docs: Docs) -> None:
    for path in ours(docs):
        for written in docs.store.written_links(path):
            target = written.target.partition("#")[0]
            if target and "://" not in target:
                assert (CHECKOUT / PurePosixPath(path).parent / unquote(target)).exists(), (
                    f"{path}:{written.line} {target}"
                )


def test_anchors_are_those_of_a_git_host_too(docs: Docs) -> None:
    """A link by a card's id works here alone: the documentation is also read elsewhere."""
    for path in ours(docs):
        for written in docs.store.written_links(path):
            fragment = written.target.partition("#")[2]
            assert fragment == fragment.lower(), f"{path}:{written.line} {written.target}"


def test_pictures_exist_and_are_small(docs: Docs) -> None:
    shown = re.findall(r"!\[[^\]]+\]\((docs/images/[^)]+)\)", docs.text("README.md"))
    assert len(shown) >= 4
    for picture in shown:
        assert (CHECKOUT / picture).stat().st_size <= LARGEST
    for picture in (CHECKOUT / "docs/images").iterdir():
        assert picture.stat().st_size <= LARGEST


def test_every_document_is_reached_from_an_index(docs: Docs) -> None:
    for path in ours(docs):
        if path not in ("README.md", "docs/README.md"):
            sources = {end.source.path for end in docs.store.incoming(path, 0, 100, page=True)[0]}
            assert sources & {"docs/README.md", "docs/decisions/README.md"}, path


def test_every_document_has_a_title_heading_and_a_summary_of_its_own(docs: Docs) -> None:
    for path in ours(docs):
        node = docs.store.node(path)
        assert node is not None
        assert node.summary_source in ("paragraph", "section", "text"), path
        assert "\n# " in f"\n{docs.text(path)}", path


@pytest.mark.parametrize("section", ["Context", "Decision", "Consequences"])
def test_every_decision_has_the_parts_of_a_record(docs: Docs, section: str) -> None:
    records = [node for node in docs.store.children("docs/decisions/", 0, 1_000) if node.reference_id]
    assert len(records) >= 12
    for record in records:
        assert section in docs.titles(record.id), record.id
        assert record.path.rpartition("/")[2].startswith(str(record.reference_id).removeprefix("ADR-")), (
            record.id
        )
        assert record.status, record.id
        assert len(docs.text(record.id).split("\n")) <= 60, record.id


def ours(docs: Docs) -> list[str]:
    return [path for path in docs.store.held.texts if docs.is_ours(path)]
