"""What a rendered page may hold, read by an HTML parser: the test's own list, not the cleaner's."""

from __future__ import annotations

from html.parser import HTMLParser
from urllib.parse import urlsplit

TAGS = {
    *(
        "a",
        "blockquote",
        "br",
        "code",
        "div",
        "em",
        "figcaption",
        "figure",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "hr",
    ),
    *("kbd", "li", "ol", "p", "pre", "s", "section", "span", "strong", "sub", "sup", "svg", "table", "tbody"),
    *("td", "th", "thead", "tr", "ul", "use"),
}
ATTRIBUTES = {
    *("aria-hidden", "aria-label", "class", "data-done", "data-tone", "href", "id", "rel", "role", "scope"),
    *("start", "tabindex", "title"),
}


class Findings(HTMLParser):
    """Collects everything of a page that is not allowed."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.bad: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in TAGS:
            self.bad.append(f"<{tag}>")
        for name, value in attrs:
            self._attribute(tag, name, value or "")

    def _attribute(self, tag: str, name: str, value: str) -> None:
        if name not in ATTRIBUTES:
            self.bad.append(f"{tag} {name}")
        if name == "id":
            self.ids.append(value)
            if not value.startswith("h-"):
                self.bad.append(f"id {value}")
        if name == "href":
            self.links.append(value)
            if tag == "use" and not value.startswith("#i-"):
                self.bad.append(f"use {value}")
            if not _is_safe(value):
                self.bad.append(f"href {value}")

    def handle_data(self, data: str) -> None:
        self.text.append(data)

    def handle_comment(self, data: str) -> None:
        self.bad.append(f"<!--{data}")

    def handle_decl(self, decl: str) -> None:
        self.bad.append(f"<!{decl}")

    def handle_pi(self, data: str) -> None:
        self.bad.append(f"<?{data}")


def findings_in(html: str) -> Findings:
    """The page as a parser reads it."""
    findings = Findings()
    findings.feed(html)
    findings.close()
    return findings


def _is_safe(address: str) -> bool:
    if address.startswith("#"):
        return True
    if any(ord(character) < 0x20 for character in address):
        return False
    if address.startswith("/"):
        return not address.startswith(("//", "/\\"))
    return urlsplit(address).scheme in {"http", "https", "mailto"}
