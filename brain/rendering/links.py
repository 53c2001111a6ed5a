"""Links, images and mentions: only addresses that were resolved or are plainly outside become links."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING

from markdown_it.common.normalize_url import normalizeLink

from brain.rendering.markup import attributes, hidden, plain_text
from brain.rendering.sheet import sheet_of
from brain.rendering.values import LinkTarget, Way

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_it.token import Token
    from markdown_it.utils import EnvType, OptionsDict

    from brain.rendering.sheet import Sheet

OUTSIDE = re.compile(r"(?:https?://|mailto:)[^\s\\]", re.IGNORECASE)
BARE = re.compile(r"https?://[^\s<>\"]+|[\w-]+", re.IGNORECASE)  # an address in the text, or a word
MAX_ADDRESS = 2_000  # characters
AFTER_ADDRESS = ".,:;!?'*_)]}"  # what ends a sentence, not an address
NOT_FOLLOWED = LinkTarget(Way.FILE, title="Links of this kind are not followed")
REL = "noopener noreferrer nofollow"


def link_open(tokens: Sequence[Token], index: int, _options: OptionsDict, env: EnvType) -> str:
    """The start of a link; what ends it is remembered for `link_close`."""
    sheet = sheet_of(env)
    token = tokens[index]
    target = target_of(sheet, str(token.attrs.get("href", "")))
    start, end = _tags(target, str(token.attrs.get("title", "")))
    sheet.open_links.append(end)
    return start


def link_close(_tokens: Sequence[Token], _index: int, _options: OptionsDict, env: EnvType) -> str:
    """The end of the innermost open link."""
    return sheet_of(env).open_links.pop()


def image(tokens: Sequence[Token], index: int, _options: OptionsDict, env: EnvType) -> str:
    """A picture's words, linked to it: nothing is ever loaded from another place (safety, X9)."""
    sheet = sheet_of(env)
    token = tokens[index]
    address = str(token.attrs.get("src", ""))
    words = plain_text(token.children) or address.rpartition("/")[2] or "no description"
    shown = hidden("Image: ") + escape(words)
    if sheet.open_links:
        return shown
    start, end = _tags(target_of(sheet, address), str(token.attrs.get("title", "")))
    return start + shown + end


def text(tokens: Sequence[Token], index: int, _options: OptionsDict, env: EnvType) -> str:
    """Words; a bare address is linked, and so is each reference id that other nodes define."""
    sheet = sheet_of(env)
    content = tokens[index].content
    if sheet.open_links:
        return escape(content)
    pieces = []
    after = 0
    for found in BARE.finditer(content):
        words = found.group()
        link = _address(words) if ":" in words else _mention(sheet, words)
        pieces.append(escape(content[after : found.start()]) + (link or escape(words)))
        after = found.end()
    return "".join(pieces) + escape(content[after:])


def target_of(sheet: Sheet, address: str) -> LinkTarget:
    """Where an address leads: what the caller says, else outside if it is plainly that, else nowhere."""
    address = address.strip()
    known = sheet.resolve(address)
    if known is not None:
        return known
    if OUTSIDE.match(address):
        return LinkTarget(Way.OUTSIDE, normalizeLink(address))
    return NOT_FOLLOWED


def _tags(target: LinkTarget, title: str) -> tuple[str, str]:
    told = target.title or title
    match target.way:
        case Way.PAGE if target.url:
            return f"<a{attributes(href=target.url, title=told)}>", "</a>"
        case Way.OUTSIDE if OUTSIDE.match(target.url):
            return f"<a{attributes(href=target.url, title=told, rel=REL)}>", "</a>"
        case Way.BROKEN:
            name = "a" if target.url else "span"
            start = f"<{name}{attributes(class_='broken', href=target.url, title=told)}>"
            return start, hidden(" (broken link)") + f"</{name}>"
        case _:
            return f"<span{attributes(title=told)}>", "</span>"


def _mention(sheet: Sheet, word: str) -> str:
    url = sheet.mentions.get(word)
    return f'<a class="mention"{attributes(href=url)}>{escape(word)}</a>' if url else ""


def _address(words: str) -> str:
    address = words.rstrip(AFTER_ADDRESS)
    if len(address) > MAX_ADDRESS:
        return ""
    start, end = _tags(LinkTarget(Way.OUTSIDE, normalizeLink(address)), "")
    return start + escape(address) + end + escape(words[len(address) :])
