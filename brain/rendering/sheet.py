"""What the render rules of one page share: links, headings that are nodes, what is left of the caps."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from brain.rendering import limits

if TYPE_CHECKING:
    from collections.abc import Mapping, MutableMapping, Sequence

    from brain.rendering.values import Heading, Resolve

KEY = "sheet"


@dataclass(slots=True)
class Sheet:
    """The state of one rendering; every page has its own."""

    headings: Mapping[int, Heading]
    resolve: Resolve
    mentions: Mapping[str, str]
    title: str
    own_line: int | None  # of the heading that the page is about
    below: int  # the level of the heading that the text stands under
    numbers: Sequence[int]  # the file's line, from 1, for each line of the parser
    outline: list[Heading] = field(default_factory=list)
    levels: list[int] = field(default_factory=list)  # of the headings that the next one may stand below
    open_links: list[str] = field(default_factory=list)  # what closes each, innermost last
    heading_end: str = ""
    cells_left: int = limits.MAX_TABLE_CELLS
    highlight_left: int = limits.MAX_HIGHLIGHTED

    def file_line(self, line: int) -> int:
        """The line of the file, from 1, for a line of the parser, from 0."""
        return self.numbers[min(line, len(self.numbers) - 1)]

    def lines_of(self, span: list[int] | None) -> str:
        """`lines 4 to 9` for the span of a token; tells two code blocks of one page apart."""
        if not span:
            return ""
        start, end = self.file_line(span[0]), self.file_line(max(span[0], span[1] - 1))
        return f"line {start}" if start == end else f"lines {start} to {end}"


def sheet_of(env: MutableMapping[str, Any]) -> Sheet:
    """The sheet that travels with the parser's environment."""
    return cast("Sheet", env[KEY])
