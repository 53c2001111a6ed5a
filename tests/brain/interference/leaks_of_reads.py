"""Leaks of reads, whatever was built: they open what is hidden, or tell it from what was never there."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from brain.catalogue import listing
from brain.errors import CommitNotFound, NodeNotFound
from brain.markdown.lines import decode
from brain.pages import rooms
from brain.reads import changes, grep, tree
from brain.store import DatabaseStore, frequencies, settings_of
from brain.store.protocol import Git
from brain.tree.nodes import ROOT, Kind, Lines, Node
from brain.tree.scope import is_markdown
from repositories import reader
from repositories.errors import CommitMissing
from repositories.reader.descent import Descent
from tests.brain.interference.planting import beside, leak


def _hidden(git):
    """The hidden texts of the indexed commit, by path."""
    return {path: text for path, (_, text) in _all(git.mirror, git.commit).items() if git.scope.hides(path)}


@lru_cache(maxsize=4)
def _all(mirror, commit):
    """The blob and text of every Markdown file."""
    blobs = {one.path: one.blob for one in reader.tree_of(mirror, commit).files if is_markdown(one.path)}
    return {path: (blob, decode(reader.blob(mirror, blob)).text) for path, blob in blobs.items()}


@leak("tree", "read")
def whoever_knows_a_hidden_path_may_read_it(patch):
    def node(honest, store, node_id):
        found = honest(store, node_id)
        if found or node_id not in _hidden(store.git):
            return found
        blob, text = _all(store.git.mirror, store.git.commit)[node_id]
        end, place = text.count("\n"), {"parent": ROOT, "path": node_id, "blob": blob}
        return Node(id=node_id, kind=Kind.DOCUMENT, title="?", lines=Lines(1, end), subtree_end=end, **place)

    beside(patch, DatabaseStore, "node", node)


@leak("tree")
def a_refusal_says_that_it_is_hidden(patch):
    def node_of(honest, store, node_id):
        try:
            return honest(store, node_id)
        except NodeNotFound:
            if node_id in _hidden(store.git):
                raise NodeNotFound("That is not for you.") from None
            raise

    beside(patch, tree, "node_of", node_of)


@leak("lookup")
def what_comes_close_may_be_hidden(patch):
    def look_up(honest, store, query):
        found = honest(store, query)
        close = [path for path in _hidden(store.git) if query[:12] in path]
        return found if found.matches else replace(found, near=tuple([*found.near, *close][:5]))

    beside(patch, listing, "look_up", look_up)


@leak("backlinks")
def backlinks_count_hidden_pages(patch):
    def backlinks(honest, store, node_id, **window):
        found = honest(store, node_id, **window)
        hidden = sum(node_id in text for text in _hidden(store.git).values())
        return replace(found, total=found.total + hidden)

    beside(patch, listing, "read_backlinks", backlinks)


@leak("status")
def the_status_counts_hidden_pages(patch):
    def status(honest, store):
        found = honest(store)
        return replace(found, counts=found.counts | {"documents": len(_hidden(store.git))})

    beside(patch, listing, "read_status", status)


@leak("broken")
def missing_hidden_pages_are_listed(patch):
    """And so a link that is not listed leads to something."""

    def broken(honest, store):
        found, hidden = honest(store), _hidden(store.git)
        written = [link.target for path in store.documents() for link in store.written_links(path)]
        missing = [target for target in written if target.startswith("restricted/") and target not in hidden]
        first = found.links[0]
        return replace(found, links=(*found.links, *(replace(first, target=target) for target in missing)))

    beside(patch, listing, "read_broken", broken)


@leak("grep")
def grep_counts_lines_of_hidden_pages(patch):
    def lines(honest, store, text, **within):
        found = honest(store, text, **within)
        hidden = sum(text in line for one in _hidden(store.git).values() for line in one.split("\n"))
        return replace(found, total=(found.total or 0) + hidden)

    beside(patch, listing, "grep", lines)


@leak("grep")
def grep_under_a_hidden_page_is_no_refusal(patch):
    def node_of(honest, store, node_id):
        hidden = any(path.startswith(node_id) for path in _hidden(store.git))
        return honest(store, ROOT if hidden else node_id)

    beside(patch, grep, "node_of", node_of)


@leak("search")
def words_of_hidden_pages_are_less_rare(patch):
    def counts(honest, source, lexemes):
        git = Git(source.project.repository.mirror, source.commit, settings_of(source).scope)
        hidden = " ".join(_hidden(git).values()).lower()
        return {word: number + 9 * hidden.count(word) for word, number in honest(source, lexemes).items()}

    beside(patch, frequencies, "_counts", counts)


@leak("changes")
def hidden_pages_change(patch):
    def differences(honest, *commits, covers, **limits):
        return honest(*commits, covers=is_markdown, **limits)

    beside(patch, reader, "differences", differences)


@leak("changes")
def renames_are_looked_for_before_hiding(patch):
    """So a page that comes out of hiding names where it was."""

    def differences(honest, *commits, covers, **limits):
        found = honest(*commits, covers=is_markdown, **limits)
        return replace(found, found=tuple(one for one in found.found if covers(one.path)))

    beside(patch, reader, "differences", differences)


@leak("changes")
def changes_since_a_commit_beside_main_are_told(patch):
    def named(honest, mirror, name, tip):
        return name if reader.commit_exists(mirror, name) else honest(mirror, name, tip)

    beside(patch, reader, "ancestor_named", named)


@leak("changes")
def a_refusal_says_that_a_commit_is_beside_main(patch):
    def named(honest, git, since):
        try:
            return honest(git, since)
        except CommitNotFound:
            if reader.commit_exists(git.mirror, since):
                raise CommitNotFound("On another branch.") from None
            raise

    beside(patch, changes, "_commit_named", named)


@leak("resolve")
def citations_follow_a_page_into_hiding(patch):
    def follow(honest, *commits, covers, **limits):
        found = honest(*commits, covers=is_markdown, **limits)
        return {asked: followed for asked, followed in found.items() if covers(asked.path)}

    beside(patch, reader, "follow", follow)


@leak("resolve")
def citations_of_hidden_pages_are_known(patch):
    def follow(honest, *commits, covers, **limits):
        return honest(*commits, covers=is_markdown, **limits)

    beside(patch, reader, "follow", follow)


@leak("resolve")
def citations_of_a_commit_beside_main_are_known(patch):
    def named(honest, descent, name):
        try:
            return honest(descent, name) or reader.ancestor_named(descent.mirror, name, name)
        except CommitMissing:
            return None

    beside(patch, Descent, "named", named)


@leak("pages")
def a_page_shows_which_hidden_files_are_there(patch):
    """Links to those that are missing look broken, links to the others do not."""

    def open_page(honest, store, node_id, **part):
        page, hidden = honest(store, node_id, **part), _hidden(store.git)
        written = [link.target for link in store.written_links(node_id)]
        missing = {raw for raw in written if raw.startswith("restricted/") and raw not in hidden}
        return replace(page, broken=page.broken | missing)

    beside(patch, rooms, "open_page", open_page)
