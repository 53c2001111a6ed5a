"""Leaks of a build that forgets part of the rules, or tells what they keep out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from unicodedata import normalize

from brain import contents
from brain.tree import scope
from brain.tree.scope import MAX_DOCUMENT_BYTES, LeftOut
from repositories import reader
from tests.brain.interference.planting import among_contents, beside, knowing, leak


def _rules(
    patch,
    *,
    roots: tuple[str, ...] = ("plugins", "scratch", "identifiers"),
    dot: str = ".",
    is_restricted: Callable[[str], bool] = lambda name: normalize("NFKC", name).casefold() == "restricted",
) -> None:
    def never_indexed(folder: str) -> bool:
        names = folder.split("/")
        return names[0] in roots or any(name.startswith(dot) or is_restricted(name) for name in names)

    patch.setattr(scope, "never_indexed", never_indexed)


@leak(built=True)
def full_width_letters_pass(patch):
    _rules(patch, is_restricted=lambda name: name.casefold() == "restricted")


@leak(built=True)
def a_long_s_passes(patch):
    _rules(patch, is_restricted=lambda name: normalize("NFC", name).lower() == "restricted")


@leak(built=True)
def another_case_passes(patch):
    _rules(patch, is_restricted=lambda name: name == "restricted")


@leak(built=True)
def restricted_counts_at_the_root_alone(patch):
    beside(patch, scope, "never_indexed", lambda honest, folder: honest(folder.partition("/restricted")[0]))


@leak(built=True)
def plugins_pass(patch):
    _rules(patch, roots=("scratch", "identifiers"))


@leak(built=True)
def ledgers_pass(patch):
    _rules(patch, roots=("plugins", "scratch"))


@leak(built=True)
def scratch_passes(patch):
    _rules(patch, roots=("plugins", "identifiers"))


@leak(built=True)
def hidden_folders_pass(patch):
    _rules(patch, dot=".git")


@leak(built=True)
def globs_are_forgotten(patch):
    patch.setattr(scope.Scope, "hides", lambda self, path: scope.never_indexed(path.rpartition("/")[0]))


@leak(built=True)
def folders_of_hidden_files_exist(patch):
    """A link to such a folder, named like a page, is then not broken."""
    blind = SimpleNamespace(hides=lambda path: False)
    beside(patch, contents, "_existing", lambda honest, listing, _: honest(listing, blind))


@leak(built=True)
def odd_names_of_hidden_files_are_listed(patch):
    def list_all(found, mirror, commit, _):
        odd = [LeftOut(path, "bad-path") for path in reader.tree_of(mirror, commit).bad_paths]
        return replace(found, left_out=(*found.left_out, *odd))

    among_contents(patch, list_all)


@leak(built=True)
def large_hidden_files_are_listed(patch):
    def list_all(found, mirror, commit, _):
        files = reader.tree_of(mirror, commit).files
        large = [LeftOut(file.path, "too-large") for file in files if file.size > MAX_DOCUMENT_BYTES]
        return replace(found, left_out=tuple(dict.fromkeys((*found.left_out, *large))))

    among_contents(patch, list_all)


@leak(built=True)
def problems_of_hidden_files_are_listed(patch):
    known = knowing(patch)

    def list_all(found, *_):
        hidden = [problem for one in known.values() for problem in one.parsed.document.problems]
        return replace(found, problems=(*found.problems, *hidden))

    among_contents(patch, list_all)
