"""What the activity log keeps of each read that returns text."""

from __future__ import annotations

import hashlib
from typing import Any

from brain.catalogue.kinds import Note
from brain.forms import ChangesQuery, GrepQuery, ReadQuery, ResolveQuery, SearchQuery
from brain.reads.answers import Changes, Lines, Reading, Resolutions, Results


def note_of_read(query: ReadQuery, reading: Reading) -> Note:
    """Which lines of which commit were read."""
    cited = reading.citation
    if cited is None:
        return Note(query.node, {"commit": reading.envelope.commit})
    return Note(cited.node_id, {"commit": cited.commit, "lines": f"{cited.line_start}-{cited.line_end}"})


def note_of_grep(query: GrepQuery, lines: Lines) -> Note:
    """How many lines were found; of the words their hash."""
    return _hits(query, query.text, lines.envelope.commit, len(lines.matches))


def note_of_search(query: SearchQuery, results: Results) -> Note:
    """How many nodes were found; of the words their hash."""
    return _hits(query, query.query, results.envelope.commit, len(results.results))


def note_of_changes(query: ChangesQuery, changes: Changes) -> Note:
    """From which commit, and how many documents."""
    told = {"since": changes.since, "commit": changes.envelope.commit, "documents": len(changes.documents)}
    return Note(query.under, told)


def note_of_resolve(_: ResolveQuery, resolutions: Resolutions) -> Note:
    """How many citations."""
    return Note("", {"commit": resolutions.envelope.commit, "citations": len(resolutions.results)})


def _hits(query: Any, asked: str, commit: str, hits: int) -> Note:
    digest = hashlib.sha256(asked.encode()).hexdigest()
    return Note(query.under, {"commit": commit, "queryHash": digest, "hits": hits})
