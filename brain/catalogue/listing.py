"""The list of all reads; doors are made from it."""

from __future__ import annotations

from typing import Any

from brain import text, wire
from brain.catalogue.kinds import Read
from brain.catalogue.notes import note_of_changes, note_of_grep, note_of_read, note_of_resolve, note_of_search
from brain.forms import (
    BacklinksQuery,
    BrokenQuery,
    ChangesQuery,
    GrepQuery,
    LookupQuery,
    ProblemsQuery,
    ReadQuery,
    ResolveQuery,
    SearchQuery,
    StatusQuery,
    TreeQuery,
)
from brain.reads.answers import Lines, Reading
from brain.reads.backlinks import read_backlinks
from brain.reads.broken import read_broken
from brain.reads.changes import read_changes
from brain.reads.grep import grep
from brain.reads.lookup import look_up
from brain.reads.problems import read_problems
from brain.reads.read import MEMBER_CUT, PORTAL_CUT, read_node
from brain.reads.resolve import resolve
from brain.reads.search import search
from brain.reads.status import read_status
from brain.reads.tree import read_tree
from brain.store import Store


def _window(asked: Any) -> dict[str, int]:
    return {"offset": asked.offset, "limit": asked.limit}


def _read(store: Store, asked: ReadQuery) -> Reading:
    return read_node(
        store,
        asked.node,
        scope=asked.scope,
        from_line=asked.from_line,
        from_column=asked.from_column,
        line_numbers=asked.numbered,
        cut=MEMBER_CUT if asked.numbered else PORTAL_CUT,
    )


def _grep(store: Store, asked: GrepQuery) -> Lines:
    within = {"under": asked.under, "space": asked.space, "label": asked.label}
    return grep(store, asked.text, ignore_case=asked.ignore_case, **within)


READS: dict[str, Read] = {
    read.name: read
    for read in (
        Read(
            name="status",
            about="Where the Brain stands: built or not, how far behind, how much it holds.",
            query=StatusQuery,
            ask=lambda store, _: read_status(store),
            json=wire.status_json,
            text=text.status_text,
            stamped=False,
        ),
        Read(
            name="tree",
            about="A node, the way to it, and one level of what it holds, each with a summary.",
            query=TreeQuery,
            ask=lambda store, asked: read_tree(
                store, asked.node, **_window(asked), depth=asked.depth, match=asked.match
            ),
            json=wire.level_json,
            text=text.level_text,
        ),
        Read(
            name="read",
            about="A node's text with its citation, its links both ways and what it holds.",
            query=ReadQuery,
            ask=_read,
            json=wire.reading_json,
            text=text.reading_text,
            note=note_of_read,
        ),
        Read(
            name="lookup",
            about="The nodes that a reference id, a path, a file name or a title names.",
            query=LookupQuery,
            ask=lambda store, asked: look_up(store, asked.query),
            found="matches",
            json=wire.matches_json,
            text=text.matches_text,
        ),
        Read(
            name="grep",
            about="The lines that hold every word, each in the deepest node that holds the line.",
            query=GrepQuery,
            ask=_grep,
            found="matches",
            json=wire.lines_json,
            text=text.lines_text,
            note=note_of_grep,
            policy="search",
        ),
        Read(
            name="search",
            about="The nodes that meet the words best, each with the line that shows it.",
            query=SearchQuery,
            ask=lambda store, asked: search(store, asked.query, under=asked.under, **_window(asked)),
            found="results",
            json=wire.results_json,
            text=text.results_text,
            note=note_of_search,
            policy="search",
        ),
        Read(
            name="backlinks",
            about="The places in other pages that link to a page, or to one heading or card of it.",
            query=BacklinksQuery,
            ask=lambda store, asked: read_backlinks(store, asked.node, **_window(asked)),
            found="items",
            json=wire.backlinks_json,
            text=text.backlinks_text,
        ),
        Read(
            name="broken",
            about="Links to Markdown files that are not there, and to headings that documents lack.",
            query=BrokenQuery,
            ask=lambda store, _: read_broken(store),
            json=wire.broken_json,
            text=text.broken_text,
        ),
        Read(
            name="changes",
            about="What changed from an earlier commit to the indexed one.",
            query=ChangesQuery,
            ask=lambda store, asked: read_changes(store, asked.since, under=asked.under),
            found="changes",
            json=wire.changes_json,
            text=text.changes_text,
            note=note_of_changes,
            policy="changes",
        ),
        Read(
            name="resolve",
            about="Where the lines of old citations stand today; what can't be told is not guessed.",
            query=ResolveQuery,
            ask=lambda store, asked: resolve(store, asked.citations),
            json=wire.resolutions_json,
            text=text.resolutions_text,
            note=note_of_resolve,
            policy="changes",
        ),
        Read(
            name="problems",
            about="What a writer can mend, and which files a limit left out.",
            query=ProblemsQuery,
            ask=lambda store, asked: read_problems(store, **_window(asked)),
            json=wire.problems_json,
            text=text.problems_text,
        ),
    )
}
