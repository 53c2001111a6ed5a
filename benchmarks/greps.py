"""Exact search side by side with `git grep` and ripgrep: the same words, the same lines, one run."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

WORDS = ("template", "the", "constexpr", "virtual function", "zyzzyva")


def grep_table(project: Any, scratch: Path) -> str:
    """The first 50 lines of each word, by each way."""
    from brain.store import source_of

    commit, mirror = source_of(project).commit, project.repository.mirror
    checkout = scratch / "checkout"
    checkout.mkdir()
    subprocess.run(f"git --git-dir={mirror} archive {commit} | tar -x -C {checkout}", shell=True, check=True)
    lines = [
        "\nfirst 50 lines, milliseconds (best of 5), in one run",
        f"  {'':20}{'grep':>8}{'git grep':>10}{'rg':>8}",
    ]
    for word in WORDS:
        own, theirs, other = _grep_times(project, mirror, commit, checkout, word)
        lines.append(
            f"  {word:20}{own:8.1f}{theirs:10.1f}{other:8.1f}   {theirs / own:.0f} x, {other / own:.0f} x"
        )
    return "\n".join(lines)


def _grep_times(
    project: Any, mirror: Path, commit: str, checkout: Path, word: str
) -> tuple[float, float, float]:
    from brain.reads.grep import grep
    from brain.store import database_store

    def ours() -> list[tuple[str, int]]:
        with database_store(project) as store:
            return [(hit.node.path, hit.line) for hit in grep(store, f'"{word}"').matches]

    git = ["git", f"--git-dir={mirror}", "grep", "-n", "-i", "-F", "-e", word, commit, "--", "*.md", "*.MD"]
    ripgrep = [
        "rg",
        "-n",
        "-i",
        "-F",
        "--sort=path",
        "--no-ignore",
        "-g",
        "*.md",
        "-g",
        "*.MD",
        "-e",
        word,
        str(checkout),
    ]
    found = [_placed(line.partition(":")[2]) for line in _lines(git)]
    if ours() != [place for place in sorted(found, key=lambda one: one[0]) if _indexed(place[0])][:50]:
        print(f"  {word}: other lines than git grep", flush=True)
    return _best(ours), _best(lambda: _lines(git)), _best(lambda: _lines(ripgrep))


def _indexed(path: str) -> bool:
    from brain.tree.scope import Scope

    return Scope().covers(path)


def _placed(line: str) -> tuple[str, int]:
    path, number, _ = line.split(":", 2)
    return path, int(number)


def _lines(command: list[str]) -> list[str]:
    said = subprocess.run(command, capture_output=True, check=False).stdout.decode(errors="replace")
    return said.split("\n")[:-1]


def _best(work: Callable[[], object]) -> float:
    times = []
    for _ in range(5):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return min(times) * 1e3
