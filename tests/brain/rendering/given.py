"""How a test states its page: headings by line, and a few addresses that lead somewhere."""

from __future__ import annotations

from textwrap import dedent

from brain.rendering.documents import render
from brain.rendering.values import Heading, LinkTarget, Rendered, Way

PAGE = "/projects/shop/brain/read?node="


def known(address: str) -> LinkTarget | None:
    """`a.md` is a page, `gone.md` is broken, `photo.png` is a file; nothing else is ours."""
    return {
        "a.md": LinkTarget(Way.PAGE, f"{PAGE}a.md"),
        "gone.md": LinkTarget(Way.BROKEN, "/projects/shop/brain/broken", "No such file: gone.md"),
        "photo.png": LinkTarget(Way.FILE, title="photo.png is not indexed"),
    }.get(address)


def page(text: str, headings: dict[int, Heading] | None = None, **options: object) -> Rendered:
    """The page of an indented text."""
    return render(dedent(text), headings=headings or {}, resolve=known, **options)  # type: ignore[arg-type]


def html_of(text: str, headings: dict[int, Heading] | None = None, **options: object) -> str:
    """Its HTML."""
    return page(text, headings, **options).html
