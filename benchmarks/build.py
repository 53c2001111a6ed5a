"""How long a whole build takes, against what its stages cost at least.

    ./run --dev python benchmarks/build.py /path/to/one.git /path/to/another.git

Each path names a bare repository whose HEAD is built. The benchmark brings a PostgreSQL of its own in a
scratch folder, makes a project for each repository, builds it, measures the floors (`floors.py`) right after,
prints a table and removes everything again. Ratios of one run can be compared with those of another machine,
seconds can not; on a machine that has other work, run it twice. A peak of memory holds what Python kept of
the builds before: name the largest repository first, or each in a run of its own.
"""

from __future__ import annotations

import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

import psutil

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.scratch import installation

BETWEEN_LOOKS = 0.2  # seconds between two looks at the memory
SIDE = ("history",)  # phases that run beside the others


@dataclass(slots=True)
class Measured:
    """One build and its floors."""

    name: str
    documents: int
    size: int  # bytes
    wall: float  # seconds
    peak: int  # bytes, of the builder and its children
    phases: dict[str, float]
    floors: dict[str, float] = field(default_factory=dict)


class PeakMemory:
    """Looks at the memory of this process and its children until the end; the database is not among them."""

    def __init__(self) -> None:
        self.bytes = 0
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self._thread.join()

    def _look(self) -> None:
        this = psutil.Process()
        while not self._ended.wait(BETWEEN_LOOKS):
            self.bytes = max(self.bytes, sum(map(_memory_of, (this, *this.children(recursive=True)))))


def main(repositories: list[str]) -> None:
    """Measure each repository."""
    if not repositories:
        sys.exit(__doc__)
    with installation(repositories):
        for repository in repositories:
            print(_table(_measured(Path(repository).resolve())), flush=True)


def _measured(repository: Path) -> Measured:
    from django.conf import settings

    from benchmarks.floors import floors, size_of
    from brain import store
    from brain.builds import build
    from brain.management.operating import add, remove

    name = repository.name.removesuffix(".git")
    project = add("benchmark", remote=str(repository), name=name, branch="")
    assert project.repository
    mirror, source = project.repository.mirror, store.source_of(project)
    started = time.perf_counter()
    with PeakMemory() as memory:
        report = build(source, asked_by="benchmark")
    wall = time.perf_counter() - started
    measured = Measured(
        name=name,
        documents=report.counts["documents"],
        size=size_of(mirror, report.commit),
        wall=wall,
        peak=memory.bytes,
        phases=report.seconds,
    )
    measured.floors = floors(mirror, report.commit, source.pk, settings.BRAIN_PARSE_PROCESSES)
    remove(project)
    return measured


def _table(one: Measured) -> str:
    lines = [f"\n{one.name}: {one.documents:,} documents, {one.size / 1e6:.1f} MB"]
    lines += [
        f"  {phase:<14}{spent:8.2f} s{'  beside' * (phase in SIDE)}" for phase, spent in one.phases.items()
    ]
    lines.append(f"  {'whole':<14}{one.wall:8.2f} s")
    lines += [f"  floor of {name:<13}{spent:6.2f} s" for name, spent in one.floors.items()]
    least = sum(one.floors.values())
    parsing = one.phases["parse"] + one.phases.get("words", 0)
    least_parsing = sum(one.floors[name] for name in ("parse", "front matter", "vectors"))
    lines += [
        f"  {one.documents / one.wall:,.0f} documents and {one.size / 1e6 / one.wall:.2f} MB a second",
        f"  peak memory     {one.peak / 2**20:6.0f} MiB",
        f"  whole ÷ floors  {one.wall / least:6.2f}",
        f"  parse and words ÷ floors of parse, front matter and vectors  {parsing / least_parsing:.2f}",
        f"  write ÷ floor of copy  {one.phases['write'] / one.floors['copy']:.2f}",
    ]
    return "\n".join(lines)


def _memory_of(process: psutil.Process) -> int:
    """What the process takes for itself; exact sums of shared pages would slow the build down."""
    try:
        memory = process.memory_info()
    except psutil.Error:
        return 0
    return int(memory.rss - getattr(memory, "shared", 0))


if __name__ == "__main__":
    main(sys.argv[1:])
