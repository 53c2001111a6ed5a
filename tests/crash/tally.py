"""What was tried and what went wrong, as the table that every run prints."""

from __future__ import annotations

import statistics
from collections import Counter
from dataclasses import dataclass, field

COUNTED = ("points", "probes", "away", "partial", "mixed", "stuck", "left", "failed")


@dataclass(slots=True)
class Row:
    """One way to hurt a build."""

    name: str
    counts: Counter[str] = field(default_factory=Counter)
    recoveries: list[float] = field(default_factory=list)  # seconds
    wrong: list[str] = field(default_factory=list)
    reasons: Counter[str] = field(default_factory=Counter)  # of builds that failed, as they may

    def note(self, kind: str, what: str) -> None:
        """Something went wrong; nothing when `what` says nothing."""
        if what:
            self.counts[kind] += 1
            self.wrong.append(f"{self.name}: {kind}: {what}")


class Tally(dict[str, Row]):
    """Rows by name, made as they are asked for."""

    def __missing__(self, name: str) -> Row:
        self[name] = Row(name)
        return self[name]

    def table(self) -> list[str]:
        """As lines of text."""
        head = f"{'':<44}" + "".join(f"{name:>9}" for name in COUNTED) + "  recovery s (median, max)"
        lines = [head, *map(_line, self.values())]
        reasons = sum((row.reasons for row in self.values()), Counter[str]())
        return lines + [f"  {times:>4} failed with {reason!r}" for reason, times in reasons.most_common()]


TALLY = Tally()


def _line(row: Row) -> str:
    counts = "".join(f"{row.counts[name]:>9,}" for name in COUNTED)
    times = ""
    if row.recoveries:
        times = f"  {statistics.median(row.recoveries):6.1f} {max(row.recoveries):6.1f}"
    return f"{row.name:<44}{counts}{times}"
