"""What nobody could follow, by the document that says it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from brain.markdown.problems import Problem
from brain.pages.addresses import Addresses, fragment
from brain.reads.answers import Broken, Problems
from brain.tree.nodes import BrokenAnchor, BrokenLink
from brain.tree.scope import is_markdown
from brain.tree.targets import target_of

REASONS = {
    "too-large": "over 2 MiB",
    "too-many": "beyond 20,000 documents",
    "bad-path": "the path is not UTF-8",
}


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
class Mendable:
    """A problem, and the address of the line that has it."""

    problem: Problem
    at: str  # empty: a problem of the whole build


@dataclass(frozen=True, slots=True)
class Health:
    """The troubles of a commit, by document."""

    links: tuple[Troubled, ...]
    anchors: tuple[Troubled, ...]
    problems: tuple[Mendable, ...]
    left_out: tuple[tuple[str, str], ...]  # path and reason, in words


def health_of(broken: Broken, problems: Problems, addresses: Addresses, web: Sequence[str]) -> Health:
    """Links that lead nowhere, under the document that makes them; problems; files left out."""
    links = [(link.source, _link(link, addresses)) for link in broken.links]
    anchors = [(anchor.source, _anchor(anchor, addresses, web)) for anchor in broken.anchors]
    return Health(
        links=_grouped(links, addresses),
        anchors=_grouped(anchors, addresses),
        problems=tuple(_mendable(problem, addresses) for problem in problems.problems),
        left_out=tuple((left.path, REASONS[left.reason]) for left in problems.left_out),
    )


def _mendable(problem: Problem, addresses: Addresses) -> Mendable:
    if not problem.path:
        return Mendable(problem, "")
    is_document = is_markdown(problem.path)
    at = _line(problem.path, problem.line or 1, addresses) if is_document else ""
    return Mendable(problem, at)


def _grouped(troubles: list[tuple[str, Trouble]], addresses: Addresses) -> tuple[Troubled, ...]:
    return tuple(
        Troubled(path, addresses.read(path), tuple(trouble for _, trouble in of_path))
        for path, of_path in groupby(troubles, key=lambda pair: pair[0])
    )


def _link(link: BrokenLink, addresses: Addresses) -> Trouble:
    return Trouble(link.line, _line(link.source, link.line, addresses), link.target, why="No such file.")


def _anchor(anchor: BrokenAnchor, addresses: Addresses, web: Sequence[str]) -> Trouble:
    at = _line(anchor.source, anchor.line, addresses)
    if anchor.suggestion is None:
        return Trouble(anchor.line, at, anchor.target, why="No heading has this name, and none is close.")
    return Trouble(
        anchor.line,
        at,
        anchor.target,
        suggestion=f"#{anchor.suggestion}",
        suggested=addresses.read(target_of(anchor.target, anchor.source, web).path or anchor.source)
        + fragment(anchor.suggestion),
    )


def _line(path: str, line: int, addresses: Addresses) -> str:
    return f"{addresses.written(path)}#L{line}"
