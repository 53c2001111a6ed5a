"""What a folder's name says it holds: common documentation folders, and a repository's own words."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import Any

from brain.markdown.blocks import collapse
from brain.markdown.front_matter import Unreadable, read_mapping
from brain.markdown.problems import Problem
from repositories.cleaning import clean_line

FILE = "layout.yml"

COMMON_FOLDERS = {
    "adr": "Architecture decisions, one record each.",
    "adrs": "Architecture decisions, one record each.",
    "api": "How programs call what is described here.",
    "architecture": "How the system is built and why.",
    "concepts": "The ideas a reader needs before the details.",
    "decisions": "Decisions that were taken, one record each.",
    "design": "Designs: how something is meant to work.",
    "explanation": "Background that helps to understand.",
    "findings": "What was found out, one finding each.",
    "glossary": "Words and what they mean here.",
    "guides": "Guides that lead through a task.",
    "how-to": "Steps that reach one goal each.",
    "howto": "Steps that reach one goal each.",
    "incidents": "What went wrong, and what was learnt from it.",
    "meetings": "Notes of meetings.",
    "operations": "How the system is run.",
    "policies": "Policies that everyone follows.",
    "postmortems": "What went wrong, and what was learnt from it.",
    "processes": "Processes, step by step.",
    "proposals": "Proposals that wait for a decision or had one.",
    "reference": "Facts to look up.",
    "requirements": "What the system has to do.",
    "rfcs": "Proposals for change, one document each.",
    "rules": "Rules that hold for the project.",
    "runbooks": "What to do when something happens in operation.",
    "specifications": "Specifications: what has to be true.",
    "specs": "Specifications: what has to be true.",
    "standards": "Standards that every part follows.",
    "templates": "Templates to start a document from.",
    "tutorials": "Lessons that teach by doing.",
}


class Words:
    """The sentence for each folder that has one; the repository's own words win over the common ones."""

    def __init__(self, own: dict[str, str] | None = None) -> None:
        self._own = [(pattern.strip("/").split("/"), sentence) for pattern, sentence in (own or {}).items()]

    def of(self, folder: str) -> str:
        """What the folder (a path with its slash) holds, in words; nothing when nobody says."""
        segments = folder.rstrip("/").split("/")
        for pattern, sentence in self._own:
            if len(pattern) == len(segments) and all(map(fnmatchcase, segments, pattern)):
                return sentence
        return COMMON_FOLDERS.get(segments[-1].lower(), "")


def read_layout(blob: bytes | None) -> tuple[Words, tuple[Problem, ...]]:
    """The words of a repository's `layout.yml`; a broken file is a problem and says nothing."""
    if blob is None:
        return Words(), ()
    try:
        folders = read_mapping(blob.decode(errors="replace")).get("folders") or {}
        return Words(_sentences(folders)), ()
    except Unreadable as unreadable:
        line = None if unreadable.line is None else unreadable.line + 1
        return Words(), (Problem(FILE, line, "layout", clean_line(str(unreadable), 500)),)


def _sentences(folders: Any) -> dict[str, str]:
    if not isinstance(folders, dict) or not all(isinstance(value, str) for value in folders.values()):
        raise Unreadable("The folders of the layout are no mapping of globs to sentences.")
    return {
        pattern: clean_line(collapse(sentence)) for pattern, sentence in folders.items() if sentence.strip()
    }
