"""How fresh a Brain is, in words and a tone: what the bar of every page says."""

from __future__ import annotations

from brain.store.protocol import Envelope

STATES = {  # state: tone, words
    "off": ("off", "off"),
    "not-built": ("off", "not built"),
    "queued": ("busy", "build queued"),
    "indexing": ("busy", "indexing"),
    "failed": ("bad", "last build failed"),
}
BEHIND_CAP = 1_000  # counted no further


def tone_of(envelope: Envelope) -> str:
    """The tone of the dot."""
    if envelope.state in STATES:
        return STATES[envelope.state][0]
    return "ok" if envelope.behind == 0 else "warn"


def words_of(envelope: Envelope) -> str:
    """The words beside the dot."""
    if envelope.state in STATES:
        return STATES[envelope.state][1]
    if envelope.behind is None:
        return "the branch has moved away" if envelope.tip else "the branch is gone"
    if envelope.behind == 0:
        return "up to date"
    return f"{envelope.behind:,}{'+' if envelope.behind >= BEHIND_CAP else ''} behind"
