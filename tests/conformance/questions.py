"""What each tool is asked of the sample, and words that its answer has to hold."""

from __future__ import annotations

from typing import Any, NamedTuple


class Question(NamedTuple):
    """A call of a tool."""

    arguments: dict[str, Any]
    told: str


def questions(first: str) -> dict[str, Question]:
    """A question for every tool, in the order in which the tools are listed."""
    return {
        "brain_search_text": Question({"query": "who approves refunds"}, "guides/limits.md"),
        "brain_lookup": Question({"query": "ADR-0001"}, "decisions/0001.md"),
        "brain_tree": Question({"node": "/"}, "guides/"),
        "brain_read": Question({"node": "guides/limits.md"}, "The team lead approves refunds."),
        "brain_grep": Question({"text": "team lead"}, "guides/limits.md"),
        "brain_backlinks": Question({"node": "guides/limits.md"}, "README.md"),
        "brain_changes": Question({"since": first}, "guides/limits.md"),
        "brain_resolve": Question({"citations": [f"guides/limits.md:1-3@{first}"]}, "unchanged"),
        "brain_status": Question({}, "ready"),
    }


OF_FOLDERS = ("brain_lookup", "brain_tree", "brain_read", "brain_grep")  # the tools without a server
NOWHERE = Question({"node": "no/such.md"}, "brain_lookup")  # a refusal names the tool that helps
