"""Ranked search: the nodes that meet a question, best first, each with the line that shows it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

from brain.reads.answers import LineHit, Result, Results
from brain.reads.grep import grep
from brain.reads.highlights import Marker, marked
from brain.reads.needles import MAX_NEEDLES, MAX_TEXT
from brain.reads.nodes import breadcrumbs_of, node_of
from brain.store import Store
from brain.store.asked import Asked, ask, forms
from brain.store.protocol import Ranked
from brain.tree.nodes import Node

LOOKED_AT = 1_000_000  # characters of an answer's nodes in which the best lines are looked for


def search(store: Store, query: str, *, under: str = "", offset: int = 0, limit: int = 5) -> Results:
    """A window of the nodes that meet the query, best first, whatever part of its words they hold.

    Words as in a web search: plain ones, `"a phrase"`, `-word` leaves out, `or`. Where no word is known the
    lines that hold them literally decide, and the mode says so. `total` counts the nodes that are ranked,
    all of which can be paged through: those with one of the rarer words, or, of common words, with all.
    Raises NodeNotFound, BrainOff, NotBuilt, and CommitUnavailable where no text is.
    """
    store.require_tree()
    place = node_of(store, under) if under else None
    asked = ask(query)
    found = store.ranked(query, place, offset, limit)
    mode = "text" if found else "substring"
    if asked.words and (found is None or not found[1]):
        mode, results = "substring", _by_substrings(store, asked, under)
        total, window = len(results), results[offset : offset + limit]
    else:
        ranked, total = found or ((), 0)
        window = list(_results(store, ranked, asked))
    return Results(
        envelope=store.envelope,
        query=query,
        results=tuple(window),
        total=total,
        limit=limit,
        offset=offset,
        mode=mode,
    )


def _results(store: Store, ranked: Sequence[Ranked], asked: Asked) -> Iterator[Result]:
    if not ranked:
        return
    alike = {form: word for word in asked.words for form in forms(word)}
    marker = Marker(alike | {word: word for word in asked.words})
    texts = store.texts()
    crumbs = breadcrumbs_of(store, (one.node for one in ranked))
    left = LOOKED_AT
    for node, score in ranked:
        lines = _own_lines(node, texts.text_of(node.path), left)
        left -= sum(map(len, lines))
        line, highlight = _shown(node, lines, marker)
        yield Result(node=node, breadcrumb=crumbs[node.id], score=score, line=line, highlight=highlight)


def _shown(node: Node, lines: Sequence[str], marker: Marker) -> tuple[int | None, str]:
    """The line of the file that shows the words best, its own first one when none does; else the summary."""
    if node.lines is None or not lines:
        return None, node.summary
    best = marker.best_line(lines)
    if best is None:
        best = next((place for place, line in enumerate(lines) if line.strip()), 0)
    return node.lines.start + best, marker.marked(lines[best].removesuffix("\r"))


def _own_lines(node: Node, text: str | None, most: int) -> list[str]:
    """The node's own lines, with the one that goes over so many characters as the last."""
    if node.lines is None or text is None:
        return []
    lines = text.split("\n", node.lines.end)[node.lines.start - 1 : node.lines.end]
    sizes = accumulate(map(len, lines))
    return lines[: 1 + next((place for place, size in enumerate(sizes) if size > most), len(lines))]


def _by_substrings(store: Store, asked: Asked, under: str) -> list[Result]:
    """The nodes with a line that holds all that is asked for; with the longest word when there is none."""
    hits: Sequence[LineHit] = ()
    for needles in (asked.needles, sorted(asked.needles, key=len, reverse=True)[:1]):
        text = _exactly(needles)
        hits = grep(store, text, under=under).matches if text else ()
        if hits:
            break
    else:
        return []
    found = re.compile("|".join(map(re.escape, needles)), re.IGNORECASE)
    first: dict[str, LineHit] = {}
    for hit in hits:
        first.setdefault(hit.node.id, hit)
    return [
        Result(
            node=hit.node,
            breadcrumb=hit.breadcrumb,
            score=0.0,
            line=hit.line,
            highlight=marked(
                hit.text.removesuffix("␍"), lambda line: (one.span() for one in found.finditer(line))
            ),
        )
        for hit in first.values()
        if not _holds(store, hit.node, asked.unwanted)
    ]


def _exactly(needles: Iterable[str]) -> str:
    """What grep takes for these words, each exactly as written; as many as it takes."""
    text = ""
    for needle in [*needles][:MAX_NEEDLES]:
        longer = f'{text} "{needle}"'.lstrip()
        if len(longer) <= MAX_TEXT:
            text = longer
    return text


def _holds(store: Store, node: Node, unwanted: Sequence[str]) -> bool:
    """Whether one of these stands in the node's own text, in any case."""
    if not unwanted:
        return False
    text = "\n".join(_own_lines(node, store.texts().text_of(node.path), LOOKED_AT)).casefold()
    return any(one.casefold() in text for one in unwanted)
