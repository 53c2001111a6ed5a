"""Spaces: folders that a home page claims, with everything below them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from brain.markdown.documents import Document
from brain.markdown.problems import Problem
from brain.tree.folders import opens_folder, parent_of
from brain.tree.nodes import ROOT

TWICE = "space-twice"


class Claim(NamedTuple):
    """What a home page says of its folder."""

    key: str
    order: int | None


@dataclass(frozen=True, slots=True)
class Space:
    """A home page's claim on its folder and everything below."""

    key: str
    order: int | None
    home: str  # path of the home page


def claims_of(documents: Iterable[Document]) -> dict[str, Claim]:
    """The claims that these documents make, by path: a home page opens its folder and names a space."""
    return {
        document.path: Claim(document.space, document.order)
        for document in documents
        if document.space and opens_folder(document.path)
    }


def spaces_of(claims: Mapping[str, Claim]) -> tuple[dict[str, Space], list[Problem]]:
    """The space of each folder that opens one, by the folder's path, and the claims that came second.

    Of two home pages of one key the first path wins.
    """
    spaces: dict[str, Space] = {}
    winners: dict[str, str] = {}
    problems = []
    for path in sorted(claims):
        key, order = claims[path]
        folder = parent_of(path)
        if key in winners:
            message = f"Space {key} already has a home page: {winners[key]}."
            problems.append(Problem(path, 1, TWICE, message))
        elif folder not in spaces:
            winners[key] = path
            spaces[folder] = Space(key, order, path)
    return spaces, problems


def space_at(folder: str, spaces: Mapping[str, Space]) -> str:
    """The key of the space that the folder belongs to; "" for none."""
    while folder not in spaces and folder != ROOT:
        folder = parent_of(folder)
    return spaces[folder].key if folder in spaces else ""
