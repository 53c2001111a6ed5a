"""The list of the tools; an agent sees them in this order."""

from __future__ import annotations

from brain.catalogue import READS
from brain.tools.kinds import Tool


def _tool(name: str, title: str, read: str, about: str) -> Tool:
    return Tool(name=name, title=title, about=about, read=READS[read])


TOOLS: dict[str, Tool] = {
    tool.name: tool
    for tool in (
        _tool(
            "brain_search_text",
            "Search",
            "search",
            "Ranked search: the nodes that meet the words best, each with the line that shows it.",
        ),
        _tool(
            "brain_lookup",
            "Look up",
            "lookup",
            "The nodes that a reference id, node id, path, file name or title names.",
        ),
        _tool(
            "brain_tree",
            "Tree",
            "tree",
            "A node and one level of its children, each with id, size and summary.",
        ),
        _tool(
            "brain_read",
            "Read",
            "read",
            "A node's text with line numbers, its citation, its children and links both ways.",
        ),
        _tool(
            "brain_grep",
            "Grep",
            "grep",
            "Up to 50 lines that hold all the words, each with path, line and node.",
        ),
        _tool(
            "brain_backlinks",
            "Backlinks",
            "backlinks",
            "The places in other pages that link to a page, heading or card.",
        ),
        _tool(
            "brain_changes",
            "Changes",
            "changes",
            "Documents and sections that changed from an earlier commit to the one read now.",
        ),
        _tool(
            "brain_resolve",
            "Resolve citations",
            "resolve",
            "Where the lines of old citations stand now: unchanged, moved, edited, split or deleted.",
        ),
        _tool(
            "brain_status",
            "Status",
            "status",
            "State, branch, commit, freshness and size of the Brain; answers also when reads are refused.",
        ),
    )
}
# Without a server there is no index of words, no history and no state.
FOLDER_TOOLS: dict[str, Tool] = {
    name: TOOLS[name] for name in ("brain_lookup", "brain_tree", "brain_read", "brain_grep")
}
