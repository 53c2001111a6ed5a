"""What of a regrown tree differs from the stored rows."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from brain.builds.conditions import NeedsWhole
from brain.builds.difference import Difference
from brain.builds.regrown import Regrown
from brain.builds.reports import Plan
from brain.contents import Contents
from brain.markdown.problems import Problem
from brain.store import Update, known
from brain.store.rows import MAX_MESSAGE, Row, link_rows, ref_rows, row_key
from brain.store.updating import Noted
from brain.tree.digests import document_digest, folder_digest
from brain.tree.links import MAX_BROKEN, MAX_COMPARISONS
from brain.tree.nodes import Kind, Link
from brain.tree.spaces import TWICE

KINDS = {
    Kind.DOCUMENT: "documents",
    Kind.FOLDER: "folders",
    Kind.SECTION: "sections",
    Kind.CARD: "cards",
}


def update_of(
    plan: Plan,
    contents: Contents,
    difference: Difference,
    parts: Regrown,
    staged: Iterable[Problem],
) -> Update:
    """The rows that go and the rows that come; `staged` are the problems of staging the new words.

    Raises NeedsWhole where the stored lists were cut, or would be now.
    """
    source = plan.source
    was, now = _nodes_before(plan, parts), _nodes_now(parts)
    made = [noted for identity, noted in now.items() if was.get(identity) != noted]
    gone = was.keys() - now.keys()
    links_were = known.links(source, (node.id for node, _ in was.values() if node.lines))
    links_are = set(link_rows(source.pk, parts.linked.links))
    refs_gone, refs_made = _refs(plan, difference, parts)
    problems_gone, problems_made = _problems(plan, difference, parts, staged)
    broken, costs = _broken(plan, parts)
    counts = Counter(source.counts)
    counts.update(_kinds(now))
    counts.subtract(_kinds(was))
    counts["links"] += len(links_are) - len(links_were)
    counts["problems"] += len(problems_made) - len(problems_gone)
    told = {
        "broken": len(broken["links"]),
        "brokenAnchors": len(broken["anchors"]),
        "leftOut": len(contents.left_out),
    }
    return Update(
        source=source,
        commit=plan.commit,
        gone=gone,
        made=made,
        links_gone=links_were - links_are,
        links_made=links_are - links_were,
        refs_gone=refs_gone,
        refs_made=refs_made,
        reworded=difference.changed,
        problems_gone=problems_gone,
        problems_made=problems_made,
        counts=dict(source.counts) | dict(counts) | told,
        left_out=contents.left_out,
        broken=broken,
        basis={
            "claims": [[path, *claim] for path, claim in sorted(parts.claims.items())],
            "costs": costs,
            "truncated": False,
        },
    )


def _nodes_before(plan: Plan, parts: Regrown) -> dict[str, Noted]:
    noted: dict[str, Noted] = dict(known.folders(plan.source, parts.folders_before))
    for one in parts.before.values():
        noted |= {node.id: (node, None) for node in one.nodes}
        noted[one.nodes[0].id] = one.nodes[0], one.digest
    return noted


def _nodes_now(parts: Regrown) -> dict[str, Noted]:
    noted: dict[str, Noted] = {path: (node, folder_digest(node)) for path, node in parts.folders.items()}
    links = _by_document(parts)
    for path, nodes in parts.nodes.items():
        noted |= {node.id: (node, None) for node in nodes}
        digest = document_digest(parts.documents[path], nodes, links.get(path, ()))
        noted[nodes[0].id] = nodes[0], digest
    return noted


def _by_document(parts: Regrown) -> dict[str, list[Link]]:
    paths = {node.id: path for path, nodes in parts.nodes.items() for node in nodes}
    links: dict[str, list[Link]] = {}
    for link in parts.linked.links:
        links.setdefault(paths[link.source], []).append(link)
    return links


def _kinds(noted: Mapping[str, Noted]) -> Counter[str]:
    return Counter(KINDS[node.kind] for node, _ in noted.values() if node.kind in KINDS)


def _refs(plan: Plan, difference: Difference, parts: Regrown) -> tuple[list[uuid.UUID], list[Row]]:
    gone = [row_key(path) for path in difference.deleted if parts.before[path].document.references]
    made: list[Row] = []
    for path in sorted(difference.read):
        document, goals = parts.documents[path], parts.linked.goals[path]
        before = parts.before.get(path)
        if before and before.document.references == document.references:
            continue  # and so are their goals, which path and settings decide
        if before and before.document.references:
            gone.append(row_key(path))
        made += ref_rows(plan.source.pk, document, goals)
    return gone, made


def _problems(
    plan: Plan, difference: Difference, parts: Regrown, staged: Iterable[Problem]
) -> tuple[list[int], list[Problem]]:
    now = [*parts.twice, *staged]
    now += [problem for path in difference.read for problem in parts.documents[path].problems]
    left = Counter(problem._replace(message=problem.message[:MAX_MESSAGE]) for problem in now)
    gone = []
    for row, problem in known.problems(plan.source):
        if problem.code == "history":
            raise NeedsWhole("the history could not be read before")
        if problem.path not in difference.changed and problem.code != TWICE:
            continue
        if left[problem]:
            left[problem] -= 1
        else:
            gone.append(row)
    return gone, list(left.elements())


def _broken(plan: Plan, parts: Regrown) -> tuple[dict[str, Any], list[int]]:
    """What leads nowhere, in the order of paths, and what each suggestion of an anchor cost."""
    stored, linked = plan.source.broken, parts.linked
    reached = parts.before.keys() | parts.documents.keys()
    links = [row for row in stored["links"] if row[0] not in reached]
    links += [[broken.source, broken.target, broken.line] for broken in linked.broken]
    stored_costs = plan.source.basis["costs"]
    pairs = [
        (row, cost)
        for row, cost in zip(stored["anchors"], stored_costs, strict=True)
        if row[0] not in reached
    ]
    anchors = [[found.source, found.line, found.target, found.suggestion] for found in linked.anchors]
    pairs += zip(anchors, linked.costs, strict=True)
    if sum(stored_costs) >= MAX_COMPARISONS or sum(cost for _, cost in pairs) >= MAX_COMPARISONS:
        raise NeedsWhole("the anchors that are not found are too many to compare one by one")
    if max(len(links), len(pairs)) > MAX_BROKEN or linked.truncated or linked.anchors_truncated:
        raise NeedsWhole("the links that lead nowhere are more than are kept")
    pairs.sort(key=lambda pair: pair[0][0])
    told = {
        "links": sorted(links, key=lambda row: row[0]),
        "truncated": False,
        "anchors": [row for row, _ in pairs],
        "anchorsTruncated": False,
    }
    return told, [cost for _, cost in pairs]
