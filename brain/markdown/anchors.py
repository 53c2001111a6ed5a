"""GitHub's heading anchors, and the reference ids that teams give their rules."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

MAX_ID = 128  # characters of a reference id

# Letters that are no letters by category (circled ones); github-slugger 2 keeps them.
_CIRCLED = ((0x24B6, 0x24E9), (0x1F130, 0x1F149), (0x1F150, 0x1F169), (0x1F170, 0x1F189))
_KEPT = ("L", "M", "Nd", "Nl", "Pc")
_NOT_IN_SLUG = re.compile(r"[^a-z0-9_\- ]")

# A letter or digit (of any script) or a hyphen on either side makes it part of another word.
_ID = r"[A-Z][A-Z0-9]*+(?:-[A-Z0-9]+)*?-[0-9]{1,8}(?![^\W_])(?!-)"
_STARTS_WITH_ID = re.compile(_ID)
_MENTIONED_ID = re.compile(r"(?<![^\W_])(?<!-)" + _ID)
_WEB_ADDRESS = re.compile(r"(?:\b[a-zA-Z][a-zA-Z0-9+.-]{0,30}://|\bwww\.)\S+")


class Slugger:
    """Hands out the anchors of one document, in order; a slug once given is never given again.

    Source: the behaviour of github-slugger 2, which was recorded from GitHub.
    """

    def __init__(self) -> None:
        self._given: dict[str, int] = {}

    def give(self, heading: str) -> str:
        """The anchor of the next heading with this rendered text."""
        slug = original = slug_of(heading)
        while slug in self._given:
            self._given[original] += 1
            slug = f"{original}-{self._given[original]}"
        self._given[slug] = 0
        return slug


def slug_of(heading: str) -> str:
    """The slug GitHub gives to a heading's rendered text, before it is numbered."""
    lowered = heading.lower()
    return _NOT_IN_SLUG.sub(_kept, lowered).replace(" ", "-")


def _kept(match: re.Match[str]) -> str:
    return match[0] if _in_slug(match[0]) else ""


@cache
def _in_slug(character: str) -> bool:
    if character < "\x80":
        return False  # the pattern has kept what ASCII has to keep
    if unicodedata.category(character).startswith(_KEPT):
        return True
    return any(first <= ord(character) <= last for first, last in _CIRCLED)


def leading_id(text: str, not_prefixes: Collection[str]) -> str | None:
    """The reference id the text starts with, if it does; technical words such as UTF-8 are none."""
    match = _STARTS_WITH_ID.match(text)
    return match[0] if match and _is_id(match[0], not_prefixes) else None


def mentioned_ids(text: str, not_prefixes: Collection[str]) -> Iterator[str]:
    """The reference ids a text mentions outside web addresses, in order."""
    if "-" not in text:
        return
    if "://" in text or "www." in text:
        text = _WEB_ADDRESS.sub(" ", text)
    for match in _MENTIONED_ID.finditer(text):
        if _is_id(match[0], not_prefixes):
            yield match[0]


def may_mention(text: str) -> bool:
    """Whether it pays to look for reference ids in this text."""
    return _MENTIONED_ID.search(text) is not None


def _is_id(candidate: str, not_prefixes: Collection[str]) -> bool:
    return len(candidate) <= MAX_ID and candidate.partition("-")[0] not in not_prefixes
