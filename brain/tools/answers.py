"""What a tool answers: one text for the model, and beside it what a program wants to keep of it."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any, NamedTuple

from brain.forms import Query
from brain.store import Store
from brain.store.protocol import Envelope
from brain.tools.keeping import kept
from brain.tools.kinds import Tool
from brain.wire import moment

# Of a whole answer, the part for programs included. Clients cut at 25,000 tokens, which are 4 bytes each.
MAX_CHARACTERS = 49_500
MAX_BYTES = 99_000
LEFT_OUT = "… the rest did not fit: ask for less"


class Told(NamedTuple):
    """An answer as it leaves, with what was asked and answered."""

    text: str  # for the model
    kept: dict[str, Any]  # for programs
    query: Query
    answer: Any


def tell(tool: Tool, store: Store, query: Query) -> Told:
    """The tool's answer, as much of it as an agent can take in at once. Raises what the read raises.

    A window that is too wide is asked for again, narrower, so that its nextOffset is right; any other
    answer ends early, and says so.
    """
    told = _told(tool, store, query)
    while (share := _share(told)) < 1:
        limit = getattr(query, "limit", 1)
        if limit == 1:
            return _cut(told)
        query = replace(query, limit=max(1, int(limit * share)))  # type: ignore[type-var]
        told = _told(tool, store, query)
    return told


def freshness_line(envelope: Envelope) -> str:
    """Which project and commit an answer is of, and how fresh that is: facts, none made from another."""
    said = [f"project {envelope.project}"]
    if envelope.branch:
        said.append(f"branch {envelope.branch}")
    said.append(f"commit {envelope.commit}" if envelope.commit else "no commit")
    if envelope.commit and envelope.behind is not None:
        commits = "1 commit" if envelope.behind == 1 else f"{envelope.behind:,} commits"
        said.append(f"{commits} behind the mirror" if envelope.behind else "up to date")
    if envelope.synced_at:
        said.append(f"mirror synced {moment(envelope.synced_at.replace(microsecond=0))}")
    if envelope.state != "ready":
        said.append(f"state {envelope.state}")
    return f"[{' · '.join(said)}]"


def _told(tool: Tool, store: Store, query: Query) -> Told:
    answer = tool.read.answer(store, query)
    json_ = tool.read.told(answer)
    text = "\n".join([freshness_line(answer.envelope), *_note(json_), tool.read.text(answer)])
    return Told(text, kept(tool.read.name, json_), query, answer)


def _note(json_: dict[str, Any]) -> list[str]:
    return [json_["note"]] if "note" in json_ else []


def _share(told: Told) -> float:
    """How much of the answer fits; 1 or more: all of it."""
    whole = told.text + _json(told.kept)
    return min(MAX_CHARACTERS / len(whole), MAX_BYTES / len(whole.encode(errors="replace")))


def _cut(told: Told) -> Told:
    """The answer without the lists for programs, and its text up to the last line that fits."""
    few = {name: value for name, value in told.kept.items() if not isinstance(value, list)}
    room = len(_json(few)) + len(LEFT_OUT) + 1
    text = told.text[: MAX_CHARACTERS - room]
    text = text.encode(errors="replace")[: MAX_BYTES - 4 * room].decode(errors="ignore")
    whole_lines = text[: text.rfind("\n")] if "\n" in text and len(text) < len(told.text) else text
    return told._replace(text=f"{whole_lines}\n{LEFT_OUT}", kept=few)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
