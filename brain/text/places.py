"""Status, tree, read and look-up in words."""

from __future__ import annotations

from brain.reads.answers import Level, Matches, Reading, Status
from brain.text.nodes import counted, freshness, head, node_line

SHOWN = 20  # nodes below one that is read


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
    lines = [f"{cited} ({freshness(reading.envelope)})"]
    if reading.citation:
        lines.append(reading.text.rstrip("\n"))
    if reading.truncated:
        column = f", column {reading.next_column}" if reading.next_column else ""
        lines.append(f"… cut here; go on at line {reading.next_line}{column} of {reading.total_lines}")
    return "\n".join([*lines, *_below(reading), *_links(reading)])


def _below(reading: Reading) -> list[str]:
    """The first nodes under it whose text the answer does not hold."""
    node, cited = reading.node, reading.citation
    ends = node.subtree_end if cited and node.subtree_end else None
    if not reading.children or (cited and ends and (reading.truncated or cited.line_end >= ends)):
        return []
    shown = reading.children[:SHOWN]
    more = [f"… {node.children - len(shown):,} more in its tree"] if node.children > len(shown) else []
    return ["", "Below it:", *map(node_line, shown), *more]


def _links(reading: Reading) -> list[str]:
    """The links both ways, an id a line."""
    told: list[str] = []
    for name, ends, total in (
        ("Links to", reading.outgoing, reading.outgoing_total),
        ("Linked from", reading.incoming, reading.incoming_total),
    ):
        if ends:
            more = f", the first {len(ends)}" if total > len(ends) else ""
            told += ["", f"{name} ({total:,}{more}):"]
            told += [f"{end.node.id}  {end.node.title}" for end in ends]
    return told


def matches_text(matches: Matches) -> str:
    """The answer of `lookup`."""
    found = [f"{node_line(match.node)}  [{match.matched_by}]" for match in matches.matches]
    close = f" Close: {', '.join(matches.near)}" if matches.near else ""
    nothing = f"Nothing here is called {matches.query!r} ({freshness(matches.envelope)}).{close}"
    return "\n".join(found or [nothing])
