"""How a test opens a page in the browser."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

REFUSED = (  # the words of the browser and of htmx for an answer that is a refusal
    "Failed to load resource: the server responded with a status of 4",
    "Response Status Error Code 4",
)


@contextmanager
def a_page(browser, world, *, who="ines", **options) -> Iterator:
    """A page of a signed-in member, which fails on any console message and any request to another host."""
    options = {"viewport": {"width": 1440, "height": 900}, **options}
    context = browser.new_context(base_url=world.url, **options)
    if who:
        context.add_cookies([{"name": "session", "value": world.sessions[who], "url": world.url}])
    page = context.new_page()
    told: list[str] = []
    page.on("console", lambda message: told.append(message.text))
    page.on("pageerror", lambda error: told.append(str(error)))
    page.on("request", lambda request: told.append(request.url) if not _own(request.url, world) else None)
    try:
        yield page
        assert [words for words in told if not words.startswith(REFUSED)] == []
    finally:
        context.close()


def _own(url: str, world) -> bool:
    return url.startswith((f"{world.url}/", "data:"))
