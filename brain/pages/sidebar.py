"""The tree at the side: the levels from the root to a node, each a window of its siblings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from brain.pages.addresses import is_folder
from brain.reads.answers import Level
from brain.reads.tree import read_tree
from brain.store import Store
from brain.tree.nodes import ROOT, Node

WINDOW = 100  # siblings shown; the rest is one link away
OPEN_SECTIONS = 60  # a document with more of them opens one level only


@dataclass(frozen=True, slots=True)
class More:
    """What a level holds beyond its window."""

    parent: str  # node id
    left: int
    offset: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A row of the tree; `position` and `siblings` are of its whole level, whatever part is shown."""

    node: Node
    depth: int
    position: int  # from 1; 0: unknown
    siblings: int
    current: bool = False
    items: tuple[Item, ...] = ()
    more: More | None = None


@dataclass(frozen=True, slots=True)
class Trail:
    """The way from the root to the current node, and what was read along it."""

    current: str  # node id
    levels: Mapping[str, Level]  # of the folders on the way, by node id
    document: Node | None = None
    below: Mapping[str | None, Sequence[Node]] = field(default_factory=dict)  # its sections, by parent
    deep: bool = True  # whether sections of sections are shown


def sidebar(store: Store, steps: Sequence[str], current: str, outline: Sequence[Node] = ()) -> Item:
    """The root, opened along `steps` (node ids, root first) to the current node.

    `outline` is the document that the current node is or stands in, itself first; it is not read again.
    """
    levels = {step: read_tree(store, step, limit=WINDOW) for step in steps if is_folder(step)}
    below: dict[str | None, list[Node]] = {}
    for section in outline[1:]:
        below.setdefault(section.parent, []).append(section)
    document = outline[0] if outline else None
    trail = Trail(current, levels, document, below, deep=len(outline) <= OPEN_SECTIONS)
    return _opened(Item(node=levels[ROOT].node, depth=0, position=1, siblings=1), trail)


def level_items(level: Level) -> tuple[Item, ...]:
    """The rows of one level alone, as they join a tree that stands."""
    depth = len(level.breadcrumb)
    numbered = enumerate((branch.node for branch in level.children), start=level.offset + 1)
    return tuple(Item(node=node, depth=depth, position=at, siblings=level.total) for at, node in numbered)


def more_of(level: Level) -> More | None:
    """What the level holds beyond its window."""
    after = level.next_offset
    return None if after is None else More(level.node.id, level.total - after, after)


def _opened(item: Item, trail: Trail) -> Item:
    """The item with its level below it, if it lies on the trail."""
    item = replace(item, current=item.node.id == trail.current)
    level = trail.levels.get(item.node.id)
    if level is None:
        on_trail = trail.document is not None and item.node.id == trail.document.id
        return replace(item, items=_sections(item, trail)) if on_trail else item
    rows = [*level_items(level), *_beyond(level, trail)]
    return replace(item, items=tuple(_opened(row, trail) for row in rows), more=more_of(level))


def _beyond(level: Level, trail: Trail) -> list[Item]:
    """The step of the trail that its level's window does not reach."""
    ways = [each.node for each in trail.levels.values()] + ([trail.document] if trail.document else [])
    shown = {branch.node.id for branch in level.children}
    missed = [node for node in ways if node.parent == level.node.id and node.id not in shown]
    return [Item(node=node, depth=len(level.breadcrumb), position=0, siblings=level.total) for node in missed]


def _sections(above: Item, trail: Trail) -> tuple[Item, ...]:
    nodes = trail.below.get(above.node.id, ())
    rows = (
        Item(
            node=node,
            depth=above.depth + 1,
            position=at,
            siblings=len(nodes),
            current=node.id == trail.current,
        )
        for at, node in enumerate(nodes, start=1)
    )
    return tuple(replace(row, items=_sections(row, trail)) if trail.deep else row for row in rows)
