"""Ids that come close to one that does not exist, for whoever mistyped it or has an old one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from urllib.parse import unquote

from brain.markdown.lexemes import words
from brain.store import Store
from brain.tree.names import asked_number, stem_of
from brain.tree.nodes import ROOT, Kind, Node

NEAR = 5
ALIKE = 0.65  # how much two names have in common at least; equal ones have 1

_LOOKED_AT = 200  # characters of a name
_COMPARED = 40  # names, those that share most pairs of letters
_DEEPEST = 50  # folders of a path
_BEGINNING = 4  # characters that a shorter name must have for a longer one to go on from it
_NUMBER = re.compile(r"[0-9]{1,18}(?![0-9])")
_REFERENCE = re.compile(r"([A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*-)([0-9]{1,8})")


def near(store: Store, asked: str, limit: int = NEAR) -> tuple[str, ...]:
    """Ids of nodes that come close to this id, path or name, the closest first.

    A reference id a slip away, another anchor of the same document, the same name or number elsewhere, the
    closest names in the deepest folder that exists; failing these, like file names, and what knows its words.
    """
    path, _, fragment = asked.strip().partition("#")
    fragment = unquote(fragment)
    ways = [_references(store, fragment or path)]
    if fragment and store.node(path):
        ways += [_anchors(store, path, fragment)]
    else:
        ways += [_elsewhere(store, path, fragment), _beside(store, path, fragment)]
    found: dict[str, None] = {}
    for way in ways:
        for node_id in way:
            found[node_id] = None
            if len(found) == limit:
                return tuple(found)
    return tuple(found or _anywhere(store, path, fragment, limit))


def closest(asked: str, names: Iterable[str], limit: int = NEAR) -> list[str]:
    """Those of the names that are most like this one, in any case, best first.

    Names of which one goes on where the other ends are alike, however long it goes on.
    """
    wanted = asked.casefold()[:_LOOKED_AT]
    pairs = {f"\n{wanted}\n"[at : at + 2] for at in range(len(wanted) + 1)}
    sharing = []
    for name in set(names):
        framed = f"\n{name.casefold()[:_LOOKED_AT]}\n"
        sharing.append((-sum(map(framed.__contains__, pairs)) / (len(pairs) + len(framed)), name))
    compared = SequenceMatcher(None, b=wanted, autojunk=False)
    alike = []
    for _, name in sorted(sharing)[:_COMPARED]:
        folded = name.casefold()[:_LOOKED_AT]
        compared.set_seq1(folded)
        goes_on = folded.startswith(wanted) or wanted.startswith(folded)
        begins = goes_on and min(len(folded), len(wanted)) >= _BEGINNING
        alike.append((-max(compared.ratio(), ALIKE if begins else 0), name))
    return [name for likeness, name in sorted(alike)[:limit] if -likeness >= ALIKE]


def _references(store: Store, asked: str) -> Iterator[str]:
    """The nodes that define this reference id or one that is a slip away, the closest number first."""
    reference = _REFERENCE.fullmatch(asked)
    if reference is None:
        return
    nodes = store.by_references({asked, *_swapped(asked), *_slips(*reference.groups())})
    yield from (node.id for node in sorted(nodes, key=lambda node: _distance(node, reference)))


def _distance(node: Node, asked: re.Match[str]) -> tuple[bool, int]:
    own = _REFERENCE.fullmatch(node.reference_id or "")
    if own is None:
        return True, 0
    return own[1].casefold() != asked[1].casefold(), abs(int(own[2]) - int(asked[2]))


def _slips(prefix: str, digits: str) -> Iterator[str]:
    """The number with one digit changed, left out or put in, or with other zeros before it."""
    for at in range(len(digits) + 1):
        yield prefix + digits[:at] + digits[at + 1 :]
        for digit in "0123456789":
            yield prefix + digits[:at] + digit + digits[at + 1 :]
            yield prefix + digits[:at] + digit + digits[at:]
    yield from (prefix + str(int(digits)).zfill(length) for length in range(1, 9))


def _swapped(text: str) -> Iterator[str]:
    for at in range(len(text) - 1):
        yield text[:at] + text[at + 1] + text[at] + text[at + 2 :]


def _anchors(store: Store, path: str, fragment: str) -> Iterator[str]:
    """The closest anchors of a document that exists, then the document."""
    nodes = store.document(path) if fragment else ()
    names = {name: node.id for node in nodes for name in (node.id.partition("#")[2], node.alias) if name}
    yield from (names[name] for name in closest(fragment, names))
    yield from (node.id for node in nodes[:1])


def _at(store: Store, node_id: str, fragment: str) -> str:
    """The anchor of this document that is closest to the fragment; the node itself where none is close."""
    return next(_anchors(store, node_id, fragment), node_id)


def _elsewhere(store: Store, path: str, fragment: str) -> Iterator[str]:
    """The same name in other folders, or the number it starts with."""
    name = stem_of(_name(path))
    beginning = _NUMBER.match(name)
    number = int(beginning[0]) if beginning else asked_number(name)
    named = [*store.by_name(name), *(() if number is None else store.by_number(number))] if name else []
    kind = Kind.FOLDER if path.endswith("/") else Kind.DOCUMENT
    compared = SequenceMatcher(None, b=path[:_LOOKED_AT], autojunk=False)
    order = []
    for node in named:
        compared.set_seq1(node.path[:_LOOKED_AT])
        order.append((node.kind is not kind, -compared.ratio(), node.id))
    yield from (_at(store, node_id, fragment) for *_, node_id in sorted(order))


def _beside(store: Store, path: str, fragment: str) -> Iterator[str]:
    """The closest names in the deepest folder that exists, first with the rest of the path below them."""
    steps = path.strip("/").split("/")[:_DEEPEST]
    folders = ["/".join(steps[:depth]) + "/" for depth in range(1, len(steps) + 1)]
    existing = store.nodes(folders)
    depth = next((at for at, folder in enumerate(folders) if folder not in existing), len(folders))
    folder = folders[depth - 1] if depth else ROOT
    if depth < len(folders):
        like = _like(stem_of(steps[depth]), (node_id for node_id, _ in store.signs(folder)))
        rest = path.lstrip("/").split("/", depth + 1)[depth + 1 :]
        below = [node_id + rest[0] for node_id in like if rest and node_id.endswith("/")]
        there = store.nodes(below)
        yield from (_at(store, one, fragment) for one in [*filter(there.get, below), *like])
    if depth:
        yield folder


def _anywhere(store: Store, path: str, fragment: str, limit: int) -> list[str]:
    """Like names among all documents, for what looks like a path; else what search finds for the words."""
    name = stem_of(_name(path))
    found = _like(name, store.documents())[:limit] if name != path else []
    if not found:
        ranked = store.ranked(" ".join(words(f"{name} {fragment}")), None, 0, limit)
        found = [one.node.id for one in ranked[0]] if ranked else []
    return found


def _like(name: str, ids: Iterable[str]) -> list[str]:
    """Those of these documents and folders whose own name is most like this one."""
    named: dict[str, list[str]] = {}
    for node_id in ids:
        named.setdefault(stem_of(_name(node_id)), []).append(node_id)
    return [node_id for one in closest(name, named) for node_id in named[one]]


def _name(path: str) -> str:
    """The last part of a path or of a node id that is one."""
    return path.rstrip("/").rpartition("/")[2]
