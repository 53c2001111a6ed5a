"""The page of the Brain in a browser: it follows a build by itself, and is managed with keys and without script."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.portal.given_brain import a_lent_brain, committed, given_brain, given_step
from tests.portal.given_browser import a_page

pytestmark = [pytest.mark.browser, pytest.mark.django_db]  # or, alone, they have no database of their own

LENDING, PEOPLE, GUIDES = (f"/projects/{slug}/brain" for slug in ("lending", "people", "guides"))
QUESTIONS = {  # what is asked before it is done, by the button
    "Turn off…": "Turn the Brain off?",
    "Index this branch…": "Index the chosen branch?",
    "Turn the wiki on…": "Turn the wiki on?",
}


def test_the_page_follows_a_build_and_stops_when_it_is_done(browser, world):
    with a_lent_brain("lending"), a_page(browser, world) as page:
        committed(given_step, "lending", "parse", 3, 10)
        asked: list[str] = []
        page.goto(LENDING)
        page.on("request", lambda request: asked.append(request.url))
        assert "3 of 10" in page.inner_text("[aria-current=step]")
        page.get_by_role("combobox").focus()
        committed(given_step, "lending", "write")
        page.locator("[aria-current=step]", has_text="Write").wait_for()
        assert page.locator("#step").inner_text() == "Write, step 6 of 7"
        assert page.get_by_role("button", name="Rebuild").is_disabled()
        committed(given_brain, "lending", state="ready", progress=None, running=None)
        page.get_by_role("button", name="Build", exact=True).wait_for()
        assert "up to date" in page.inner_text("#fresh")
        assert page.inner_text("#step") == "Up to date"
        assert page.locator(".build").count() == 0
        assert page.evaluate("document.activeElement.id") == "followed"  # nothing was taken from under it
        asked.clear()
        page.wait_for_timeout(2_500)
        assert asked == []


@pytest.mark.parametrize("script", [True, False])
def test_the_brain_is_turned_off_and_on_with_keys_alone(browser, world, script):
    with a_lent_brain("people"), a_page(browser, world, java_script_enabled=script) as page:
        page.goto(PEOPLE)
        page.get_by_role("button", name="Turn off…").focus()
        page.keyboard.press("Enter")
        assert page.get_by_role("dialog", name="Turn the Brain off?").is_visible()
        page.keyboard.press("Escape")
        assert not page.get_by_role("dialog").is_visible()
        page.keyboard.press("Enter")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        page.get_by_text("The Brain is off. Its tree is kept.").wait_for()
        page.get_by_role("button", name="Turn on").press("Enter")
        page.get_by_text("A build of main is queued.").wait_for()
        assert page.get_by_role("heading", name="Build queued").is_visible()
        assert page.get_by_role("link", name="How far is it now?").is_visible() is not script


def test_another_branch_and_the_wiki_are_chosen_without_script(browser, world):
    with a_lent_brain("guides"), a_page(browser, world, java_script_enabled=False) as page:
        page.goto(GUIDES)
        page.get_by_role("button", name="Turn the wiki off…").click()
        page.get_by_role("button", name="Turn it off").click()
        page.get_by_text("The wiki is off.").wait_for()
        page.get_by_label("Index this branch").select_option("drafts")
        page.get_by_role("button", name="Index this branch…").click()
        page.get_by_role("button", name="Index it").click()
        page.get_by_text("A build of drafts is queued.").wait_for()
        page.get_by_role("button", name="Turn the wiki on…").click()
        page.get_by_role("button", name="Turn it on").click()
        page.get_by_text("The wiki is on. It follows main.").wait_for()
        page.get_by_role("link", name="Its spaces").click()
        page.get_by_role("link", name="desk").first.click()
        assert page.get_by_role("heading", level=1).inner_text() == "Pages labelled desk"


@pytest.mark.parametrize(("width", "theme"), [(1440, "light"), (360, "dark")])
def test_axe_finds_nothing_in_questions_steps_and_notes(browser, world, width, theme):
    options = {"viewport": {"width": width, "height": 900}, "color_scheme": theme}
    with a_lent_brain("guides"), a_page(browser, world, **options) as page:
        committed(
            given_brain, "guides", wiki=False, branch="drafts", state="failed", error="budget: Too much text."
        )
        page.goto(GUIDES)
        page.get_by_role("button", name="Rebuild").click()
        page.get_by_text("A whole build of drafts is queued.").wait_for()
        committed(given_step, "guides", "parse", 871, 1204)
        page.locator("[aria-current=step]", has_text="Parse").wait_for()
        assert violations(page) == []
        for button, question in QUESTIONS.items():
            page.get_by_role("button", name=button).click()
            assert page.get_by_role("dialog", name=question).is_visible()
            assert violations(page, ":popover-open") == []
            page.keyboard.press("Escape")
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def violations(page, within: str | None = None) -> list[tuple[str, str]]:
    result = Axe().run(page, within, options={"resultTypes": ["violations"]})
    return [(each["id"], each["nodes"][0]["html"]) for each in result.response["violations"]]
