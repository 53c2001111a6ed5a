"""Takes the pictures of the README from a running portal: `docs/screenshots.py http://127.0.0.1:8790 SLUG`.

The member's name and password are taken from KINTSUGI_NAME and KINTSUGI_PASSWORD. Run it with the
developers' packages: `./run --dev python docs/screenshots.py …`.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from playwright.sync_api import sync_playwright

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

IMAGES = Path(__file__).resolve().parent / "images"
LARGEST = 150_000  # bytes of one picture
DECISION = "docs/decisions/0003-rows-keyed-by-hash.md"
PICTURES = {  # name with its theme: address below the project's Brain, width and height
    "tree-light": ("tree?node=docs/decisions/", 1120, 640),
    "decision-light": (f"read?node={DECISION}", 1320, 600),
    "written-dark": (f"read?node={DECISION}&view=written", 1120, 640),
    "health-dark": ("broken", 1120, 640),
    "brain-light": ("", 1120, 640),
}


def main() -> None:
    """Take every picture."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("address", help="where the portal answers")
    parser.add_argument("slug", help="the project of this repository")
    given = parser.parse_args()
    with sync_playwright() as playwright:
        program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
        browser = playwright.chromium.launch(
            executable_path=program, args=["--no-sandbox", "--disable-lcd-text"]
        )
        for name, (room, width, height) in PICTURES.items():
            page = signed_in(browser, given.address, theme=name.rpartition("-")[2])
            page.set_viewport_size({"width": width, "height": height})
            page.goto(f"{given.address}/projects/{given.slug}/brain{room and f'/{room}'}")
            keep(page, IMAGES / f"{name}.png")
        browser.close()


def signed_in(browser: Browser, address: str, *, theme: str) -> Page:
    """A page of the member, in this theme."""
    page = browser.new_context(color_scheme="dark" if theme == "dark" else "light").new_page()
    page.goto(f"{address}/signin")
    page.get_by_label("User name").fill(os.environ["KINTSUGI_NAME"])
    page.get_by_label("Password").fill(os.environ["KINTSUGI_PASSWORD"])
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(f"{address}/")
    return page


def keep(page: Page, path: Path) -> None:
    """Write the picture, unless it would be too large for a README."""
    path.parent.mkdir(exist_ok=True)
    picture = page.screenshot(animations="disabled")
    if len(picture) > LARGEST:
        raise SystemExit(f"{path.name} has {len(picture):,} bytes; at most {LARGEST:,} are kept.")
    path.write_bytes(picture)
    sys.stdout.write(f"{path.name}  {len(picture):,} bytes\n")


if __name__ == "__main__":
    main()
