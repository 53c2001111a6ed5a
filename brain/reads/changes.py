"""What changed from an earlier commit to the indexed one: asked of Git each time, stored nowhere."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from django.conf import settings

from brain.errors import CommitNotFound, CommitUnavailable, NoHistory
from brain.markdown.documents import parse
from brain.markdown.lines import line_offsets
from brain.reads.answers import ChangedDocument, ChangedNode, Changes
from brain.reads.nodes import node_of
from brain.store import Store
from brain.store.protocol import Git
from brain.tree.nodes import ROOT, Kind, Node
from brain.tree.scope import MAX_DOCUMENT_BYTES
from brain.tree.targets import node_id
from repositories import reader
from repositories.errors import CommitMissing, MirrorDamaged
from repositories.reader import Difference, LineCounts

MAX_DOCUMENTS = 100
MAX_NODES = 30  # of a document
SECONDS = 5.0  # of the clock, for all
COUNTING = 1.5  # of these, for the lines
# Bytes a second of the text that takes longest to parse. A read runs in a thread of the web server, where no
# signal can end a parse, so a text is parsed only when even at this pace the time would be enough.
SLOWEST = 128 * 1024

NOT_FOUND = (
    "No commit up to the indexed one has this id, or more than one has. since is 4 to 40 hexadecimal digits "
    "of an earlier commit's id, such as the commit of a citation."
)


def read_changes(store: Store, since: str, *, under: str = "") -> Changes:
    """The documents that differ between the commit `since` and the indexed one, at most 100 by path.

    `under` is a folder (a document counts that is or was below it), a document, or a section or card: then
    its document, with what changed in that part alone.
    Raises BrainOff, NotBuilt, NodeNotFound, CommitNotFound, CommitUnavailable, and NoHistory for files on
    disk.
    """
    node = node_of(store, under or ROOT)
    git = store.git
    if git is None:
        raise NoHistory("Files on disk have no history. Ask a Git repository what changed.")
    until = time.monotonic() + SECONDS
    commit = _commit_named(git, since)
    found = reader.differences(
        git.mirror,
        commit,
        git.commit,
        covers=git.scope.covers,
        largest=MAX_DOCUMENT_BYTES,
        documents=store.documents(),
    )
    under_node = [one for one in found.found if _lies_under(one, node)]
    shown = under_node[:MAX_DOCUMENTS]
    seconds = min(COUNTING, until - time.monotonic())
    counts = reader.line_counts(git.mirror, commit, git.commit, among=shown, seconds=seconds)
    parts = _Parts(store=store, git=git, focus=_part_of_document(node), until=until)
    told = [_told(one, counts, parts) for one in shown]
    return Changes(
        envelope=store.envelope,
        since=commit,
        documents=tuple(one for one in told if one is not None),
        truncated=found.truncated or len(shown) < len(under_node) or not counts.complete or parts.out_of_time,
    )


def _commit_named(git: Git, since: str) -> str:
    try:
        return reader.ancestor_named(git.mirror, since, git.commit)
    except CommitMissing as error:
        if not reader.commit_exists(git.mirror, git.commit):
            raise CommitUnavailable(
                "The mirror lacks the indexed commit; the next sync brings it back."
            ) from error
        raise CommitNotFound(NOT_FOUND) from None


def _lies_under(one: Difference, node: Node) -> bool:
    if node.kind is Kind.ROOT:
        return True
    if node.kind is Kind.FOLDER:
        return one.path.startswith(node.path) or (one.old_path or "").startswith(node.path)
    return one.path == node.path


def _part_of_document(node: Node) -> Node | None:
    return node if node.kind in {Kind.SECTION, Kind.CARD} else None


def _told(one: Difference, counts: LineCounts, parts: _Parts) -> ChangedDocument | None:
    """The document as it is answered; None when nothing changed in the part that is asked for."""
    nodes = parts.changed_in(one)
    if parts.focus and nodes is not None and not nodes:
        return None
    count = counts.by_path.get(one.path)
    return ChangedDocument(
        status=one.status,
        path=one.path,
        old_path=one.old_path,
        lines_added=count.added if count else None,
        lines_removed=count.removed if count else None,
        lines_known=count is not None,
        nodes=tuple(nodes or ())[:MAX_NODES],
    )


class _Own(NamedTuple):
    """A section or card with the bytes of its own lines."""

    id: str
    title: str
    kind: Kind
    text: bytes
    is_asked_for: bool


@dataclass(slots=True, kw_only=True)
class _Parts:
    """Which sections and cards of a document have other own lines than before."""

    store: Store
    git: Git
    focus: Node | None  # the section or card that is asked for, with all under it; None: all of them
    until: float
    out_of_time: bool = False

    def changed_in(self, one: Difference) -> list[ChangedNode] | None:
        """Those of today in order, then those that are gone; None when that cannot be told."""
        if one.old == one.new:
            return []
        try:
            before = self._before(one) if one.old else {}
            now = self._now(one, one.new) if one.new else {}
        except (CommitMissing, MirrorDamaged):
            return None
        if before is None:
            self.out_of_time = True
            return None
        return list(_compared(before, now))

    def _before(self, one: Difference) -> dict[str, _Own] | None:
        """The parts of the earlier text by anchor; None when the time is not enough to parse it."""
        path, text = one.old_path or one.path, reader.blob(self.git.mirror, one.old or "")
        if len(text) > (self.until - time.monotonic()) * SLOWEST:
            return None
        parts = parse(path, text, not_prefixes=settings.BRAIN_NOT_ID_PREFIXES).document.parts[1:]
        asked = next((range(part.start, part.end + 1) for part in parts if self._is_focus(part.anchor)), ())
        offsets = line_offsets(text)
        return {
            part.anchor: _Own(
                node_id(path, part.anchor),
                part.title,
                Kind.CARD if part.is_card else Kind.SECTION,
                text[offsets[part.start - 1] : offsets[part.own_end]],
                not self.focus or part.start in asked,
            )
            for part in parts
        }

    def _now(self, one: Difference, blob: str) -> dict[str, _Own]:
        """The parts of today's text by anchor, as they are indexed."""
        text = reader.blob(self.git.mirror, blob)
        offsets = line_offsets(text)
        return {
            node.id.removeprefix(f"{one.path}#"): _Own(
                node.id,
                node.title,
                node.kind,
                text[offsets[node.lines.start - 1] : offsets[node.lines.end]],
                not self.focus or node.lines.start in _lines_of(self.focus),
            )
            for node in self.store.document(one.path)
            if node.lines and node.kind is not Kind.DOCUMENT
        }

    def _is_focus(self, anchor: str) -> bool:
        return self.focus is not None and self.focus.id == node_id(self.focus.path, anchor)


def _lines_of(node: Node) -> range:
    return range(node.lines.start, (node.subtree_end or node.lines.end) + 1) if node.lines else range(0)


def _compared(before: Mapping[str, _Own], now: Mapping[str, _Own]) -> Iterator[ChangedNode]:
    for anchor, own in now.items():
        was = before.get(anchor)
        if own.is_asked_for and (was is None or was.text != own.text):
            yield ChangedNode(own.id, own.title, own.kind, "modified" if was else "added")
    for anchor, own in before.items():
        if own.is_asked_for and anchor not in now:
            yield ChangedNode(own.id, own.title, own.kind, "deleted")
