"""What a read is to its doors: arguments in, a frozen answer, JSON or words out, and a note for the log."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from brain import wire
from brain.errors import CommitMoved
from brain.forms import Query
from brain.store import Store


class Note(NamedTuple):
    """What the activity log keeps of a read: ids, commits, lines and counts, never a text or a query."""

    target: str
    details: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """One read; `Any` below is the query and the answer that belong to it."""

    name: str
    about: str  # one sentence
    query: type[Query]
    ask: Callable[[Store, Any], Any]
    json: Callable[[Any], wire.Json]
    text: Callable[[Any], str]
    note: Callable[[Any, Any], Note] | None = None  # None: the read is counted, not listed
    policy: str = "default"  # the rate limit that counts it
    found: str = ""  # the list of what was found: an empty one may be a matter of time
    stamped: bool = True  # the answer depends on nothing but the question and the store's stamp

    @property
    def action(self) -> str:
        """Its name in the activity log."""
        return f"brain.{self.name}"

    def answer(self, store: Store, query: Any) -> Any:
        """The answer to the query. Raises what the read raises, and CommitMoved."""
        hold(store, query)
        return self.ask(store, query)

    def told(self, answer: Any) -> wire.Json:
        """The answer's JSON; an empty one while the branch is ahead says so."""
        json = self.json(answer)
        behind = answer.envelope.behind
        if self.found and not json[self.found] and behind:
            ahead = f"{behind:,} commit{'s' * (behind > 1)}"
            json["note"] = f"Nothing was found, but the branch is {ahead} ahead of what is read."
        return json

    def noted(self, query: Any, answer: Any) -> Note | None:
        """What the log keeps; for None, an answer that the caller has already, that it was asked for."""
        if self.note is None:
            return None
        return self.note(query, answer) if answer is not None else Note(_target(query), {"cached": True})


def hold(store: Store, query: Any) -> None:
    """Raises CommitMoved when the query is for another commit than the indexed one."""
    commit = getattr(query, "commit", "")
    if not commit:
        return
    store.require_tree()
    indexed = store.envelope.commit
    if commit != indexed:
        raise CommitMoved(
            f"The indexed commit is {indexed} now. Start over from there, or ask without commit.",
            commit=indexed,
        )


def _target(query: Any) -> str:
    return getattr(query, "node", "") or getattr(query, "under", "")
