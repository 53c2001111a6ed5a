"""The second layer of safety: only tags, attributes and addresses on these lists leave the renderer."""

from __future__ import annotations

import re
from functools import cache

import nh3

TAGS = {
    "a", "blockquote", "br", "code", "div", "em", "figcaption", "figure", "h2", "h3", "h4", "h5", "h6", "hr",
    "kbd", "li", "ol", "p", "pre", "s", "section", "span", "strong", "sub", "sup", "svg", "table", "tbody",
    "td", "th", "thead", "tr", "ul", "use",
}  # fmt: skip
HEADINGS = ("h2", "h3", "h4", "h5", "h6")
ATTRIBUTES = {
    "a": {"aria-label", "href", "id", "title"},
    "div": {"aria-label"},
    "li": {"id"},
    "ol": {"start"},
    "pre": {"aria-label"},
    "section": {"aria-label"},
    "span": {"title"},
} | {heading: {"id"} for heading in HEADINGS}
TONES = ("info", "ok", "gold", "warn", "bad")
VALUES = {
    "a": {"rel": {"noopener noreferrer nofollow"}},
    "div": {
        "data-tone": set(TONES),
        "role": {"note", "region"},
        "tabindex": {"0"},
    },
    "pre": {"role": {"region"}, "tabindex": {"0"}},
    "span": {"data-done": {""}},
    "svg": {"aria-hidden": {"true"}},
    "th": {"scope": {"col"}},
    "use": {"href": {f"#i-{name}" for name in ("anchor", "back", "check", "cross", "info", "mend", "warn")}},
}
CLASSES = {
    "a": {"broken", "mention", "perma"},
    "div": {"alert", "scroll"},
    "figure": {"code"},
    "ol": {"tasks"},
    "p": {"alert-name"},
    "section": {"footnotes"},
    "span": {"box", "broken", "ref", "vh", "c", "d", "f", "k", "n", "s"},
    "svg": {"i"},
    "td": {"num"},
    "th": {"num"},
    "ul": {"tasks"},
} | {heading: {"card-head"} for heading in HEADINGS}
SCHEMES = {"http", "https", "mailto"}
ADDRESS = re.compile(
    r"https?://[^\\]|mailto:|#|/(?![/\\])"
)  # `//host` and `/\\host` are other hosts to a browser


def clean(html: str) -> str:
    """`html` without anything that is not on the lists above."""
    return _cleaner().clean(html)


@cache
def _cleaner() -> nh3.Cleaner:
    return nh3.Cleaner(
        tags=TAGS,
        clean_content_tags={"script", "style"},
        attributes=ATTRIBUTES,
        attribute_filter=_only_safe,
        tag_attribute_values=VALUES,
        allowed_classes=CLASSES,
        url_schemes=SCHEMES,
        link_rel=None,
    )


def _only_safe(_tag: str, attribute: str, value: str) -> str | None:
    """No id that the page could look for itself, no address that a browser reads another way."""
    if attribute == "id":
        return value if value.startswith("h-") else None
    return None if attribute == "href" and not ADDRESS.match(value) else value
