"""Leaks of a tree that hidden documents had a hand in: its folders, their words and dates."""

from __future__ import annotations

from dataclasses import replace

from brain.builds import whole
from brain.markdown.extracts import Summary
from brain.tree import assembly, making
from brain.tree.folders import walk
from brain.tree.nodes import ROOT
from tests.brain.interference.planting import beside, knowing, leak


def _below(known, folder):
    """The hidden documents below a folder, at any depth."""
    return [one.parsed.document for path, one in known.items() if folder == ROOT or path.startswith(folder)]


@leak(built=True)
def folders_of_hidden_files_are_nodes(patch):
    known = knowing(patch)

    def grown(honest, documents):
        root = honest(dict(sorted((documents | _documents(known)).items())))
        for folder in walk(root):
            folder.documents[:] = [document for document in folder.documents if document.path in documents]
        return root

    beside(patch, assembly, "folders_of", grown)


def _documents(known):
    return {path: one.parsed.document for path, one in known.items()}


@leak(built=True)
def hidden_files_add_to_the_size_of_folders(patch):
    known = knowing(patch)

    def folders(honest, *told):
        return {
            path: replace(node, size=node.size + sum(one.parts[0].size for one in _below(known, path)))
            for path, node in honest(*told).items()
        }

    beside(patch, assembly, "folder_nodes", folders)


@leak(built=True)
def hidden_files_are_counted_as_children(patch):
    known = knowing(patch)

    def folders(honest, *told):
        return {
            path: replace(node, children=node.children + len(_below(known, path)))
            for path, node in honest(*told).items()
        }

    beside(patch, assembly, "folder_nodes", folders)


@leak(built=True)
def folders_say_what_hidden_files_are_called(patch):
    known = knowing(patch)

    def summary(honest, folder, *words):
        said = honest(folder, *words)
        titles = [one.parts[0].title for one in _below(known, folder.path)]
        return Summary(" · ".join([said.text, *titles])[:240], said.source)

    beside(patch, making, "folder_summary", summary)


@leak(built=True)
def hidden_home_pages_claim_spaces(patch):
    known = knowing(patch)

    def claims(honest, documents):
        return honest([*documents, *_documents(known).values()])

    beside(patch, assembly, "claims_of", claims)


@leak(built=True)
def folders_change_with_hidden_files(patch):
    seen = {}

    def changes(honest, mirror, commit, told, paths):
        seen.update(told.changes)
        return honest(mirror, commit, told, paths)

    def latest(honest, folder, below, files):
        inside = [one for path, one in seen.items() if folder.path == ROOT or path.startswith(folder.path)]
        return max(
            inside, key=lambda change: (change.at, change.commit), default=honest(folder, below, files)
        )

    beside(patch, whole, "changes_of", changes)
    beside(patch, making, "_latest", latest)
