"""What nobody could follow, by the document that says it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from brain.pages.addresses import Addresses
from brain.reads.answers import Broken
from brain.tree.nodes import BrokenAnchor, BrokenLink


@dataclass(frozen=True, slots=True)
class Trouble:
    """A reference that leads nowhere, and where it could lead."""

    line: int
    at: str  # address of the line as written
    target: str
    why: str = ""
    suggestion: str = ""
    suggested: str = ""  # its address


@dataclass(frozen=True, slots=True)
class Troubled:
    """A document with its troubles in order."""

    path: str
    address: str
    troubles: tuple[Trouble, ...]


@dataclass(frozen=True, slots=True)
class Health:
    """The troubles of a commit, by document."""

    links: tuple[Troubled, ...]
    anchors: tuple[Troubled, ...]


def health_of(broken: Broken, addresses: Addresses) -> Health:
    """Links to missing files and to missing headings, each under the document that makes them."""
    links = [(link.source, _link(link, addresses)) for link in broken.links]
    anchors = [(anchor.source, _anchor(anchor, addresses)) for anchor in broken.anchors]
    return Health(_grouped(links, addresses), _grouped(anchors, addresses))


def _grouped(troubles: list[tuple[str, Trouble]], addresses: Addresses) -> tuple[Troubled, ...]:
    return tuple(
        Troubled(path, addresses.read(path), tuple(trouble for _, trouble in of_path))
        for path, of_path in groupby(troubles, key=lambda pair: pair[0])
    )


def _link(link: BrokenLink, addresses: Addresses) -> Trouble:
    return Trouble(link.line, _line(link.source, link.line, addresses), link.target, why="No such file.")


def _anchor(anchor: BrokenAnchor, addresses: Addresses) -> Trouble:
    at = _line(anchor.source, anchor.line, addresses)
    if anchor.suggestion is None:
        return Trouble(anchor.line, at, anchor.target, why="No heading has this name, and none is close.")
    return Trouble(
        anchor.line,
        at,
        anchor.target,
        suggestion=anchor.suggestion,
        suggested=addresses.of_id(anchor.suggestion),
    )


def _line(path: str, line: int, addresses: Addresses) -> str:
    return f"{addresses.written(path)}#L{line}"
