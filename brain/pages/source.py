"""The text of a page as it is written: numbered lines, each with what kind of line it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from brain.markdown.front_matter import read_front_matter
from brain.markdown.lines import BYTE_ORDER_MARK
from brain.reads.answers import Reading
from brain.tree.nodes import Kind, Node


@dataclass(frozen=True, slots=True)
class SourceLine:
    """A line of the file; `style` is `hd` for a heading that is a node and `dim` for front matter."""

    number: int
    text: str
    style: str = ""


def source_lines(reading: Reading, outline: Sequence[Node]) -> tuple[SourceLine, ...]:
    """The reading's text by the lines that Git counts."""
    if reading.citation is None:
        return ()
    first = reading.citation.line_start
    headings = {node.lines.start for node in outline if node.lines and node.kind in (Kind.SECTION, Kind.CARD)}
    body = first + _front_matter_lines(reading.text) if first == 1 else 0
    lines = reading.text.removesuffix("\n").split("\n")
    return tuple(
        SourceLine(number, line, "hd" if number in headings else "dim" if number < body else "")
        for number, line in enumerate(lines, start=first)
    )


def _front_matter_lines(text: str) -> int:
    bare = text.removeprefix(BYTE_ORDER_MARK)
    return bare[: read_front_matter(bare).length].count("\n")
