"""What a search asks for: words, as one types them into a web search."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from brain.markdown.lexemes import MAX_LEXEME, tokens, words
from brain.tree.forks import question_words

MAX_WORDS = 32

_PIECE = re.compile(r'(?P<without>(?<!\S)-(?=["\w]))?(?:"(?P<phrase>[^"]*)"|(?P<word>[^\s"]+))')
_NAME = re.compile(r"\w.*[0-9/#].*|.+\.md", re.IGNORECASE | re.DOTALL)
_AROUND = ".,;:!?()[]<>`'"  # marks around a word that are no part of it
_PLAIN = re.compile(r"[A-Za-z0-9]+")
_DOUBLED = re.compile(r".*([b-df-hj-np-tv-z])\1")
_SHORT = re.compile(r".*[aeiou][bdglmnprt]")  # its last letter may be doubled: cancel, cancelled
_PLURAL_ES = re.compile(r".*(?:s|x|z|ch|sh)es")
_CONSONANT_Y = re.compile(r".*[b-df-hj-np-tv-z]y")


class Asked(NamedTuple):
    """A query taken apart; `required` and `excluded` are conditions in the language of tsquery."""

    words: tuple[str, ...]  # the more of them a node holds the better
    required: tuple[str, ...]  # quoted phrases
    excluded: tuple[str, ...]  # after a hyphen
    names: tuple[str, ...]  # what may be a reference id, a path or a node id, as written
    needles: tuple[str, ...]  # what is wanted, and
    unwanted: tuple[str, ...]  # what is not, as written, for a search of exact text


class _Piece(NamedTuple):
    text: str
    phrase: bool
    without: bool


def ask(query: str) -> Asked:
    """What this query asks for: plain words, `"a phrase"`, `-word` leaves out, `or` between words: either.

    Where nothing is wanted but only left out, the words are wanted: `-Force` is an option's name, too.
    """
    pieces = [
        _Piece(found["word"] or found["phrase"] or "", found["word"] is None, bool(found["without"]))
        for found in _PIECE.finditer(query)
    ]
    wanted = [piece for piece in pieces if not piece.without]
    unwanted = [piece for piece in pieces if piece.without]
    if not words(" ".join(piece.text for piece in wanted)):
        wanted, unwanted = pieces, []
    asked = question_words(" ".join(piece.text for piece in wanted))
    written = [piece.text if piece.phrase else piece.text.strip(_AROUND) for piece in wanted]
    return Asked(
        words=asked[:MAX_WORDS],
        required=tuple(filter(None, map(_either, _choices(wanted))))[:MAX_WORDS],
        excluded=tuple(filter(None, (_condition(piece.text) for piece in unwanted)))[:MAX_WORDS],
        names=tuple(name for name in written if len(written) == 1 or _NAME.fullmatch(name))[:MAX_WORDS],
        needles=tuple(text for text in written if not set(words(text)).isdisjoint(asked)),
        unwanted=tuple(piece.text for piece in unwanted if words(piece.text)),
    )


def any_of(lexemes: Iterable[str]) -> str:
    """The condition that one of these lexemes stands there; they hold no mark that needs more than quotes."""
    return " | ".join(f"'{lexeme}'" for lexeme in lexemes)


def forms(word: str) -> frozenset[str]:
    """Other forms that an English word may have by its ending; most of them are no words."""
    if len(word) < 3 or not (word.isascii() and word.isalpha()):
        return frozenset()
    bases = [base for base in _bases(word) if len(base) > 2]
    found = {form for base in bases for form in _inflected(base)}
    return frozenset(found | {f"{word}s"} if word.endswith("ing") else found) - {word}


def _choices(pieces: Iterable[_Piece]) -> Iterator[list[_Piece]]:
    """The pieces in groups: those that `or` joins, every other one by itself."""
    group: list[_Piece] = []
    joined = True
    for piece in pieces:
        if piece.text in ("or", "OR") and not piece.phrase:
            joined = True
            continue
        if not joined:
            yield group
            group = []
        group.append(piece)
        joined = False
    yield group


def _either(group: list[_Piece]) -> str:
    """The condition that one of these is met; none when there is no phrase, since words are no condition."""
    if not any(piece.phrase for piece in group):
        return ""
    return " | ".join(filter(None, (_condition(piece.text) for piece in group)))


def _condition(text: str) -> str:
    """That all of this text stands there: plain words one after the other, other tokens anywhere."""
    parts: list[str] = []
    after_plain = False
    for token in tokens(text):
        plain = _PLAIN.fullmatch(token) is not None
        condition = f"'{token.lower()}'" if plain else _of_token(token)
        if plain and after_plain:
            parts[-1] += f" <-> {condition}"
        elif condition:
            parts.append(condition)
        after_plain = plain
    return " & ".join(f"({part})" for part in parts)


def _of_token(token: str) -> str:
    """That a token stands there as a whole, or all its parts do: `a/b.md`, `DEC-0054`, a Chinese sentence."""
    whole, parts = token.lower(), [word for word in words(token) if word != token.lower()]
    ways = [f"'{whole}'"] if len(whole) <= MAX_LEXEME else []
    if parts:
        ways.append("(" + " & ".join(f"'{part}'" for part in parts) + ")")
    return " | ".join(ways)


def _bases(word: str) -> list[str]:
    """What the word would be without its ending; itself where it seems to have none."""
    if word.endswith(("ies", "ied")):
        return [f"{word[:-3]}y"]
    if word.endswith(("ing", "ed")):
        base = word[: -3 if word.endswith("ing") else -2]
        return [base, base[:-1] if _DOUBLED.fullmatch(base) else f"{base}e"]
    if _PLURAL_ES.fullmatch(word):
        return [word[:-2]]
    return [word[:-1] if word.endswith("s") and not word.endswith("ss") else word]


def _inflected(base: str) -> list[str]:
    if base.endswith("e"):
        return [base, f"{base}s", f"{base}d", f"{base[:-1]}ing"]
    if _CONSONANT_Y.fullmatch(base):
        return [base, f"{base[:-1]}ies", f"{base[:-1]}ied", f"{base}ing"]
    double = base + base[-1] if _SHORT.fullmatch(base) else base
    plural = f"{base}es" if _PLURAL_ES.fullmatch(f"{base}es") else f"{base}s"
    return [base, plural, f"{base}ed", f"{base}ing", f"{double}ed", f"{double}ing"]
