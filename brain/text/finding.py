"""Grep and search in words."""

from __future__ import annotations

from brain.reads.answers import Lines, Results
from brain.text.nodes import freshness, node_line


def lines_text(lines: Lines) -> str:
    """The answer of `grep`: as grep itself prints, with the node."""
    said = [f"{hit.node.path}:{hit.line}: {hit.text.strip()}  [{hit.node.id}]" for hit in lines.matches]
    if lines.truncated:
        said.append("… there is more: use more words, or look under a node")
    return "\n".join(said or [f"No line holds all of {lines.text!r} ({freshness(lines.envelope)})."])


def results_text(results: Results) -> str:
    """The answer of `search`: nodes, best first, each with the line that shows it."""
    said = [] if results.mode == "text" else ["No such word is known; these lines hold it as part of others:"]
    for result in results.results:
        said.append(node_line(result.node))
        if result.line is not None:
            said.append(f"  {result.node.path}:{result.line}: {result.highlight}")
    if results.next_offset is not None:
        said.append(f"… {results.total - results.next_offset:,} more: offset {results.next_offset}")
    return "\n".join(
        said if results.results else [f"Nothing meets {results.query!r} ({freshness(results.envelope)})."]
    )
