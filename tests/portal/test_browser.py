"""What people do on the pages: keys in the tree, copying, a phone, and no script at all."""

from __future__ import annotations

import pytest

from tests.portal.given_browser import a_page

pytestmark = [pytest.mark.browser, pytest.mark.django_db]  # or, alone, they have no database of their own

ROOM = "/projects/lending/brain"
SPEC = f"{ROOM}/read?node=lending/overdue/spec.md"


def row(page, words: str):
    """The row of the tree with these words."""
    return page.get_by_role("treeitem", name=words, exact=True)


def test_a_level_unfolds_in_place_and_folds_again(browser, world):
    with a_page(browser, world) as page:
        page.goto(f"{ROOM}/tree")
        row(page, "wide").locator("svg").first.click()
        row(page, "Branch 0").wait_for()
        assert page.url.endswith("/tree")
        assert row(page, "wide").get_attribute("aria-expanded") == "true"
        row(page, "wide").locator("svg").first.click()
        assert not row(page, "Branch 0").is_visible()


def test_the_words_of_a_row_lead_to_its_page(browser, world):
    with a_page(browser, world) as page:
        page.goto(f"{ROOM}/tree")
        row(page, "lending").click()
        page.wait_for_url(f"**{ROOM}/tree?node=lending/")


def test_the_tree_is_walked_with_the_arrows(browser, world):
    with a_page(browser, world) as page:
        page.goto(f"{ROOM}/tree?node=decisions/")
        assert page.locator("[role=treeitem][tabindex='0']").count() == 1
        row(page, "decisions").focus()
        for key in ("ArrowRight", "ArrowDown"):
            page.keyboard.press(key)
        assert page.evaluate("document.activeElement.textContent").strip() == "ADR-002 Fees by card"
        page.keyboard.press("ArrowRight")
        row(page, "Context").wait_for()
        page.keyboard.press("ArrowRight")
        assert page.evaluate("document.activeElement.textContent").strip() == "Context"
        for key in ("ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowLeft"):
            page.keyboard.press(key)
        assert row(page, "decisions").get_attribute("aria-expanded") == "false"
        page.keyboard.press("End")
        assert page.evaluate("document.activeElement.textContent").strip() == "Long"
        page.keyboard.press("Home")
        page.keyboard.press("Enter")
        page.wait_for_url("**node=decisions/")


def test_brackets_lead_to_the_neighbours(browser, world):
    with a_page(browser, world) as page:
        page.goto(f"{ROOM}/read?node=decisions/001-stamps.md")
        page.keyboard.press("]")
        page.wait_for_url("**node=decisions/002-fees.md")
        page.keyboard.press("[")
        page.wait_for_url("**node=decisions/001-stamps.md")


def test_a_level_that_cannot_be_read_says_so_and_can_be_tried_again(browser, world):
    with a_page(browser, world) as page:
        page.goto(f"{ROOM}/tree")
        row(page, "wide").evaluate("row => row.dataset.level = row.dataset.level.replace('wide', 'gone')")
        row(page, "wide").locator("svg").first.click()
        page.get_by_role("alert").wait_for()
        assert "No such place in the tree" in page.get_by_role("alert").inner_text()
        assert row(page, "wide").get_attribute("aria-expanded") == "false"


def test_a_citation_is_copied(browser, world):
    with a_page(browser, world, permissions=["clipboard-read", "clipboard-write"]) as page:
        page.goto(SPEC)
        page.get_by_role("button", name="Text").click()
        copied = page.evaluate("navigator.clipboard.readText()")
        assert copied.startswith("lending/overdue/spec.md:1-78@")


def test_on_a_phone_the_tree_opens_over_the_page(browser, world):
    with a_page(browser, world, viewport={"width": 360, "height": 800}) as page:
        page.goto(f"{ROOM}/tree")
        assert not row(page, "lending").is_visible()
        page.get_by_role("button", name="Tree", exact=True).click()
        assert row(page, "lending").is_visible()
        page.get_by_role("button", name="Close the tree").click()
        assert not row(page, "lending").is_visible()


def test_without_script_every_room_is_reached_by_links_and_forms(browser, world):
    with a_page(browser, world, java_script_enabled=False) as page:
        page.goto("/")
        page.get_by_role("link", name="Lending desk").click()
        row(page, "lending").click()
        page.get_by_role("link", name="overdue", exact=True).first.click()
        page.get_by_role("link", name="Overdue loans", exact=True).first.click()
        page.get_by_role("link", name="As written").click()
        assert page.locator("#L12").is_visible()
        assert not page.get_by_role("button", name="Text").is_visible()
        page.get_by_role("link", name="Health").click()
        page.get_by_role("link", name="Brain", exact=True).click()
        page.get_by_role("button", name="Account of Ines Okafor").click()
        page.get_by_role("button", name="Dark").click()
        assert page.locator("html").get_attribute("data-theme") == "dark"


def test_signing_in_and_out_without_script(browser, world):
    with a_page(browser, world, who=None, java_script_enabled=False) as page:
        page.goto(f"{ROOM}/tree")
        page.get_by_label("User name").fill("noor")
        page.get_by_label("Password").fill("a long pass phrase")
        page.get_by_role("button", name="Sign in").click()
        assert "No such project" in page.inner_text("h1")
        page.get_by_role("button", name="Account of noor").click()
        page.get_by_role("button", name="Sign out").click()
        page.wait_for_url("**/signin")


def test_what_a_client_is_told_is_copied_whole(browser, world):
    with a_page(browser, world, permissions=["clipboard-read", "clipboard-write"]) as page:
        page.goto("/tokens")
        page.get_by_text("Codex", exact=True).click()
        page.get_by_role("group").filter(has_text="config.toml").get_by_role(
            "button", name="Copy"
        ).first.click()
        copied = page.evaluate("navigator.clipboard.readText()")
        assert copied.split("\n")[:2] == ["[mcp_servers.kintsugi-brain]", f'url = "{world.url}/mcp"']


def test_without_script_the_clients_open_one_at_a_time(browser, world):
    with a_page(browser, world, java_script_enabled=False) as page:
        page.goto("/tokens")
        page.get_by_text("VS Code", exact=True).click()
        assert page.get_by_role("region", name="VS Code: .vscode/mcp.json").is_visible()
        assert not page.get_by_role("region", name="Claude Code: Shell").is_visible()
