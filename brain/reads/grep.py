"""Lines that hold every word of a text, exactly as written, each in the deepest node that holds it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby, pairwise

from brain.errors import InvalidArgument
from brain.markdown.front_matter import clean_label
from brain.reads.answers import LineHit, Lines
from brain.reads.needles import Needles
from brain.reads.nodes import breadcrumbs_of, node_of
from brain.reads.scanning import Spot, Stretch, first_spots
from brain.snapshots import Texts
from brain.store import Store
from brain.tree.nodes import Kind, Node

MATCHES = 50
SECONDS = 2.0  # for the search itself
TURN = 0.0005  # seconds of it that the other threads of the process wait for their turn


def grep(
    store: Store,
    text: str,
    *,
    under: str = "",
    ignore_case: bool = True,
    space: str = "",
    label: str = "",
) -> Lines:
    """The first 50 lines, by path and line, that hold every word and "quoted phrase" of the text.

    `under`, `space` and `label` narrow where it looks; the total is known when all lines are told.
    Raises InvalidArgument, NodeNotFound, BrainOff, NotBuilt, and CommitUnavailable where no text is.
    """
    needles = Needles.parse(text, ignore_case=ignore_case)
    kept_label = _kept(label)
    store.require_tree()
    within = node_of(store, under) if under else None
    texts = store.texts()
    stretches = list(_stretches(store, texts, within, space.upper(), kept_label))
    found = first_spots(
        texts.folded if ignore_case else texts.written,
        stretches,
        needles.encoded(),
        limit=MATCHES,
        is_late=_deadline(),
    )
    return Lines(
        envelope=store.envelope,
        text=text,
        matches=tuple(_hits(store, texts, found.spots, needles)),
        truncated=not found.complete,
        total=len(found.spots) if found.complete else None,
        space=space.upper() or None,
        label=kept_label or None,
    )


def _deadline() -> Callable[[], bool]:
    """Whether the time is up. Who asks lets the process's other threads take a turn now and then."""
    now = time.monotonic()
    until, turn = now + SECONDS, now + TURN

    def is_late() -> bool:
        nonlocal turn
        now = time.monotonic()
        if now > turn:
            time.sleep(1e-6)  # with the timer's slack long enough for a waiting thread to wake
            turn = time.monotonic() + TURN
        return now > until

    return is_late


def _kept(label: str) -> str:
    kept = clean_label(label)
    if label and not kept:
        raise InvalidArgument("label", "Of this label nothing is stored; labels are letters and digits.")
    return kept


def _stretches(store: Store, texts: Texts, within: Node | None, space: str, label: str) -> Iterator[Stretch]:
    """Where to look, in path order."""
    numbers, lines = _numbers_of(texts, within)
    if not (space or label):
        yield Stretch(numbers.start, numbers.stop, lines)
        return
    labelled = (texts.numbers[path] for path in store.paths_with(space=space, label=label))
    for first, last in _ranges(sorted(number for number in labelled if number in numbers)):
        yield Stretch(first, last, lines)


def _numbers_of(texts: Texts, within: Node | None) -> tuple[range, tuple[int, int] | None]:
    """The documents at or under a node, and of a section or card its lines."""
    if within is None or within.lines is None:
        return texts.below(within.path if within else ""), None
    number = texts.numbers[within.path]
    part = within.kind is not Kind.DOCUMENT
    end = within.lines.end if within.subtree_end is None else within.subtree_end
    return range(number, number + 1), (within.lines.start, end) if part else None


def _ranges(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Ascending numbers as ranges, each up to and without its end."""
    gaps = [place for place, (one, other) in enumerate(pairwise(numbers), 1) if other != one + 1]
    for first, last in pairwise([0, *gaps, len(numbers)]):
        if first < last:
            yield numbers[first], numbers[last - 1] + 1


def _hits(store: Store, texts: Texts, spots: Iterable[Spot], needles: Needles) -> Iterator[LineHit]:
    shown = {
        (texts.paths[number], spot.line): line
        for number, group in groupby(spots, key=lambda spot: spot.document)
        for spot, line in _lines_at(texts, number, list(group))
    }
    nodes = store.holding(shown)
    crumbs = breadcrumbs_of(store, nodes.values())
    for place, line in shown.items():
        node = nodes[place]
        yield LineHit(node=node, line=place[1], text=needles.shown(line), breadcrumb=crumbs[node.id])


def _lines_at(texts: Texts, number: int, spots: Sequence[Spot]) -> Iterator[tuple[Spot, str]]:
    """The lines of one document as they are written."""
    lines = texts.written.between(number, number + 1).split(b"\n", spots[-1].line)
    for spot in spots:
        yield spot, lines[spot.line - 1].decode()
