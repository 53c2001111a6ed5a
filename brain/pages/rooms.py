"""The contexts of the portal's pages: each asks the reads it needs and gives the template what it shows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from brain.errors import BrainOff, NotBuilt
from brain.forms import ReadQuery, TreeQuery
from brain.markdown.summaries import RETIRED
from brain.pages.addresses import Addresses
from brain.pages.articles import Article, article_of
from brain.pages.builds import CHARTED, LISTED, chart_of, steps_of
from brain.pages.contents import anchor_of, contents_of
from brain.pages.health import health_of
from brain.pages.sidebar import Item, level_items, more_of, sidebar
from brain.pages.source import source_lines
from brain.reads.answers import Crumb, Match, Status
from brain.reads.backlinks import read_backlinks
from brain.reads.broken import read_broken
from brain.reads.lookup import look_up
from brain.reads.page import OpenPage, open_page
from brain.reads.problems import read_problems
from brain.reads.status import read_status
from brain.reads.tree import read_tree
from brain.store import Store, database_store
from brain.store.builds import asker_of, recent_builds
from brain.tree.nodes import ROOT, Node
from members.models import Project

BACKLINKS = 50  # shown beside a document
PROBLEMS = 500  # shown on the page of health
Context = dict[str, Any]


@dataclass(frozen=True, slots=True)
class ProjectRow:
    """A project in the list of projects; `root` is None when there is no tree to read."""

    project: Project
    status: Status
    root: Node | None


def project_rows(projects: Iterable[Project]) -> tuple[ProjectRow, ...]:
    """The state of each project's Brain, and what its tree says of itself."""
    return tuple(map(_project_row, projects))


def state_room(store: Store, project: Project, *, may_manage: bool) -> Context:
    """Where the Brain stands, how far the build is that runs, and for managers how the last ones went.

    The seconds of a build tell of what it passed over, too: of how much there is that is never indexed.
    """
    status = read_status(store)
    builds = recent_builds(project, CHARTED) if may_manage else []
    return {
        "status": status,
        "envelope": status.envelope,
        "steps": steps_of(status.progress),
        "asked_by": asker_of(project),
        "builds": builds[:LISTED],
        "chart": chart_of(builds),
    }


def tree_room(store: Store, query: TreeQuery, addresses: Addresses) -> Context:
    """A level of the tree: its rows, the tree at the side, and the README that speaks for a folder."""
    level = read_tree(store, query.node, offset=query.offset, limit=query.limit, depth=query.depth)
    page = open_page(store, query.node)
    opens = page.document is not None and level.node.lines is None and not query.offset
    return {
        "envelope": level.envelope,
        "level": level,
        "node": level.node,
        "crumbs": level.breadcrumb,
        "side": _side(store, page, level.breadcrumb),
        "page": page,
        "article": article_of(page, addresses, below=2) if opens else None,
    }


def level_room(store: Store, query: TreeQuery) -> Context:
    """The same level as rows of the tree at the side."""
    level = read_tree(store, query.node, offset=query.offset, limit=query.limit)
    return {"items": level_items(level), "more": more_of(level)}


def read_room(store: Store, query: ReadQuery, addresses: Addresses, view: str) -> Context:
    """A document or a part of one, rendered or as written."""
    place = {"from_line": query.from_line, "from_column": query.from_column}
    page = open_page(store, query.node, scope=query.scope, **place)
    reading = page.reading
    article = article_of(page, addresses) if view != "written" else None
    return {
        "envelope": reading.envelope,
        "page": page,
        "reading": reading,
        "node": reading.node,
        "crumbs": reading.breadcrumb,
        "side": _side(store, page, reading.breadcrumb),
        "article": article,
        "shown": _shown(page, article),
        "lines": () if article else source_lines(reading, page.outline),
        "contents": contents_of(page.outline, reading.node.id),
        "backlinks": read_backlinks(store, reading.node.id, limit=BACKLINKS),
        "retired": reading.node.status.strip().lower() in RETIRED,
        "successor": _successor(store, article),
    }


def broken_room(store: Store, addresses: Addresses) -> Context:
    """What nobody could follow, what a writer can mend, and what was left out."""
    broken, problems = read_broken(store), read_problems(store, limit=PROBLEMS)
    health = health_of(broken, problems, addresses, store.web)
    return {"envelope": broken.envelope, "broken": broken, "problems": problems, "health": health}


def _project_row(project: Project) -> ProjectRow:
    with database_store(project) as store:
        status = read_status(store)
        try:
            return ProjectRow(project, status, read_tree(store, ROOT, limit=1).node)
        except (BrainOff, NotBuilt):
            return ProjectRow(project, status, None)


def _side(store: Store, page: OpenPage, crumbs: tuple[Crumb, ...]) -> Item:
    node = page.reading.node
    outline = (page.document, *page.outline) if page.document and node.lines else ()
    return sidebar(store, [crumb.id for crumb in crumbs], node.id, outline)


def _shown(page: OpenPage, article: Article | None) -> set[str]:
    """The anchors that this page of the text holds."""
    if article:
        return {heading.anchor for heading in article.rendered.outline}
    citation = page.reading.citation
    within = range(citation.line_start, citation.line_end + 1) if citation else range(0)
    return {anchor_of(node) for node in page.outline if node.lines and node.lines.start in within}


def _successor(store: Store, article: Article | None) -> Match | None:
    """What replaces the document, when its front matter names something that there is."""
    named = article.front_matter.superseded_by if article else ""
    return next(iter(look_up(store, named).matches), None) if named else None
