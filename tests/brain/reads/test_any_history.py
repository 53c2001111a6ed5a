"""Resolve over histories that nobody chose: what it says is true, and what it can know it says."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from brain.folder import open_folder
from brain.reads.answers import Resolution
from brain.reads.resolve import Cited, resolve
from tests.repositories.given_git import GitWorld, a_repository

HISTORIES = 80  # more by hand: 4_000 take some minutes
COMMITS = 14
CITATIONS = 40
PLAIN = (b"", b"```", b"- yes", b"Same.")  # lines that stand in many places


@dataclass(frozen=True)
class Doc:
    """A document as the model knows it: which one it is, and its lines without their line feeds."""

    identity: int
    lines: tuple[bytes, ...]
    ended: bool = True  # the last line has a line feed

    @property
    def blob(self) -> bytes:
        return b"\n".join(self.lines) + (b"\n" if self.ended and self.lines else b"")

    def with_lines(self, *lines: bytes) -> Doc:
        return Doc(self.identity, lines, self.ended)


type Docs = dict[str, Doc]


@dataclass
class History:
    """Random commits in a repository, and the documents of each."""

    git: GitWorld
    chance: random.Random
    commits: list[tuple[str, Docs]] = field(default_factory=list)
    number: int = 0  # of the last word

    def write(self) -> None:
        """All commits; the last one is the tip."""
        start = {f"{name}.md": self.new_doc() for name in "abc"}
        self.commit({}, start, parents=[])
        while len(self.commits) < COMMITS:
            if self.chance.random() < 0.15:
                self.branch_and_merge()
            else:
                commit, docs = self.commits[-1]
                self.commit(docs, self.changed(docs, self.chance.choice(CHANGES)), parents=[commit])

    def branch_and_merge(self) -> None:
        """A side branch changes one document while others change on main; main or the side merges."""
        base, docs = self.commits[-1]
        if not docs:
            return
        mine = self.chance.choice(sorted(docs))
        heads: list[tuple[str, Docs]] = []
        for paths in ({mine}, set(docs) - {mine}):
            head, now = base, docs
            for _ in range(self.chance.randint(1, 3)):
                new = self.changed(now, self.chance.choice(EDITS), among=paths)
                head, now = self.commit(now, new, parents=[head]), new
            heads.append((head, now))
        (side, theirs), (main, ours) = heads
        merged = ours | {mine: theirs[mine]}
        first, second = (main, side) if self.chance.random() < 0.5 else (side, main)
        self.commit(ours if first == main else theirs, merged, parents=[first, second])

    def commit(self, before: Docs, after: Docs, *, parents: list[str]) -> str:
        """A commit that turns what its first parent holds into `after`."""
        files: dict[str | bytes, bytes | None] = {path: None for path in before if path not in after}
        files |= {path: doc.blob for path, doc in after.items()}
        commit = self.git.commit(files, parents=parents)
        self.commits.append((commit, after))
        return commit

    def changed(self, docs: Docs, change: Change, among: set[str] | None = None) -> Docs:
        """The documents after one change of one of them."""
        paths = sorted(among if among is not None else docs)
        return change(self, dict(docs), self.chance.choice(paths)) if paths else dict(docs)

    def texts_of(self, identity: int, *, since: int) -> Iterator[list[bytes]]:
        """Every text of a document, from a commit on."""
        for _, docs in self.commits[since:]:
            yield from (lines_of(doc) for doc in docs.values() if doc.identity == identity)

    def new_doc(self) -> Doc:
        self.number += 1
        return Doc(self.number, tuple(self.new_lines(self.chance.randint(5, 14))))

    def new_lines(self, count: int) -> Iterator[bytes]:
        """Lines of words that nobody wrote before, and some plain ones."""
        for _ in range(count):
            self.number += 1
            plain = self.chance.random() < 0.3
            yield (
                self.chance.choice(PLAIN)
                if plain
                else f"Rule {self.number} holds for case {self.number * 7}.".encode()
            )

    def cut(self, doc: Doc) -> tuple[int, int]:
        """The ends of some lines of a document."""
        start = self.chance.randint(0, max(0, len(doc.lines) - 1))
        return start, min(len(doc.lines), start + self.chance.randint(1, 4))


type Change = Callable[[History, Docs, str], Docs]


def edit(history: History, docs: Docs, path: str) -> Docs:
    start, end = history.cut(docs[path])
    lines = docs[path].lines
    new = tuple(line + b" And more." for line in lines[start:end])
    return docs | {path: docs[path].with_lines(*lines[:start], *new, *lines[end:])}


def replace(history: History, docs: Docs, path: str) -> Docs:
    start, end = history.cut(docs[path])
    lines = docs[path].lines
    return docs | {path: docs[path].with_lines(*lines[:start], *history.new_lines(2), *lines[end:])}


def insert(history: History, docs: Docs, path: str) -> Docs:
    start, _ = history.cut(docs[path])
    lines = docs[path].lines
    return docs | {path: docs[path].with_lines(*lines[:start], *history.new_lines(2), *lines[start:])}


def remove(history: History, docs: Docs, path: str) -> Docs:
    start, end = history.cut(docs[path])
    lines = docs[path].lines
    return docs | {path: docs[path].with_lines(*lines[:start], *lines[end:])}


def reorder(history: History, docs: Docs, path: str) -> Docs:
    start, end = history.cut(docs[path])
    lines = docs[path].lines
    rest, block = lines[:start] + lines[end:], lines[start:end]
    at = history.chance.randint(0, len(rest))
    return docs | {path: docs[path].with_lines(*rest[:at], *block, *rest[at:])}


def repeat(history: History, docs: Docs, path: str) -> Docs:
    start, end = history.cut(docs[path])
    lines = docs[path].lines
    return docs | {path: docs[path].with_lines(*lines, *lines[start:end])}


def flip(history: History, docs: Docs, path: str) -> Docs:
    doc = docs[path]
    windows = any(line.endswith(b"\r") for line in doc.lines)
    lines = (line.removesuffix(b"\r") if windows else line + b"\r" for line in doc.lines)
    return docs | {path: doc.with_lines(*lines)}


def end(history: History, docs: Docs, path: str) -> Docs:
    doc = docs[path]
    return docs | {path: Doc(doc.identity, doc.lines, not doc.ended)}


def restore(history: History, docs: Docs, path: str) -> Docs:
    """An earlier text of the document."""
    identity = docs[path].identity
    earlier = [doc for _, held in history.commits for doc in held.values() if doc.identity == identity]
    return docs | {path: history.chance.choice(earlier)}


def rename(history: History, docs: Docs, path: str) -> Docs:
    history.number += 1
    return {one: doc for one, doc in docs.items() if one != path} | {f"to/{history.number}.md": docs[path]}


def swap(history: History, docs: Docs, path: str) -> Docs:
    other = history.chance.choice(sorted(docs))
    return docs | {path: docs[other], other: docs[path]}


def delete(history: History, docs: Docs, path: str) -> Docs:
    return {one: doc for one, doc in docs.items() if one != path}


def add(history: History, docs: Docs, path: str) -> Docs:
    history.number += 1
    return docs | {f"new/{history.number}.md": history.new_doc()}


EDITS: tuple[Change, ...] = (edit, replace, insert, remove, reorder, repeat, flip, end)
CHANGES: tuple[Change, ...] = (*EDITS, *EDITS, restore, rename, rename, swap, delete, add)


@dataclass(frozen=True)
class Asked:
    """A citation, and what the model knows of it."""

    cited: Cited
    identity: int
    lines: list[bytes]  # with their line feeds
    often: set[int]  # how often they stand in each text of their document from then on


def citations(history: History) -> Iterator[Asked]:
    for _ in range(CITATIONS):
        number = history.chance.randrange(len(history.commits))
        commit, docs = history.commits[number]
        path = history.chance.choice(sorted(docs)) if docs else ""
        if not path or not docs[path].lines:
            continue
        start, end = history.cut(docs[path])
        lines = lines_of(docs[path])
        cited = Cited(path=path, line_start=start + 1, line_end=end, commit=commit)
        if end <= len(lines):
            texts = history.texts_of(docs[path].identity, since=number)
            often = {len(where(bare(text), bare(lines[start:end]))) for text in texts}
            yield Asked(cited, docs[path].identity, lines[start:end], often)


def lines_of(doc: Doc) -> list[bytes]:
    *ended, last = doc.blob.split(b"\n")
    return [line + b"\n" for line in ended] + ([last] if last else [])


def bare(lines: list[bytes]) -> list[bytes]:
    return [line.rstrip(b"\r\n") for line in lines]


def where(lines: list[bytes], wanted: list[bytes]) -> list[int]:
    return [at for at in range(len(lines)) if lines[at : at + len(wanted)] == wanted]


def is_true(asked: Asked, answer: Resolution, tip: Docs) -> bool:
    """Whether the answer says nothing that the texts do not show."""
    if answer.status in ("deleted", "ambiguous"):
        stands = answer.path in tip and where(bare(lines_of(tip[answer.path])), bare(asked.lines))
        return answer.line_start is None is answer.line_end and not (answer.status == "deleted" and stands)
    assert answer.path
    assert answer.line_start
    assert answer.line_end
    today = lines_of(tip[answer.path])
    assert 1 <= answer.line_start <= answer.line_end <= len(today)
    now = today[answer.line_start - 1 : answer.line_end]
    cited = asked.cited
    stayed = (answer.path, answer.line_start) == (cited.path, cited.line_start)
    match answer.status:
        case "unchanged":
            return now == asked.lines and stayed
        case "moved":
            return now == asked.lines and not stayed
        case "split":
            rest = iter(now)
            return now != asked.lines and all(line in rest for line in asked.lines)
        case "edited":
            return now != asked.lines and bool(answer.diff)
    return False


def place_of(asked: Asked, tip: Docs) -> tuple[str, int] | None:
    """Where the cited lines stand today, when they can be mistaken for nothing else."""
    paths = [path for path, doc in tip.items() if doc.identity == asked.identity]
    if len(paths) != 1 or asked.often != {1} or not any(line.startswith(b"Rule") for line in asked.lines):
        return None
    found = where(lines_of(tip[paths[0]]), asked.lines)
    return (paths[0], found[0] + 1) if len(found) == 1 else None


@pytest.mark.parametrize("seed", range(HISTORIES))
def test_an_answer_is_true_and_unmistakable_lines_are_found(tmp_path: Path, seed: int) -> None:
    history = History(a_repository(tmp_path / "history"), random.Random(seed))
    history.write()
    tip = history.commits[-1][1]
    asked = list(citations(history))
    answers = resolve(open_folder(history.git.path), [one.cited for one in asked]).results
    for one, answer in zip(asked, answers, strict=True):
        assert is_true(one, answer, tip), (one, answer)
        place = place_of(one, tip)
        if place:
            assert answer.status in ("unchanged", "moved"), (one, answer, place)
            assert (answer.path, answer.line_start) == place
