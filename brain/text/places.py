"""Status, tree, read and look-up in words."""

from __future__ import annotations

from brain.reads.answers import Level, Matches, Reading, Status
from brain.text.nodes import counted, freshness, head, node_line


def status_text(status: Status) -> str:
    """The answer of `status`."""
    counts = ", ".join(f"{count:,} {counted(name)}" for name, count in status.counts.items() if count)
    lines = [
        f"State: {status.envelope.state}",
        f"Reads: {freshness(status.envelope)}",
        f"Holds: {counts or 'nothing'}",
    ]
    if status.error:
        lines.append(f"Last build: {status.error}")
    if status.progress:
        lines.append("Building: {phase}, {done} of {total}".format(**status.progress))
    return "\n".join(lines)


def level_text(level: Level) -> str:
    """The answer of `tree`."""
    lines = [head(level.breadcrumb, level.envelope), node_line(level.node), ""]
    for branch in level.children:
        lines.append(node_line(branch.node))
        lines += [f"  {node_line(node)}" for node in branch.children]
    if level.next_offset is not None:
        lines.append(f"… {level.total - level.next_offset:,} more: offset {level.next_offset}")
    return "\n".join(lines)


def reading_text(reading: Reading) -> str:
    """The answer of `read`: a line to cite by, then the text."""
    cited = str(reading.citation) if reading.citation else reading.node.id
    lines = [f"{cited} ({freshness(reading.envelope)})", reading.text.rstrip("\n")]
    if reading.truncated:
        column = f", column {reading.next_column}" if reading.next_column else ""
        lines.append(f"… cut here; go on at line {reading.next_line}{column} of {reading.total_lines}")
    return "\n".join(lines)


def matches_text(matches: Matches) -> str:
    """The answer of `lookup`."""
    found = [f"{node_line(match.node)}  [{match.matched_by}]" for match in matches.matches]
    return "\n".join(found or [f"Nothing here is called {matches.query!r} ({freshness(matches.envelope)})."])
