"""Replay a real history: `python -m tests.brain.living.day /path/to/bare.git [200] [--every 1]`.

The newest commits of a bare repository, by first parents, are built one by one in a scratch installation as if
each had just been pushed; after every one (or every so many) all rows are compared with a whole build.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pygit2

from benchmarks.scratch import installation

SHOWN = 20  # commits between two lines of progress


@dataclass(slots=True)
class Day:
    """What was found on the way."""

    kinds: Counter[str] = field(default_factory=Counter)
    compared: int = 0
    differing: list[str] = field(default_factory=list)
    seconds: dict[str, list[float]] = field(default_factory=lambda: {"incremental": [], "whole": []})


def main() -> int:
    """How many commits were built to other rows than a whole build makes."""
    parser = argparse.ArgumentParser(prog="python -m tests.brain.living.day", description=__doc__)
    parser.add_argument("repository", type=Path)
    parser.add_argument("commits", type=int, nargs="?", default=200)
    parser.add_argument("--every", type=int, default=1, help="compare after so many commits")
    asked = parser.parse_args()
    with installation([str(asked.repository)]):
        day = _replayed(asked.repository.resolve(), asked.commits, asked.every)
    _tell(day)
    return min(len(day.differing), 100)


def _replayed(repository: Path, count: int, every: int) -> Day:
    from brain import store
    from brain.management.operating import add

    projects = [add(slug, remote=str(repository), name="day", branch="") for slug in ("living", "whole")]
    living, whole = map(store.source_of, projects)
    mirror = pygit2.Repository(str(projects[0].repository.mirror))
    branch, day = mirror.references[f"refs/heads/{living.branch}"], Day()
    line = _line(mirror, branch.target, count + 1)
    for number, commit in enumerate(line):
        branch.set_target(commit)
        kind = _build(living, day, whole=False)
        if number and (number % every == 0 or number == len(line) - 1):
            _build(whole, day, whole=True)
            _compare(living, whole, day, f"{number} {commit} ({kind})")
        if number % SHOWN == 0:
            sys.stdout.write(f"{number} of {len(line) - 1}: {dict(day.kinds)}, {len(day.differing)} differ\n")
            sys.stdout.flush()
    return day


def _line(mirror: pygit2.Repository, tip: Any, count: int) -> list[Any]:
    """The newest commits by first parents, the oldest first."""
    line = [tip]
    while len(line) < count and mirror[line[-1]].parent_ids:
        line.append(mirror[line[-1]].parent_ids[0])
    return line[::-1]


def _build(source: Any, day: Day, *, whole: bool) -> str:
    from brain.builds import build

    source.refresh_from_db()
    started = time.perf_counter()
    kind = build(source, whole=whole).kind
    day.seconds[kind].append(time.perf_counter() - started)
    if not whole:
        day.kinds[kind] += 1
    return str(kind)


def _compare(living: Any, whole: Any, day: Day, where: str) -> None:
    from tests.brain.living.comparing import differences

    day.compared += 1
    if found := differences(living, whole):
        day.differing.append(where)
        sys.stdout.write("\n".join([f"DIFFERS after {where}", *found[:12], ""]))


def _tell(day: Day) -> None:
    means = {kind: sum(spent) / len(spent) for kind, spent in day.seconds.items() if spent}
    told = ", ".join(f"{kind} {mean:.2f} s" for kind, mean in means.items())
    sys.stdout.write(
        f"builds {dict(day.kinds)}; compared {day.compared}; differing {len(day.differing)}; mean {told}\n"
    )


if __name__ == "__main__":
    sys.exit(main())
