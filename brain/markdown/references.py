"""What a document says of other places: its links and the ids it mentions, in order."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from brain.markdown.anchors import may_mention, mentioned_ids
from brain.markdown.headings import without_comments
from brain.markdown.syntax import is_plain, may_link, rendered_text

if TYPE_CHECKING:
    from markdown_it.token import Token

    from brain.markdown.blocks import Layout
    from brain.markdown.headings import Heading

LINK = "link"
MENTION = "mention"

_LINE_END = re.compile("\n")
_NAMED_ANCHOR = re.compile(
    r"""<a\s(?:[^<>]{0,500}\s)?(?:id|name)\s*=\s*["']?([^\s"'<>]{1,200})""", re.IGNORECASE
)


class Reference(NamedTuple):
    """One link or mention as written: a raw destination or an id."""

    anchor: str  # of the section or card whose own lines hold it; "": the document's own text
    kind: str  # LINK or MENTION
    target: str
    line: int


class Said(NamedTuple):
    """All that a document says of other places, and the anchors it names with `<a id>`."""

    references: list[Reference]
    named: list[str]


def references_of(
    layout: Layout, numbers: Sequence[int], headings: Sequence[Heading], not_prefixes: Collection[str]
) -> Said:
    """A document's references in the order of their position, each at the line of the file it stands on.

    `numbers` gives the file's line for a token's; `headings` are all of the document's.
    The anchor is left empty: `placed` knows the document's parts.
    """
    starts = {heading.token + 1: len(heading.reference_id or "") for heading in headings if _defines(heading)}
    references: list[Reference] = []
    named: list[str] = []
    for index in layout.inlines:
        token = layout.tokens[index]
        if not _worth_reading(token.content, layout.environment):
            continue
        first = token.map[0] if token.map else 0
        for kind, target, below in _found(layout, token, not_prefixes, starts.get(index, 0)):
            if kind:
                references.append(Reference("", kind, target, numbers[first + below]))
            else:
                named.append(target)
    return Said(references, [*named, *_named_in_html(layout.tokens)])


def placed(
    references: Sequence[Reference], starts: Sequence[int], anchors: Sequence[str]
) -> tuple[Reference, ...]:
    """The references, each with the anchor of the part it stands in.

    `starts` are the first lines of the document's parts in order, the document's own first.
    """
    return tuple(
        reference._replace(anchor=anchors[max(0, bisect_right(starts, reference.line) - 1)])
        for reference in references
    )


def _defines(heading: Heading) -> bool:
    return heading.reference_id is not None and (heading.is_node or heading.is_title)


def _worth_reading(content: str, environment: dict[str, Any]) -> bool:
    if may_link(content, environment) or may_mention(content):
        return True
    return "<" in content and ("://" in content or "<a" in content.lower())


_Found = tuple[str, str, int]  # kind ("": a named anchor), target, lines below the block's first


def _found(layout: Layout, block: Token, not_prefixes: Collection[str], skip: int) -> Iterator[_Found]:
    """What one block says; `skip` characters of its text are an id that its heading defines."""
    if is_plain(block.content):
        yield from ((MENTION, name, 0) for name in mentioned_ids(block.content[skip:], not_prefixes))
    else:
        yield from _found_by_parsing(layout, block, not_prefixes, skip)


def _found_by_parsing(
    layout: Layout, block: Token, not_prefixes: Collection[str], skip: int
) -> Iterator[_Found]:
    line_ends = [end.start() for end in _LINE_END.finditer(block.content)]
    linked = 0
    for token in layout.inline(block):
        below = bisect_left(line_ends, token.meta.get("at", 0))
        if token.type == "link_open":
            linked += 1
            yield LINK, str(token.attrs["href"]), below
        elif token.type == "link_close":
            linked -= 1
        elif token.type == "html_inline":
            yield from (("", name, below) for name in _NAMED_ANCHOR.findall(token.content))
        elif token.type == "text" and not linked:
            yield from ((MENTION, name, below) for name in mentioned_ids(token.content[skip:], not_prefixes))
        skip = skip and max(0, skip - len(rendered_text([token])))


def _named_in_html(tokens: Sequence[Token]) -> Iterator[str]:
    for token in tokens:
        if token.type == "html_block" and "<a" in token.content.lower():
            yield from _NAMED_ANCHOR.findall(without_comments(token.content))
