"""The line of a text that shows the words of a question best, with the words marked. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice

from brain.markdown.lexemes import normal, words

LONGEST = 300  # characters of a highlight, marks included
MARK = "**"

_BEFORE = 80  # characters of a long line shown before its first word
_CUT = LONGEST - 10 * 2 * len(MARK)  # characters of a line that are shown: ten words can be marked
_LOOKED_AT = 100_000  # characters of a line
_TOKEN = re.compile(r"\w(?:[\w./-]*\w)?")

type Span = tuple[int, int]  # of a line: from here up to and without there


class Marker:
    """Finds the words of a question, each by every lexeme that stands for it: `refunds` shows `refund`."""

    def __init__(self, asked: Mapping[str, str]) -> None:
        self._asked = asked  # the word of each lexeme
        self._number = len(set(asked.values()))
        self._shown: dict[str, tuple[str, ...]] = {}
        longest_first = sorted(asked, key=len, reverse=True)
        self._any = re.compile("|".join(map(re.escape, longest_first)) or r"(?!)")

    def best_line(self, lines: Iterable[str]) -> int | None:
        """The place of the line with the most words, the first of such; None when no line has one."""
        best, most = None, 0
        for place, line in enumerate(line[:_LOOKED_AT] for line in lines):
            if line.isascii() and not self._any.search(line.lower()):
                continue
            shown = len({word for token in _TOKEN.findall(normal(line)) for word in self._words_in(token)})
            if shown > most:
                best, most = place, shown
            if most == self._number:
                break
        return best

    def marked(self, line: str) -> str:
        """The line with its words between ** and **; a long one is cut around the first."""
        return marked(line, self._spans)

    def _spans(self, line: str) -> Iterator[Span]:
        for token in _TOKEN.finditer(line):
            if self._words_in(token[0]):
                yield from self._spans_in(token[0], token.start())

    def _spans_in(self, token: str, start: int) -> Sequence[Span]:
        """The token; of a sentence written without blanks only the words in it."""
        lowered = token.lower()
        if not (token.isascii() or lowered in self._asked) and len(lowered) == len(token):
            inside = [(start + one.start(), start + one.end()) for one in self._any.finditer(lowered)]
            if inside:
                return inside
        return [(start, start + len(token))]

    def _words_in(self, token: str) -> tuple[str, ...]:
        """The words of the question that a token shows; tokens come again and again."""
        found = self._shown.get(token)
        if found is None:
            found = self._shown[token] = tuple(
                self._asked[word] for word in words(token) if word in self._asked
            )
        return found


def marked(line: str, spans_in: Callable[[str], Iterable[Span]]) -> str:
    """The line with the spans that are found in it between ** and **; a long one is cut around the first."""
    first = next(iter(spans_in(line[:_LOOKED_AT])), (0, 0))[0]
    start = max(0, min(first - _BEFORE, len(line) - _CUT)) if len(line) > _CUT else 0
    bold = line.count(MARK, 0, start) % 2 > 0
    line = line[start : start + _CUT]
    pieces, at = [], 0
    for first, last in islice(_plain(line, spans_in(line), bold=bold), (LONGEST - len(line)) // 4):
        pieces += [line[at:first], MARK, line[first:last], MARK]
        at = last
    return "".join([*pieces, line[at:]])


def _plain(line: str, spans: Iterable[Span], *, bold: bool) -> Iterator[Span]:
    """The spans with no asterisks around them, or open before them: more would make other Markdown."""
    for first, last in spans:
        inside = (line.count(MARK, 0, first) + bold) % 2 > 0
        if not inside and "*" not in (line[max(0, first - 1) : first], line[last : last + 1]):
            yield first, last
