"""The words of a text that PostgreSQL's parser does not find by itself; for builder and search alike.

The parser of the `simple` configuration keeps `a/b/chargeCustomer` and a whole Chinese sentence as one
word, reads `DEC-0054` as `dec` and `-0054`, and does not know that `cafe` means `café`.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_LEXEME = 64  # characters
MAX_LEXEMES = 10_000  # of one text

# Every token but the plain words, which the parser finds by itself unless a slash stands before them.
_TOKEN = re.compile(r"\b(?![A-Za-z][a-z]*(?!\w|[./-]\w))\w[\w./-]*")
_ANY_TOKEN = re.compile(r"\w(?:[\w./-]*\w)?")
_AFTER_SLASH = re.compile(r"/(?<!\w/)\w[\w./-]*")
# Looked for only where a word begins: from every letter of it, one long word would take time squared.
_ID = re.compile(r"(?<![A-Za-z0-9-])[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*-[0-9]{1,8}")
_KEPT = re.compile(r"[\w \t\n./-]")
_PART = re.compile(r"[^\W_]+")
_HUMP = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
# Han, kana, Hangul, bopomofo: scripts written without spaces, or whose words are searched in pieces.
_DENSE = re.compile(
    "[\u3005\u3007\u3040-\u30ff\u3100-\u312f\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003fffd]+"
)


def side_lexemes(text: str) -> list[str]:
    """The extra lexemes of a text, lower case, sorted, each once.

    Ids (whole, parts, numbers without leading zeros), parts of paths, of camelCase and of snake_case,
    bigrams of Chinese, Japanese and Korean, and unaccented forms.
    """
    text = normal(text)
    special = {*_TOKEN.findall(text), *_AFTER_SLASH.findall(text)}
    short = [token for token in special if len(token) <= MAX_LEXEME]
    found = set(chain.from_iterable(map(_of_short_token, short)))
    found.update(chain.from_iterable(map(_of_token, special.difference(short))))
    return sorted(lexeme for lexeme in found if 0 < len(lexeme) <= MAX_LEXEME)[:MAX_LEXEMES]


def words(text: str) -> tuple[str, ...]:
    """The words of a text in order, each once and lower case: what a question asks for, and a title says.

    Those that the parser finds and those of `side_lexemes`; of a token the whole comes before its parts.
    """
    parts = (_of_short_word(token) if len(token) <= MAX_LEXEME else _of_word(token) for token in tokens(text))
    return tuple(dict.fromkeys(chain.from_iterable(parts)))


def tokens(text: str) -> list[str]:
    """What stands between blanks and other marks, in order: words, and those that `.`, `/`, `-`, `_` join."""
    found: list[str] = _ANY_TOKEN.findall(normal(text))
    return found


def normal(text: str) -> str:
    """The text in NFC, the form in which words are stored and asked for."""
    return (
        text
        if text.isascii() or unicodedata.is_normalized("NFC", text)
        else unicodedata.normalize("NFC", text)
    )


class _Blanks(dict[int, int]):
    """By the code of each character what the parser is to see of it, worked out when it is first met."""

    def __missing__(self, code: int) -> int:
        self[code] = code if _KEPT.match(chr(code)) else ord(" ")
        return self[code]


_BLANKS = _Blanks()


def parsable(text: str) -> str:
    """The text with a blank for every mark that is no part of a word, for PostgreSQL's parser to split.

    It would take `<String>` for a tag, an em dash for a letter, and what follows `?` for an address.
    """
    return text.translate(_BLANKS)


@lru_cache(maxsize=16_384)
def _of_short_token(token: str) -> tuple[str, ...]:
    """What `_of_token` gives: a build meets the same few thousand tokens again and again."""
    return tuple(_of_token(token))


@lru_cache(maxsize=16_384)
def _of_short_word(token: str) -> tuple[str, ...]:
    """What `_of_word` gives: titles and summaries hold the same few thousand tokens again and again."""
    return _of_word(token)


def _of_word(token: str) -> tuple[str, ...]:
    every = (token.lower(), *_of_token(token))
    return tuple(word for word in every if len(word) <= MAX_LEXEME and _PART.search(word))


def _of_token(token: str) -> Iterator[str]:
    if "-" in token:
        yield from (name.lower() for name in _ID.findall(token))
    for part in _PART.findall(token):
        if not part.isascii():
            yield from _written_parts(part)
            continue
        if len(part) < len(token) or part[0].isdigit() > part.isdigit():
            yield part.lower()
        if part.isdigit():
            yield part.lstrip("0") or "0"
        elif not (part.islower() or part.isupper() or part[1:].islower()):
            yield from (hump.lower() for hump in _HUMP.findall(part))


def _written_parts(part: str) -> Iterator[str]:
    lowered = part.lower()
    yield lowered
    runs = _DENSE.findall(lowered)
    for run in runs:
        yield from (run[start : start + 2] for start in range(max(1, len(run) - 1)))
    if runs:
        yield from filter(None, _DENSE.split(lowered))  # `API` between them
    plain = unaccented(lowered)
    if plain != lowered:
        yield plain


def unaccented(word: str) -> str:
    """The word without its accents, as someone without them on the keyboard would type it."""
    decomposed = unicodedata.normalize("NFKD", word.casefold())
    return unicodedata.normalize("NFC", "".join(c for c in decomposed if not unicodedata.combining(c)))
