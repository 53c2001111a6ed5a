"""Every page in a real browser, light and dark, wide and narrow: accessible, and nothing hostile runs."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.portal.conftest import CANARY
from tests.portal.given_browser import a_page

pytestmark = [pytest.mark.browser, pytest.mark.django_db]  # or, alone, they have no database of their own

ROOM = "/projects/lending/brain"
SPEC = f"{ROOM}/read?node=lending/overdue/spec.md"
PAGES = [
    "/",
    "/signin",
    ROOM,
    f"{ROOM}/tree",
    f"{ROOM}/tree?node=lending/overdue/&depth=2",
    f"{ROOM}/tree?node=wide/&offset=50",
    SPEC,
    f"{SPEC}%23rules",
    f"{SPEC}&view=written",
    f"{ROOM}/read?node=decisions/001-stamps.md",
    f"{ROOM}/read?node=standards/calendar.md",
    f"{ROOM}/read?node=hostile.md",
    f"{ROOM}/read?node={quote(CANARY)}",
    f"{ROOM}/broken",
    "/projects/guides/wiki",
    "/projects/guides/wiki/pages?space=lend&label=desk",
    "/projects/lending/wiki",
    "/projects/people/brain",
    "/projects/people/brain/tree",
    "/projects/lending/activity",
    "/tokens",
    "/problems/node-not-found",
    "/nope",
]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1440, 360])
@pytest.mark.parametrize("address", PAGES)
def test_axe_finds_nothing_and_the_page_does_not_scroll_sideways(browser, world, address, width, theme):
    size = {"width": width, "height": 900}
    who = None if address == "/signin" else "ines"
    with a_page(browser, world, who=who, viewport=size, color_scheme=theme) as page:
        page.goto(address)
        result = Axe().run(page, options={"resultTypes": ["violations"]})
        found = [(each["id"], each["nodes"][0]["html"]) for each in result.response["violations"]]
        assert found == []
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        assert page.locator("link[rel=icon]").count() == 1
        assert page.title().endswith("Kintsugi Brain")


def test_nothing_of_a_hostile_document_runs(browser, world):
    with a_page(browser, world) as page:
        page.goto(f"{ROOM}/read?node=hostile.md")
        assert page.evaluate("window.__xss") is None
        names = page.evaluate(
            "[...document.querySelectorAll('article *')].flatMap(e => e.getAttributeNames())"
        )
        assert [name for name in names if name.startswith(("on", "hx-", "data-hx-", "style", "src"))] == []
        links = page.evaluate("[...document.querySelectorAll('article a')].map(a => a.protocol)")
        assert set(links) <= {"http:", "https:", "mailto:"}
