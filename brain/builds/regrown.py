"""The parts of a tree that a difference reaches, made again by the functions that make a whole one."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from brain.builds.conditions import NeedsWhole
from brain.builds.difference import Difference, last_changes
from brain.builds.reports import Plan
from brain.contents import Contents
from brain.markdown.documents import Document
from brain.markdown.problems import Problem
from brain.markdown.references import LINK
from brain.store import Definer, Known, known
from brain.tree.assembly import File
from brain.tree.links import Linked, Surroundings, link
from brain.tree.making import Setting, document_nodes, folder_nodes
from brain.tree.nodes import Node
from brain.tree.regrowth import Change, Places, folders_above, moved_goals, moved_spaces
from brain.tree.spaces import Claim, claims_of, spaces_of
from brain.tree.targets import Page, node_id, target_of

MAX_REACHED = 5_000  # documents; a whole build is as quick


@dataclass(frozen=True, slots=True, kw_only=True)
class Regrown:
    """What was reached: as it was stored, and as it is now."""

    before: Mapping[str, Known]  # documents by path, the deleted ones too
    documents: Mapping[str, Document]  # in path order
    nodes: Mapping[str, tuple[Node, ...]]  # of these documents, by path
    folders: Mapping[str, Node]  # by id
    folders_before: Collection[str]  # ids of the folders to compare with, those that are gone too
    linked: Linked
    claims: Mapping[str, Claim]
    twice: tuple[Problem, ...]


def regrown(
    plan: Plan, contents: Contents, difference: Difference, parsed: Mapping[str, Document]
) -> Regrown:
    """Everything that the difference reaches; `parsed` are the documents that are new or other.

    Raises NeedsWhole when that is too much.
    """
    source = plan.source
    before = known.documents(source, difference.modified | difference.deleted | difference.undone)
    changed = Change(
        before={path: before[path].document for path in difference.modified | difference.deleted},
        after=parsed,
    )
    was, places = Places(difference.old), Places(difference.new)
    claims_before = known.claims(source)
    kept = {path: claim for path, claim in claims_before.items() if path not in difference.changed}
    claims = kept | claims_of(parsed.values())
    spaces_before, _ = spaces_of(claims_before)
    spaces, twice = spaces_of(claims)
    moved, homes = moved_spaces(places.all, spaces_before, spaces)

    elsewhere = difference.touched - difference.modified  # what is a document in both is there in both
    reached = known.referrers(source, moved_goals(changed, was.all ^ places.all, elsewhere))
    reached |= homes | {path for folder in moved for path in places.documents.get(folder, ())}
    reached = (reached & difference.new.keys()) - parsed.keys() - before.keys()
    if len(reached) > MAX_REACHED:
        raise NeedsWhole(f"{len(reached):,} documents refer to what has changed")
    before |= known.documents(source, reached)
    unchanged = {path: one.document for path, one in before.items() if path not in difference.changed}
    documents = dict(sorted((unchanged | dict(parsed)).items()))

    stored = {path: one.nodes[0].changed for path, one in before.items()}
    changes = stored | last_changes(plan, difference, stored)
    files = {path: File(blob=difference.new[path], changed=changes.get(path)) for path in documents}
    linked = link(documents.values(), _surroundings(plan, contents, difference, places, documents))
    setting = Setting(name=plan.settings.name, words=contents.words, spaces=spaces)
    dirty = folders_above(difference.changed | difference.undone) & places.all
    dirty |= moved | folders_above(moved)
    return Regrown(
        before=before,
        documents=documents,
        nodes={
            path: tuple(document_nodes(document, files[path], setting, linked.totals))
            for path, document in documents.items()
        },
        folders=_folders(plan, places, dirty, setting, documents, files),
        folders_before=dirty | (was.all - places.all),
        linked=linked,
        claims=claims,
        twice=tuple(twice),
    )


def _surroundings(
    plan: Plan,
    contents: Contents,
    difference: Difference,
    places: Places,
    documents: Mapping[str, Document],
) -> Surroundings:
    """Where these documents stand: all of the new commit, of which only what they mean is fetched."""
    web = plan.settings.web
    mentioned: set[str] = set()
    aimed: set[str] = set()  # documents of which a fragment is looked for
    for document in documents.values():
        for reference in document.references:
            if reference.kind != LINK:
                mentioned.add(reference.target)
            elif "#" in reference.target and (path := target_of(reference.target, document.path, web).path):
                aimed.add(path)
    aimed &= difference.new.keys()
    pages = {path: Page.of_document(documents[path]) for path in aimed & documents.keys()}
    pages |= known.pages(plan.source, aimed - documents.keys())
    return Surroundings(
        pages=_Pages(difference.new, pages),
        definers=_definers(plan, difference, documents, mentioned),
        folders=places.all,
        existing=contents.existing,
        scope=plan.settings.scope,
        web=web,
        max_links=plan.settings.max_links,
    )


class _Pages(dict[str, Page]):
    """The fetched pages; every document of the commit counts as there."""

    def __init__(self, paths: Mapping[str, str], pages: Mapping[str, Page]) -> None:
        super().__init__(pages)
        self._paths = paths

    def __contains__(self, path: object) -> bool:
        return path in self._paths


def _definers(
    plan: Plan, difference: Difference, documents: Mapping[str, Document], ids: Collection[str]
) -> dict[str, list[str]]:
    """The nodes that define each of these ids, in the order of paths and lines."""
    places = known.definers(plan.source, ids)
    for name, found in places.items():
        places[name] = [place for place in found if place.path not in difference.changed]
    for path in difference.read:
        for part in documents[path].parts:
            if part.reference_id and part.reference_id in ids:
                place = Definer(path, part.start, part.level, node_id(path, part.anchor))
                places.setdefault(part.reference_id, []).append(place)
    return {name: [place.node for place in sorted(found)] for name, found in places.items()}


def _folders(
    plan: Plan,
    places: Places,
    dirty: set[str],
    setting: Setting,
    documents: Mapping[str, Document],
    files: Mapping[str, File],
) -> dict[str, Node]:
    """The nodes of these folders, made of what they hold: of that, what was not reached is taken as it is."""
    if not dirty:
        return {}
    beside = known.bare_documents(plan.source, places.shown_by(dirty) - documents.keys())
    below = {child for folder in dirty for child in places.folders.get(folder, ())} - dirty
    shown = dict(documents) | {path: document for path, (document, _) in beside.items()}
    files = dict(files) | {path: File(blob="", changed=changed) for path, (_, changed) in beside.items()}
    root = places.grown(dirty, shown)
    made = folder_nodes(root, files, setting, known.nodes(plan.source, below))
    return {folder: made[folder] for folder in dirty}
