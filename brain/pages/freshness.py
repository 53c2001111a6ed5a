"""How fresh a Brain is, in words and a tone: what the bar of every page says."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils.timezone import localtime

from brain.store.protocol import Envelope

STATES = {  # state: tone, words
    "off": ("off", "off"),
    "not-built": ("off", "not built"),
    "queued": ("busy", "build queued"),
    "indexing": ("busy", "indexing"),
    "failed": ("bad", "last build failed"),
}
BUILDING = frozenset({"queued", "indexing"})
BEHIND_CAP = 1_000  # counted no further
MOMENT = timedelta(minutes=2)  # a build that was asked for at once has begun by then
SYNCS_MISSED = 3
PATIENCE = timedelta(minutes=15)  # with a mirror, however often it is synced


@dataclass(frozen=True, slots=True)
class Banner:
    """One line above the text: the news, and what that means."""

    tone: str
    news: str
    then: str


def tone_of(envelope: Envelope) -> str:
    """The tone of the dot."""
    if envelope.state in STATES:
        return STATES[envelope.state][0]
    return "ok" if envelope.behind == 0 else "warn"


def words_of(envelope: Envelope) -> str:
    """The words beside the dot."""
    if envelope.state in STATES:
        return STATES[envelope.state][1]
    if not envelope.behind:
        return "up to date" if envelope.behind == 0 else _lost(envelope)
    return f"{_counted(envelope.behind)} behind"


def banner_of(envelope: Envelope, now: datetime, sync_minutes: int) -> Banner | None:
    """What a reader should know of the tree; None when it is fresh enough, or when there is none to read.

    `sync_minutes` of 0: nobody said that the mirror is synced by itself, so it misses nothing.
    """
    if not envelope.commit or envelope.state == "off":
        return None
    if envelope.state == "failed":
        return Banner("bad", "The last build failed.", "You read the tree of the last good one.")
    synced = envelope.synced_at
    is_due = synced is None or now - synced > MOMENT
    if envelope.behind != 0 and (is_due or envelope.state not in BUILDING):
        return _behind(envelope)
    allowed = max(SYNCS_MISSED * timedelta(minutes=sync_minutes), PATIENCE)
    if sync_minutes and (synced is None or now - synced > allowed):
        last = f"since {localtime(synced):%-d %b, %H:%M} UTC" if synced else "yet"
        return Banner("gold", f"The mirror was not synced {last}.", "Newer commits may be missing.")
    return None


def _behind(envelope: Envelope) -> Banner:
    read = f"You read {envelope.commit[:7]}"
    if envelope.behind is None:
        return Banner("gold", f"{_lost(envelope).capitalize()}.", f"{read}, which it does not hold.")
    count = f"{_counted(envelope.behind)} commit{'s' * (envelope.behind > 1)}"
    return Banner("gold", f"{count} behind.", f"{read}; the branch is at {envelope.tip[:7]}.")


def _lost(envelope: Envelope) -> str:
    return "the branch has moved away" if envelope.tip else "the branch is gone"


def _counted(behind: int) -> str:
    return f"{behind:,}{'+' if behind >= BEHIND_CAP else ''}"
