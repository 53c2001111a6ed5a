"""From the texts of a folder to its tree."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Protocol

from django.conf import settings

from brain.markdown.documents import Document
from brain.markdown.problems import Problem
from brain.parsing import parse_all
from brain.tree.assembly import File, Tree, TreeSettings, assemble
from brain.tree.layout import Words
from brain.tree.nodes import Changed


class Around(Protocol):
    """What a tree needs to know beside its documents."""

    @property
    def existing(self) -> Collection[str]: ...
    @property
    def words(self) -> Words: ...
    @property
    def problems(self) -> Iterable[Problem]: ...


class Trees:
    """Grows the trees of one folder; a document that is known from the last one is not parsed again."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: dict[str, tuple[str, Document]] = {}  # by path: the blob, and the document in it

    def grow(
        self,
        texts: Mapping[str, bytes],
        blobs: Mapping[str, str],
        around: Around,
        *,
        changes: Mapping[str, Changed] | None = None,
        problems: Iterable[Problem] = (),
    ) -> Tree:
        """The tree of these texts; everything is by path."""
        prefixes = tuple(settings.BRAIN_NOT_ID_PREFIXES)
        self._learn(texts, blobs, prefixes)
        changed = changes or {}
        return assemble(
            [document for _, document in self._known.values()],
            {path: File(blob=blobs[path], changed=changed.get(path)) for path in texts},
            TreeSettings(
                name=name_of(self._folder),
                not_prefixes=prefixes,
                max_links=settings.BRAIN_MAX_LINKS_PER_NODE,
            ),
            existing=around.existing,
            words=around.words,
            problems=[*around.problems, *problems],
        )

    def _learn(self, texts: Mapping[str, bytes], blobs: Mapping[str, str], prefixes: tuple[str, ...]) -> None:
        """Know the documents of exactly these texts."""
        known = {path: one for path, one in self._known.items() if blobs.get(path) == one[0]}
        new = ((path, text) for path, text in texts.items() if path not in known)
        parsed = parse_all(new, processes=settings.BRAIN_PARSE_PROCESSES, not_prefixes=prefixes)
        self._known = known | {document.path: (blobs[document.path], document) for document, _ in parsed}


def name_of(folder: Path) -> str:
    """What the folder is called: the project of its answers, and the title of its root."""
    name = os.fsencode(folder.resolve().name).decode(errors="backslashreplace")
    return name.removesuffix(".git") or "/"
