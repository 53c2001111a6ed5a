"""What of a tree has to be made again when some of its documents change."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from brain.markdown.documents import Document
from brain.markdown.references import LINK, MENTION
from brain.tree.folders import Folder, parent_of, sort_key
from brain.tree.links import definers_of, goal_of
from brain.tree.nodes import ROOT
from brain.tree.scope import is_markdown
from brain.tree.spaces import Space, space_at
from brain.tree.targets import Page


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """The documents that differ, as they were and as they are, by path."""

    before: Mapping[str, Document]
    after: Mapping[str, Document]

    @property
    def paths(self) -> set[str]:
        """All of them."""
        return {*self.before, *self.after}


def moved_goals(change: Change, folders: Iterable[str], touched: Iterable[str]) -> set[str]:
    """The goals whose references may lead elsewhere now; see `links.goal_of`.

    `folders` have come or gone, at the paths `touched` something of any kind changed.
    """
    goals = {goal_of(LINK, "", folder) for folder in folders}
    goals.update(goal_of(LINK, "", path) for path in _markdown_names(touched))
    for path in change.paths:
        if _meaning(change.before.get(path)) != _meaning(change.after.get(path)):
            goals.add(goal_of(LINK, "", path))
    defined, defines = (definers_of(_in_order(side)) for side in (change.before, change.after))
    for name in {*defined, *defines}:
        if defined.get(name, ()) != defines.get(name, ()):
            goals.add(goal_of(MENTION, name, None))
    return goals


def folders_above(paths: Iterable[str]) -> set[str]:
    """The ids of all folders that these documents or folders stand in, the root too."""
    found: set[str] = set()
    for path in paths:
        folder = path
        while folder != ROOT:
            folder = parent_of(folder)
            if folder in found:
                break
            found.add(folder)
    return found


def moved_spaces(
    folders: Iterable[str], before: Mapping[str, Space], after: Mapping[str, Space]
) -> tuple[set[str], set[str]]:
    """The folders that belong to another space now, and the home pages that opened or open one."""
    if before == after:
        return set(), set()
    moved = {folder for folder in folders if space_at(folder, before) != space_at(folder, after)}
    differing = {folder for folder in {*before, *after} if before.get(folder) != after.get(folder)}
    homes = {spaces[folder].home for folder in differing for spaces in (before, after) if folder in spaces}
    return moved, homes


class Places:
    """Where the documents of a tree stand: what every folder directly holds."""

    def __init__(self, paths: Iterable[str]) -> None:
        self.documents: dict[str, list[str]] = defaultdict(list)
        self.folders: dict[str, list[str]] = defaultdict(list)
        for path in paths:
            self.documents[parent_of(path)].append(path)
        self.all = folders_above(held[0] for held in self.documents.values()) | {ROOT}
        for folder in self.all - {ROOT}:
            self.folders[parent_of(folder)].append(folder)

    def shown_by(self, folders: Iterable[str]) -> set[str]:
        """The documents that the nodes of these folders tell of."""
        shown: set[str] = set()
        for folder in folders:
            shown.update(self.documents.get(folder, ()))
            shown.update(filter(None, map(self._only, self.folders.get(folder, ()))))
        return shown

    def grown(self, folders: Collection[str], documents: Mapping[str, Document]) -> Folder:
        """The root, with what these folders hold; they hold all folders above each of them.

        Other folders stand in them empty, but for the only document of one that holds nothing else.
        """
        made = {folder: Folder(folder) for folder in folders}
        for path, folder in made.items():
            within = [made.get(child) or self._leaf(child, documents) for child in self.folders.get(path, ())]
            folder.folders = sorted(within, key=lambda child: child.name)
            held = [documents[one] for one in self.documents.get(path, ())]
            folder.documents = sorted(held, key=lambda one: sort_key(one.path.rpartition("/")[2]))
        return made[ROOT]

    def _leaf(self, folder: str, documents: Mapping[str, Document]) -> Folder:
        only = self._only(folder)
        return Folder(folder, documents=[documents[only]] if only else [])

    def _only(self, folder: str) -> str | None:
        held = self.documents.get(folder, ())
        return held[0] if len(held) == 1 and folder not in self.folders else None


def _in_order(documents: Mapping[str, Document]) -> Iterator[Document]:
    return (documents[path] for path in sorted(documents))


def _meaning(document: Document | None) -> object:
    return Page.of_document(document).meaning if document else None


def _markdown_names(paths: Iterable[str]) -> Iterator[str]:
    """The paths and the folders above them that are named like a document."""
    for path in paths:
        steps = path.split("/")
        for end in range(1, len(steps) + 1):
            if is_markdown(steps[end - 1]):
                yield "/".join(steps[:end])
