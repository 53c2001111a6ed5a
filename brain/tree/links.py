"""References become links: where each leads, and which lead nowhere."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from urllib.parse import unquote

from brain.markdown.documents import Document
from brain.markdown.references import LINK, Reference
from brain.tree.nodes import ROOT, BrokenAnchor, BrokenLink, Link, LinkKind
from brain.tree.scope import Scope, is_markdown
from brain.tree.targets import Page, Target, is_line_fragment, node_id, target_of

MAX_DEFINERS = 3  # an id that more nodes define is a word, no reference
MAX_BROKEN = 5_000  # links, and anchors likewise
CLOSE = 0.75  # how alike a suggested anchor is at least, of 1
MAX_COMPARISONS = 200_000  # of anchors, in one tree


class Pages(Mapping[str, Page]):
    """The pages of documents, made when a fragment is looked for."""

    def __init__(self, documents: Mapping[str, Document]) -> None:
        self._documents = documents
        self._made: dict[str, Page] = {}

    def __getitem__(self, path: str) -> Page:
        if path not in self._made:
            self._made[path] = Page.of_document(self._documents[path])
        return self._made[path]

    def __contains__(self, path: object) -> bool:
        return path in self._documents

    def __iter__(self) -> Iterator[str]:
        return iter(self._documents)

    def __len__(self) -> int:
        return len(self._documents)


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What decides where references lead, beside the documents themselves."""

    pages: Mapping[str, Page]  # of every document, by path
    definers: Mapping[str, Sequence[str]]  # reference id → the nodes that define it, in tree order by path
    folders: Collection[str]  # ids of the folders that are nodes, the root too
    existing: Collection[str]  # every path of the commit that names a Markdown file, indexed or not
    scope: Scope
    web: Sequence[str] = ()  # see `targets.web_prefixes`
    max_links: int = 50  # a node keeps


@dataclass(slots=True)
class Linked:
    """All links of a tree, and the references that lead nowhere."""

    links: list[Link] = field(default_factory=list)
    totals: dict[str, int] = field(default_factory=dict)  # node id → links it makes, kept or not
    goals: dict[str, list[str]] = field(default_factory=dict)  # path → of each reference, see `goal_of`
    broken: list[BrokenLink] = field(default_factory=list)
    anchors: list[BrokenAnchor] = field(default_factory=list)
    costs: list[int] = field(default_factory=list)  # comparisons that each of the anchors took
    truncated: bool = False
    anchors_truncated: bool = False


def definers_of(documents: Iterable[Document]) -> dict[str, list[str]]:
    """The nodes that define each reference id, in the order of documents and parts."""
    definers: dict[str, list[str]] = defaultdict(list)
    for document in documents:
        for part in document.parts:
            if part.reference_id:
                definers[part.reference_id].append(node_id(document.path, part.anchor))
    return definers


def goal_of(kind: str, target: str, path: str | None) -> str:
    """What a reference means, there or not; "" when nothing in the repository can change where it leads.

    Of a link the `path` its target names, without a slash at its end; of a mention the id.
    """
    if kind != LINK:
        return f"\0{target}"
    return f"/{path.rstrip('/')}" if path is not None else ""


def link(documents: Iterable[Document], around: Surroundings) -> Linked:
    """All links that these documents make, in their order."""
    linker = _Linker(around)
    for document in documents:
        linker.link_document(document)
    return linker.result


class _Linker:
    def __init__(self, around: Surroundings) -> None:
        self._around = around
        self._comparisons = MAX_COMPARISONS
        self.result = Linked()

    def link_document(self, document: Document) -> None:
        seen: set[tuple[str, str, str]] = set()
        broken: set[str] = set()
        goals: list[str] = []
        for reference in document.references:
            source = node_id(document.path, reference.anchor)
            for target in self._targets(document, reference, source, broken, goals):
                if (source, target, reference.kind) not in seen and source != target:
                    seen.add((source, target, reference.kind))
                    self._keep(Link(source, target, LinkKind(reference.kind), reference.line))
        self.result.goals[document.path] = goals

    def _keep(self, found: Link) -> None:
        total = self.result.totals.get(found.source, 0)
        self.result.totals[found.source] = total + 1
        if total < self._around.max_links:
            self.result.links.append(found)

    def _targets(
        self, document: Document, reference: Reference, source: str, broken: set[str], goals: list[str]
    ) -> Sequence[str]:
        if reference.kind != LINK:
            goals.append(goal_of(reference.kind, reference.target, None))
            definers = self._around.definers.get(reference.target, ())
            others = [definer for definer in definers if definer != source]
            return others if len(others) <= MAX_DEFINERS else ()
        target = target_of(reference.target, document.path, self._around.web)
        goals.append(goal_of(LINK, reference.target, target.path))
        found = self._find(document, reference, target)
        if found is None:
            self._note_broken(document.path, reference, target, broken)
        return [found] if found else ()

    def _find(self, document: Document, reference: Reference, target: Target) -> str | None:
        if target.path is None:
            return None
        if target.path in self._around.pages:
            return self._in_page(document, reference, target)
        folder = target.path if target.path == ROOT else target.path.rstrip("/") + "/"
        return folder if folder in self._around.folders else None

    def _in_page(self, document: Document, reference: Reference, target: Target) -> str:
        fragment = unquote(target.fragment)
        if not fragment or target.path is None:
            return str(target.path)
        page = self._around.pages[target.path]
        found = page.find(fragment)
        if found is None and not is_line_fragment(fragment) and not page.has(fragment):
            self._note_anchor(document.path, reference, page, fragment)
        return found or target.path

    def _note_broken(self, path: str, reference: Reference, target: Target, broken: set[str]) -> None:
        named = unquote(target.written) if target.climbs else target.path or ""
        if not is_markdown(named) or target.written in broken:
            return
        if not target.climbs and (named in self._around.existing or self._around.scope.hides(named)):
            return
        broken.add(target.written)
        if len(self.result.broken) < MAX_BROKEN:
            self.result.broken.append(BrokenLink(path, target.written, reference.line))
        else:
            self.result.truncated = True

    def _note_anchor(self, path: str, reference: Reference, page: Page, fragment: str) -> None:
        if len(self.result.anchors) >= MAX_BROKEN:
            self.result.anchors_truncated = True
            return
        left = self._comparisons
        suggestion = self._closest(fragment, page.names)
        self.result.costs.append(left - self._comparisons)
        self.result.anchors.append(BrokenAnchor(path, reference.line, reference.target, suggestion))

    def _closest(self, fragment: str, names: Sequence[str]) -> str | None:
        """The anchor most like the fragment; comparing is slow, so the whole tree has a budget for it."""
        wanted = fragment.lower()
        matcher = SequenceMatcher(b=wanted, autojunk=False)
        best, closest = CLOSE, None
        for name in names:
            if abs(len(name) - len(wanted)) * 2 > len(wanted) or self._comparisons <= 0:
                continue
            self._comparisons -= 1
            matcher.set_seq1(name.lower())
            if (
                matcher.real_quick_ratio() >= best
                and matcher.quick_ratio() >= best
                and matcher.ratio() > best
            ):
                best, closest = matcher.ratio(), name
        return closest
