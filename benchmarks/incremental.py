"""How long an incremental build takes after 1, 10 and 100 changed documents, against a whole build.

    ./run --dev python benchmarks/incremental.py /path/to/one.git /path/to/another.git

Each path names a bare repository whose HEAD is built, three times whole. Then edits are committed to the
mirror that the benchmark has made of it (the repository itself is only read) and built: three edits of each
size, spread over all documents. The table tells the best and the median of the three, the phases of the
median one, and its ratio to the median whole build of the same run: ratios can be compared with those of
another machine, seconds can not.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pygit2

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.scratch import installation

SIZES = (1, 10, 100)  # changed documents
RUNS = 3
SEED = 7


@dataclass(frozen=True, slots=True)
class Timed:
    """One build: its kind, and its seconds as a whole and by phase."""

    kind: str
    wall: float
    phases: dict[str, float]


def main(repositories: list[str]) -> None:
    """Measure each repository."""
    if not repositories:
        sys.exit(__doc__)
    with installation(repositories):
        for repository in repositories:
            print(_measured(Path(repository).resolve()), flush=True)


def _measured(repository: Path) -> str:
    from brain import store
    from brain.management.operating import add, remove

    name = repository.name.removesuffix(".git")
    project = add("benchmark", remote=str(repository), name=name, branch="")
    assert project.repository
    source, mirror = store.source_of(project), pygit2.Repository(str(project.repository.mirror))
    whole = [_timed(source, whole=True) for _ in range(RUNS)]
    documents, rng = source.counts["documents"], random.Random(SEED)
    lines = [f"\n{name}: {documents:,} documents", _line("whole", whole, whole)]
    for size in SIZES:
        edited = []
        for run in range(RUNS):
            _edit(mirror, source.branch, rng.sample(_paths(source), size), f"{size} {run}")
            edited.append(_timed(source))
        lines.append(_line(f"{size} changed", edited, whole))
    remove(project)
    return "\n".join(lines)


def _timed(source: Any, *, whole: bool = False) -> Timed:
    from brain.builds import build

    source.refresh_from_db()
    started = time.perf_counter()
    report = build(source, whole=whole, asked_by="benchmark")
    wall = time.perf_counter() - started
    source.refresh_from_db()
    return Timed(report.kind, wall, dict(report.seconds))


def _paths(source: Any) -> list[str]:
    from brain import models

    nodes = models.Node.objects.filter(source=source, kind="document")
    return sorted(nodes.values_list("path", flat=True))


def _edit(mirror: pygit2.Repository, branch: str, paths: Iterable[str], mark: str) -> None:
    """Commit a new section at the end of each of these documents."""
    reference = mirror.references[f"refs/heads/{branch}"]
    tip = mirror[reference.target]
    index = pygit2.Index()
    index.read_tree(tip.tree)
    for path in paths:
        entry = index[path]
        text = mirror.odb.read(entry.id)[1] + f"\n\n## Edited {mark}\n\nWords of the edit {mark}.\n".encode()
        index.add(pygit2.IndexEntry(path, mirror.create_blob(text), entry.mode))
    tree = index.write_tree(mirror)
    person = pygit2.Signature("Benchmark", "benchmark@example.org", int(time.time()))
    commit = mirror.create_commit(None, person, person, f"Edit {mark}", tree, [tip.id])
    reference.set_target(commit)


def _line(name: str, builds: list[Timed], whole: list[Timed]) -> str:
    ordered = sorted(builds, key=lambda one: one.wall)
    best, median = ordered[0], ordered[len(ordered) // 2]
    ratio = median.wall / statistics.median(one.wall for one in whole)
    kinds = "/".join(sorted({one.kind for one in builds}))
    phases = ", ".join(f"{phase} {spent:.2f}" for phase, spent in median.phases.items() if spent >= 0.005)
    told = f"  {name:<13}{best.wall:8.2f} s best {median.wall:8.2f} s median {ratio:8.4f} of a whole build"
    return f"{told}  ({kinds})\n      {phases}"


if __name__ == "__main__":
    main(sys.argv[1:])
