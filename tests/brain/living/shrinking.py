"""The smallest history that still goes wrong: steps, then files, are left out while the fault stays."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from tests.brain.living.histories import History, Step

CHANGES = ("changes", "ours", "theirs", "evil")
GLOBS = ("include", "exclude")
ATTEMPTS = 150


def shrunk(history: History, fails: Callable[[History], bool], attempts: int = ATTEMPTS) -> History:
    """The history without whatever its fault does not need; asks at most so often."""
    smaller = True
    while smaller:
        smaller = False
        for candidate in _smaller(history):
            attempts -= 1
            if attempts < 0:
                return history
            if fails(candidate):
                history, smaller = candidate, True
                break
    return history


def told(history: History) -> str:
    """The history in words: what a person needs to play it again."""
    settings = {name: getattr(history, name) for name in ("seed", *GLOBS, "limits")}
    lines = [repr(settings), "first:"]
    lines += _told(history.first)
    for number, step in enumerate(history.steps, start=1):
        plain = {name: value for name, value in vars(step).items() if name not in CHANGES}
        lines.append(f"{number}. {type(step).__name__} {plain}")
        for name in CHANGES:
            if changes := getattr(step, name, None):
                lines += [f"  {name}:", *_told(changes)]
    return "\n".join(lines)


def _smaller(history: History) -> Iterator[History]:
    """Candidates, the boldest first."""
    steps = history.steps
    for at in reversed(range(len(steps))):
        yield replace(history, steps=(*steps[:at], *steps[at + 1 :]))
    for part in _parts(history.first):
        yield replace(history, first=part)
    for at, step in enumerate(steps):
        for name in CHANGES:
            for part in _parts(getattr(step, name, {})):
                yield replace(history, steps=(*steps[:at], _with(step, name, part), *steps[at + 1 :]))
    yield from _plainer(history)


def _plainer(history: History) -> Iterator[History]:
    for name in history.limits:
        yield replace(history, limits={key: value for key, value in history.limits.items() if key != name})
    for name in GLOBS:
        if getattr(history, name):
            yield replace(history, **{name: ()})


def _parts(changes: Any) -> Iterator[dict[str, Any]]:
    """The changes without a half, a quarter, … or one of them; then with shorter texts."""
    paths = list(changes)
    size = len(paths)
    while size > 1:
        size //= 2
        for start in range(0, len(paths), size):
            yield {path: changes[path] for path in (*paths[:start], *paths[start + size :])}
    if len(paths) == 1:
        yield {}
    for path, content in changes.items():
        blocks = content.split("\n\n") if isinstance(content, str) else []
        for at in range(len(blocks) if len(blocks) > 1 else 0):
            yield {**changes, path: "\n\n".join((*blocks[:at], *blocks[at + 1 :]))}


def _with(step: Step, name: str, changes: dict[str, Any]) -> Step:
    return replace(step, **{name: changes})


def _told(changes: Any) -> Iterator[str]:
    for path, content in changes.items():
        said = repr(content)
        yield f"    {path!r}: {said if len(said) < 2_000 else f'{said[:60]}… ({len(said):,} characters)'}"
