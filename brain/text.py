"""The readable text of every answer, for people and models alike."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from brain.markdown.problems import Problem
from brain.reads.answers import Backlinks, Broken, Crumb, Level, Matches, Problems, Reading, Status
from brain.store.protocol import Envelope
from brain.tree.nodes import Node


def freshness(envelope: Envelope) -> str:
    """One line: what is read, and how far behind it is."""
    if not envelope.commit:
        return f"{envelope.branch or envelope.project}: {envelope.state}"
    behind = {None: "", 0: ", up to date"}.get(envelope.behind, f", {envelope.behind} behind")
    return f"{envelope.branch} at {envelope.commit[:12]}{behind}".strip()


def status_text(status: Status) -> str:
    """The answer of `status`."""
    counts = ", ".join(f"{count:,} {_words(name)}" for name, count in status.counts.items() if count)
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
    lines = [_head(level.breadcrumb, level.envelope), _node(level.node), ""]
    for branch in level.children:
        lines.append(_node(branch.node))
        lines += [f"  {_node(node)}" for node in branch.children]
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
    found = [f"{_node(match.node)}  [{match.matched_by}]" for match in matches.matches]
    return "\n".join(found or [f"Nothing here is called {matches.query!r} ({freshness(matches.envelope)})."])


def backlinks_text(backlinks: Backlinks) -> str:
    """The answer of `backlinks`."""
    lines = [
        f"{item.node.path}:{item.line}  {item.node.title} → {item.target.id}" for item in backlinks.items
    ]
    if backlinks.next_offset is not None:
        lines.append(f"… {backlinks.total - backlinks.next_offset:,} more: offset {backlinks.next_offset}")
    return "\n".join(lines or [f"No page links here ({freshness(backlinks.envelope)})."])


def broken_text(broken: Broken) -> str:
    """The answer of `broken`."""
    return "\n".join(_broken(broken)) or f"Nothing is broken ({freshness(broken.envelope)})."


def problems_text(problems: Problems) -> str:
    """The answer of `problems`."""
    lines = [f"{_where(problem)}  {problem.code}: {problem.message}" for problem in problems.problems]
    if problems.next_offset is not None:
        lines.append(f"… {problems.total - problems.next_offset:,} more: offset {problems.next_offset}")
    lines += [f"{left.path}  left out: {left.reason}" for left in problems.left_out]
    return "\n".join(lines or [f"There are no problems ({freshness(problems.envelope)})."])


def _where(problem: Problem) -> str:
    path = problem.path or "the build"
    return path if problem.line is None else f"{path}:{problem.line}"


def _broken(broken: Broken) -> Iterator[str]:
    for link in broken.links:
        yield f"{link.source}:{link.line}  {link.target}"
    if broken.truncated:
        yield f"… only the first {len(broken.links):,} links are listed"
    for anchor in broken.anchors:
        close = f"  (close: #{anchor.suggestion})" if anchor.suggestion else ""
        yield f"{anchor.source}:{anchor.line}  {anchor.target}{close}"
    if broken.anchors_truncated:
        yield f"… only the first {len(broken.anchors):,} anchors are listed"


def _head(breadcrumb: Iterable[Crumb], envelope: Envelope) -> str:
    return f"{' › '.join(crumb.title for crumb in breadcrumb)} ({freshness(envelope)})"


def _node(node: Node) -> str:
    size = f"~{node.size:,} tokens"
    below = f", {node.children} below" if node.children else ""
    summary = f": {node.summary}" if node.summary else ""
    return f"{node.id}  {node.title} ({size}{below}){summary}"


def _words(name: str) -> str:
    return {"brokenAnchors": "broken anchors", "leftOut": "left out", "broken": "broken links"}.get(
        name, name
    )
