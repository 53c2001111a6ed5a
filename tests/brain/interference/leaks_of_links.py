"""Leaks of links: they lead to hidden pages, count them, or tell which of them are there."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

from brain.tree import links
from brain.tree.nodes import BrokenLink
from brain.tree.targets import node_id
from tests.brain.interference.planting import beside, knowing, leak


@leak(built=True)
def links_lead_to_hidden_pages(patch):
    known = knowing(patch)

    def find(honest, linker, document, reference, target):
        return target.path if target.path in known else honest(linker, document, reference, target)

    beside(patch, links._Linker, "_find", find)


@leak(built=True)
def links_to_hidden_pages_are_counted(patch):
    known = knowing(patch)

    def note(honest, linker, path, reference, target, broken):
        if target.path in known:
            linker.result.totals[path] = linker.result.totals.get(path, 0) + 1
        honest(linker, path, reference, target, broken)

    beside(patch, links._Linker, "_note_broken", note)


@leak(built=True)
def only_missing_hidden_pages_are_broken(patch):
    """The oracle: a link that is not listed leads to something."""
    known = knowing(patch)

    def note(honest, linker, path, reference, target, broken):
        if target.path not in known:
            linker._around = replace(linker._around, scope=SimpleNamespace(hides=lambda path: False))
            honest(linker, path, reference, target, broken)

    beside(patch, links._Linker, "_note_broken", note)


@leak(built=True)
def hidden_pages_that_exist_are_broken(patch):
    known = knowing(patch)

    def note(honest, linker, path, reference, target, broken):
        if target.path in known:
            linker.result.broken.append(BrokenLink(path, target.written, reference.line))
        honest(linker, path, reference, target, broken)

    beside(patch, links._Linker, "_note_broken", note)


@leak(built=True)
def hidden_definitions_are_mentioned(patch):
    known = knowing(patch)

    def begin(honest, linker, around):
        honest(linker, replace(around, definers=_defined_too(around.definers, known)))

    beside(patch, links._Linker, "__init__", begin)


@leak(built=True)
def hidden_definitions_make_an_id_a_word(patch):
    """None of them is linked, but more than three definers are none."""
    known = knowing(patch)

    def targets(honest, linker, document, reference, source, broken, goals):
        found = honest(linker, document, reference, source, broken, goals)
        hidden = [
            part
            for one in known.values()
            for part in one.parsed.document.parts
            if part.reference_id == reference.target
        ]
        return () if reference.kind != links.LINK and len(found) + len(hidden) > links.MAX_DEFINERS else found

    beside(patch, links._Linker, "_targets", targets)


def _defined_too(definers, known):
    all_of_them = {name: list(nodes) for name, nodes in definers.items()}
    for path, one in known.items():
        for part in one.parsed.document.parts:
            if part.reference_id:
                all_of_them.setdefault(part.reference_id, []).append(node_id(path, part.anchor))
    return all_of_them
