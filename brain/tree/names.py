"""What besides its id a node can be looked up by: names and numbers, in any case."""

from __future__ import annotations

import hashlib
import re
from typing import NamedTuple

from brain.tree.nodes import Kind, Node

_LEADING_NUMBER = re.compile(r"[0-9]{1,18}(?![0-9])")
_ASKED_NUMBER = re.compile(r"(?:[^\W\d_]{1,16}[\s#-]*)?([0-9]{1,18})\Z")


class Names(NamedTuple):
    """How people call a document or folder beside its path."""

    stem: str  # its own name, a document's without the extension
    number: int | None  # that its name starts with: 1327 for 1327-dropck.md


def names_of(node: Node) -> Names | None:
    """The names of a document or folder; a section or card has none."""
    if node.kind not in (Kind.DOCUMENT, Kind.FOLDER):
        return None
    name = stem_of(node.path.rstrip("/").rpartition("/")[2])
    number = _LEADING_NUMBER.match(name)
    return Names(name, int(number[0]) if number else None)


def stem_of(name: str) -> str:
    """A file's name without the extension of Markdown."""
    return name[:-3] if name.lower().endswith(".md") and len(name) > 3 else name


def asked_number(query: str) -> int | None:
    """The number a query asks for, as in `1327`, `RFC 1327` or `adr-12`."""
    match = _ASKED_NUMBER.match(query.strip())
    return int(match[1]) if match else None


def text_key(text: str) -> int:
    """A 64-bit key under which a text is found in any case, however long it is."""
    digest = hashlib.sha256(text.casefold().encode(errors="replace")).digest()
    return int.from_bytes(digest[:8], "big", signed=True)
