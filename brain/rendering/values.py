"""What rendering takes and gives: headings that are nodes, where links lead, the page that comes out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading that is a node; its id on the page is `h-` and the anchor."""

    anchor: str
    title: str
    reference_id: str | None = None  # of a card: the heading starts with it


class Way(StrEnum):
    """Where a link leads."""

    PAGE = "page"  # a page of the portal
    BROKEN = "broken"  # nowhere; `url` may lead to what is known about it
    OUTSIDE = "outside"  # another site
    FILE = "file"  # a file of the repository that has no page; shown as text


@dataclass(frozen=True, slots=True)
class LinkTarget:
    """A link as the page shows it; `title` is its tooltip."""

    way: Way
    url: str = ""
    title: str = ""


Resolve = Callable[[str], LinkTarget | None]  # an address as written, unescaped; None: not ours


@dataclass(frozen=True, slots=True)
class Rendered:
    """Safe HTML, the headings that have an id in it, and how far it goes."""

    html: str
    outline: tuple[Heading, ...]
    cut_line: int | None = None  # the first line of the file that is not shown; None: all are
