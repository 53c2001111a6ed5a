"""A node's text with its citation, its links both ways, and what it holds."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from brain.errors import InvalidArgument
from brain.markdown.lines import decode, line_offsets
from brain.reads.answers import Citation, Neighbour, Reading
from brain.reads.cutting import Cut, cut_lines
from brain.reads.nodes import breadcrumb_of, node_of
from brain.store import Store
from brain.tree.folders import opens_folder
from brain.tree.nodes import Kind, Node

MEMBER_CUT = 24_000  # characters of one answer, line numbers counted
PORTAL_CUT = 200_000
WHOLE_BELOW = 6_000  # estimated tokens up to which `auto` reads a node with all under it
LINKS = 20  # shown each way


@dataclass(frozen=True, slots=True)
class _Range:
    """Lines of one document that are asked for."""

    document: Node
    start: int
    end: int


def read_node(
    store: Store,
    node_id: str,
    *,
    scope: str = "auto",
    from_line: int | None = None,
    from_column: int | None = None,
    line_numbers: bool = False,
    cut: int = PORTAL_CUT,
) -> Reading:
    """The node's text: `subtree` (all under it), `node` (its own) or `auto` (all when it is small).

    A folder or the root reads its README or index, else lists what it holds. `from_line` and
    `from_column` continue where an earlier answer was cut.
    Raises BrainOff, NotBuilt, NodeNotFound, and InvalidArgument for a line outside the node.
    """
    node = node_of(store, node_id)
    wanted = _range_of(store, node, scope)
    outgoing = store.outgoing(node.id, LINKS) if node.outgoing else ()
    incoming, incoming_total = store.incoming(node.id, 0, LINKS, page=False)
    if wanted is None:
        page, citation, total = _listing(store, node), None, 0
    else:
        start = _start(wanted, from_line)
        blob = store.blob(wanted.document)
        page, total = _page(blob, start, wanted.end, from_column, line_numbers=line_numbers, cut=cut)
        citation = _citation(node, wanted, start, page, blob, store.envelope.commit)
    return Reading(
        envelope=store.envelope,
        node=node,
        breadcrumb=breadcrumb_of(store, node),
        text=page.text,
        citation=citation,
        truncated=page.next_line is not None,
        next_line=page.next_line,
        next_column=page.next_column,
        total_lines=total,
        children=tuple(store.children(node.id, 0, 100)) if node.children else (),
        outgoing=tuple(Neighbour(end.target, end.kind, end.line) for end in outgoing),
        incoming=tuple(Neighbour(end.source, end.kind, end.line) for end in incoming),
        outgoing_total=node.outgoing,
        incoming_total=incoming_total,
        line_numbers=line_numbers,
    )


def opening_document(store: Store, node: Node) -> Node | None:
    """The README or index that speaks for a folder or the root."""
    # Folders come before documents, and a README before all other documents.
    offset = 0
    while children := store.children(node.id, offset, 200):
        first = next((child for child in children if child.kind is Kind.DOCUMENT), None)
        if first:
            return first if opens_folder(first.path) else None
        offset += len(children)
    return None


def _range_of(store: Store, node: Node, scope: str) -> _Range | None:
    if node.lines is None:
        document = opening_document(store, node)
        if document is None or document.lines is None:
            return None
        return _Range(document, 1, document.subtree_end or 0)
    document = node if node.kind is Kind.DOCUMENT else store.node(node.path)
    if document is None:
        return None
    whole = scope == "subtree" or (scope == "auto" and (node.children == 0 or node.size <= WHOLE_BELOW))
    end = node.subtree_end if whole and node.subtree_end is not None else node.lines.end
    return _Range(document, node.lines.start, end)


def _start(wanted: _Range, from_line: int | None) -> int:
    if from_line is None:
        return wanted.start
    if not wanted.start <= from_line <= max(wanted.start, wanted.end):
        raise InvalidArgument("fromLine", f"fromLine is a line of the node: {wanted.start} to {wanted.end}.")
    return from_line


def _page(
    blob: bytes, start: int, end: int, from_column: int | None, *, line_numbers: bool, cut: int
) -> tuple[Cut, int]:
    # Pages as written join to the blob's bytes, its byte order mark included; numbered lines do without it.
    text = decode(blob).text if line_numbers else blob.decode(errors="replace")
    lines = text.split("\n")
    total = len(lines) - (not lines[-1])
    chosen = [f"{line}\n" for line in lines[start - 1 : min(end, total)]]
    if chosen and min(end, total) == len(lines):
        chosen[-1] = chosen[-1][:-1]  # the file's last line has no line feed
    column = from_column or 1
    if chosen and column > len(chosen[0]):
        raise InvalidArgument(
            "fromColumn", f"fromColumn is a character of line {start}: 1 to {len(chosen[0])}."
        )
    if line_numbers:
        chosen = [line.replace("\r", "␍") for line in chosen]
    return cut_lines(chosen, start, limit=cut, numbered=line_numbers, column=column), total


def _citation(node: Node, wanted: _Range, start: int, page: Cut, blob: bytes, commit: str) -> Citation:
    offsets = line_offsets(blob)
    last = page.last_line
    quoted = blob[offsets[min(start - 1, len(offsets) - 1)] : offsets[min(last, len(offsets) - 1)]]
    return Citation(
        node_id=wanted.document.id if node.lines is None else node.id,
        path=wanted.document.path,
        line_start=start,
        line_end=last,
        commit=commit,
        blob=wanted.document.blob,
        quote_hash=hashlib.sha256(quoted).hexdigest(),
    )


def _listing(store: Store, node: Node) -> Cut:
    """What a folder without a README says: the list of what it holds."""
    names = (f"- {child.title}: {child.summary}".rstrip(": ") for child in store.children(node.id, 0, 200))
    return Cut("\n".join(names), 0, None)
