"""Backlinks, broken links and problems in words."""

from __future__ import annotations

from collections.abc import Iterator

from brain.markdown.problems import Problem
from brain.reads.answers import Backlinks, Broken, Problems
from brain.text.nodes import freshness


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
