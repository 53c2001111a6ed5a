"""Folders: which there are, in what order they hold things, what they say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from brain.markdown.documents import Document
from brain.markdown.extracts import JOINT, Summary, cut
from brain.markdown.summaries import children_summary
from brain.tree.layout import Words
from brain.tree.nodes import ROOT

_HOMES = ("readme.md", "index.md")


@dataclass(slots=True)
class Folder:
    """A folder that holds an indexed document at any depth; `path` ends with a slash, the root's is "/"."""

    path: str
    folders: list[Folder] = field(default_factory=list)  # in name order
    documents: list[Document] = field(default_factory=list)  # README.md, then index.md, then in name order

    @property
    def name(self) -> str:
        """The folder's own name."""
        return self.path.rstrip("/").rpartition("/")[2]

    @property
    def readme(self) -> Document | None:
        """The document that opens the folder."""
        first = self.documents[0] if self.documents else None
        return first if first and opens_folder(first.path) else None


def folders_of(documents: Mapping[str, Document]) -> Folder:
    """The root of all folders that hold these documents."""
    root = Folder(ROOT)
    by_path = {"": root}
    for path, document in documents.items():
        _folder(by_path, path.rpartition("/")[0]).documents.append(document)
    for folder in by_path.values():
        folder.folders.sort(key=lambda child: child.name)
        folder.documents.sort(key=lambda document: sort_key(_name(document.path)))
    return root


def parent_of(path: str) -> str:
    """The id of the folder that holds this document or folder."""
    above = path.rstrip("/").rpartition("/")[0]
    return f"{above}/" if above else ROOT


def opens_folder(path: str) -> bool:
    """Whether this document speaks for its folder: a README.md or an index.md, in any case."""
    return _name(path).lower() in _HOMES


def sort_key(name: str) -> str:
    """What a document's name is ordered by in its folder: README.md, index.md, then by code point."""
    lowered = name.lower()
    return f"{_HOMES.index(lowered) + 1 if lowered in _HOMES else 3}{name}"


def folder_summary(
    folder: Folder, words: Words, summaries: Mapping[str, str], titles: Mapping[str, str]
) -> Summary:
    """What a folder says: its README, its one document, the layout's words, or what it holds.

    `summaries` and `titles` are those of the nodes below, by id.
    """
    if folder.readme and (said := folder.readme.parts[0].summary):
        return Summary(said, "readme")
    below = [*(child.path for child in folder.folders), *(document.path for document in folder.documents)]
    if len(below) == 1 and folder.documents:
        document = below[0]
        return Summary(cut(f"{titles[document]}: {summaries[document]}".removesuffix(": ")), "children")
    sentence = "" if folder.path == ROOT else words.of(folder.path)
    if sentence:
        entries = JOINT.join(_entry(child, titles) for child in _entries(folder))
        stop = "" if sentence[-1] in ".!?…。" else "."
        return Summary(cut(f"{sentence}{stop} Holds: {entries}"), "layout")
    return children_summary([titles[node] for node in below])


def walk(folder: Folder) -> Iterator[Folder]:
    """The folder and all below it, each before what it holds."""
    waiting = [folder]
    while waiting:
        current = waiting.pop()
        yield current
        waiting.extend(reversed(current.folders))


def in_order(root: Folder) -> Iterator[tuple[Folder, bool]]:
    """Each folder twice: when it opens (True), and once all folders in it have been (False)."""
    waiting = [(root, True)]
    while waiting:
        folder, opens = waiting.pop()
        yield folder, opens
        if opens:
            waiting.append((folder, False))
            waiting.extend((child, True) for child in reversed(folder.folders))


def _folder(by_path: dict[str, Folder], path: str) -> Folder:
    missing = []
    while path not in by_path:
        missing.append(path)
        path = path.rpartition("/")[0]
    folder = by_path[path]
    for below in reversed(missing):
        by_path[below] = Folder(f"{below}/")
        folder.folders.append(by_path[below])
        folder = by_path[below]
    return folder


def _entries(folder: Folder) -> list[Folder | Document]:
    return [*folder.folders, *folder.documents]


def _entry(entry: Folder | Document, titles: Mapping[str, str]) -> str:
    """An entry's name, with its title when that says more; of a one-document folder that one's."""
    if isinstance(entry, Document):
        name, title = _name(entry.path), entry.parts[0].title
        stem = name[: -len(".md")] or name
    else:
        only = entry.documents[0] if len(entry.documents) == 1 and not entry.folders else None
        stem, title = entry.name, only.parts[0].title if only else titles[entry.path]
    return stem if title in (stem, f"{stem}.md") else f"{stem} ({title})"


def _name(path: str) -> str:
    return path.rpartition("/")[2]
