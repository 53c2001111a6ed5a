"""What became of the lines of old citations: followed through the history, and never guessed."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from brain.errors import CommitUnavailable, NoHistory
from brain.markdown.lines import decode
from brain.reads.answers import Resolution, Resolutions
from brain.reads.matching import Text, is_telling
from brain.reads.tracing import Place, trace
from brain.store import Store
from brain.tree.nodes import Node
from brain.tree.scope import MAX_DOCUMENT_BYTES
from repositories import reader
from repositories.errors import CommitMissing
from repositories.reader import Asked, Fate, Followed, FollowLimits

SECONDS = 5.0  # for all citations; then the rest of the way is taken in one step
GRACE = 4.0  # for that; what takes longer is ambiguous
MAX_DIFF = 4_000  # characters
CUT = "… the difference goes on"
LACKING = "The mirror lacks the indexed commit; the next sync brings it back."


@dataclass(frozen=True, slots=True, kw_only=True)
class Cited:
    """A citation as it was made."""

    path: str  # of the document
    line_start: int
    line_end: int
    commit: str  # 4 to 40 hexadecimal digits
    quote: str = ""  # the cited text; "" when it is not given
    quote_hash: str = ""  # SHA-256 of the bytes of the cited lines; "" when it is not given


def resolve(store: Store, citations: Sequence[Cited]) -> Resolutions:
    """What became of each citation, in order.

    `unchanged` and `moved` lines have the very bytes that were cited, the line feed of the last one included.
    `unknownCommit` is one answer to all that the history of the indexed commit does not show: such a commit,
    such a document in it, such lines. `deleted` and `ambiguous` tell the last path of the document.
    Raises BrainOff, NotBuilt, CommitUnavailable, and NoHistory for files on disk.
    """
    store.require_tree()
    git = store.git
    if git is None:
        raise NoHistory("Files on disk have no history. Ask a Git repository what became of citations.")
    if not reader.commit_exists(git.mirror, git.commit):
        raise CommitUnavailable(LACKING)
    until = time.monotonic() + SECONDS
    asked = [Asked(one.commit, one.path) for one in citations]
    limits = FollowLimits(largest=MAX_DOCUMENT_BYTES, until=until)
    found = reader.follow(git.mirror, git.commit, set(asked), covers=git.scope.covers, limits=limits)
    paths = {one.path for one in found} | {one.versions[-1].path for one in found.values() if one.versions}
    today = _Today(git.mirror, store.nodes(paths), until)
    results: dict[int, Resolution] = {}
    for followed in set(found.values()):
        numbers = [number for number, one in enumerate(asked) if found.get(one) == followed]
        answers = _answers(today, followed, [citations[number] for number in numbers])
        results |= dict(zip(numbers, answers, strict=True))
    told = [results.get(number, UNKNOWN) for number in range(len(citations))]
    return Resolutions(envelope=store.envelope, results=tuple(_with_nodes(store, told)))


@dataclass(frozen=True, slots=True)
class _Today:
    """The documents of the indexed commit that may be asked for, and until when there is time."""

    mirror: Path
    documents: Mapping[str, Node]  # by path
    until: float

    def text(self, blob: str) -> Text | None:
        """None when the mirror lacks it."""
        try:
            return Text(reader.blob(self.mirror, blob))
        except CommitMissing:
            return None

    def shows(self, followed: Followed) -> bool:
        """Whether the last version is a document of the index: a limit may keep it out."""
        path, blob = followed.versions[-1]
        return path in self.documents and self.documents[path].blob == blob

    def in_time(self) -> bool:
        """Whether there is time even for the last step."""
        return time.monotonic() < self.until + GRACE

    def texts(self, followed: Followed) -> Iterator[tuple[str, Text]]:
        """The versions of a document, the first and the last in any case; without those that are lost."""
        *earlier, last = followed.versions
        for number, version in enumerate(earlier):
            if number and time.monotonic() >= self.until:
                break
            if text := self.text(version.blob):
                yield version.blob, text
        text = self.text(last.blob)
        if text is None:
            raise CommitUnavailable(LACKING)
        yield last.blob, text


def _without_lines(status: str, path: str | None) -> Resolution:
    return Resolution(status=status, path=path, line_start=None, line_end=None, node_id=None)


UNKNOWN = _without_lines("unknownCommit", None)


def _answers(today: _Today, followed: Followed, citations: Sequence[Cited]) -> list[Resolution]:
    """The answers to citations of one document, from one version of it on."""
    if not followed.versions:
        return [_without_lines("ambiguous", None) for _ in citations]
    path = followed.versions[-1].path
    first = today.text(followed.versions[0].blob)
    refused = [_refused(one, first, path) for one in citations]
    sound = [one for one, refusal in zip(citations, refused, strict=True) if refusal is None]
    if first is None or not sound:
        return [one or UNKNOWN for one in refused]
    if followed.fate is Fate.UNKNOWN:
        rest = iter([_without_lines("ambiguous", path) for _ in sound])
    elif followed.fate is Fate.HERE and today.shows(followed):
        places = [Place.of_range(one.line_start - 1, one.line_end) for one in sound]
        places, text = trace(places, today.texts(followed), today.in_time)
        told = zip(sound, places, strict=True)
        rest = iter([_of_place(one, first, place, path, text) for one, place in told])
    else:
        rest = iter([_of_text(one, first, path, today) for one in sound])
    return [refusal or next(rest) for refusal in refused]


def _refused(citation: Cited, first: Text | None, path: str) -> Resolution | None:
    """The answer when it is not known, or not clear, what was cited."""
    start, end = citation.line_start, citation.line_end
    if first is None or not 1 <= start <= end <= len(first.raw):
        return UNKNOWN
    lines = b"".join(_raw(citation, first))
    if citation.quote_hash and citation.quote_hash.lower() != hashlib.sha256(lines).hexdigest():
        return _without_lines("ambiguous", path)
    if citation.quote and not _holds(decode(lines).text, citation.quote):
        return _without_lines("ambiguous", path)
    return None


def _holds(text: str, quote: str) -> bool:
    """Whether the quote is the text or a part of it; carriage returns count only where they are quoted."""
    return quote in text or quote.replace("␍", "\r") in text or quote in text.replace("\r\n", "\n")


def _raw(citation: Cited, first: Text) -> list[bytes]:
    return first.raw[citation.line_start - 1 : citation.line_end]


def _of_place(citation: Cited, first: Text, place: Place, path: str, text: Text) -> Resolution:
    """The answer when the document is here."""
    cited, now = _raw(citation, first), text.raw[place.start : place.end]
    if place.doubtful:
        return _without_lines("ambiguous", path)
    if now == cited:
        return _same(citation, path, place.start)
    if place.is_empty:
        return _without_lines("deleted", path)
    left = [line is not None and text.raw[line] == was for line, was in zip(place.lines, cited, strict=True)]
    return Resolution(
        status="split" if all(left) else "edited",
        path=path,
        line_start=place.start + 1,
        line_end=place.end,
        node_id=None,
        diff=_difference(citation, cited, now, place.start + 1),
    )


def _of_text(citation: Cited, first: Text, path: str, today: _Today) -> Resolution:
    """The answer when the document is gone: what stands at its path now may hold the text all the same."""
    cited, lines = _raw(citation, first), first.lines[citation.line_start - 1 : citation.line_end]
    for candidate in dict.fromkeys((path, citation.path)):
        node = today.documents.get(candidate)
        text = today.text(node.blob) if node else None
        found = text.where(lines) if text else []
        if not text or not found:
            continue
        clear = len(found) == 1 == len(first.where(lines)) and is_telling(lines)
        if clear and text.raw[found[0] : found[0] + len(lines)] == cited:
            return _same(citation, candidate, found[0])
        return _without_lines("ambiguous", candidate)
    return _without_lines("deleted", path)


def _same(citation: Cited, path: str, start: int) -> Resolution:
    """The answer to lines that stand at `start`, counted from 0, byte for byte."""
    stayed = path == citation.path and start + 1 == citation.line_start
    return Resolution(
        status="unchanged" if stayed else "moved",
        path=path,
        line_start=start + 1,
        line_end=start + 1 + citation.line_end - citation.line_start,
        node_id=None,
    )


def _difference(citation: Cited, cited: Sequence[bytes], now: Sequence[bytes], first: int) -> str:
    lines = reader.unified(b"".join(cited), b"".join(now), old_first=citation.line_start, new_first=first)
    told: list[str] = []
    left = MAX_DIFF - len(CUT)
    for line in lines:
        left -= len(line) + 1
        if left < 0:
            return "\n".join([*told, CUT])
        told.append(line)
    return "\n".join(told)


def _with_nodes(store: Store, results: Sequence[Resolution]) -> Iterator[Resolution]:
    """Each answer with the deepest node that holds its first line."""
    places = [(one.path, one.line_start) for one in results if one.path and one.line_start]
    nodes = store.holding(places)
    for one in results:
        node = nodes.get((one.path, one.line_start)) if one.path and one.line_start else None
        yield replace(one, node_id=node.id) if node else one
