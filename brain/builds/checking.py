"""Proof, tree by tree, that what incremental builds stored is what a whole build gives."""

from __future__ import annotations

import logging
from pathlib import Path

from django.conf import settings

from brain import store
from brain.builds.queue import request
from brain.contents import contents_of, texts_of
from brain.parsing import parse_all
from brain.store import Source
from brain.tree.assembly import File, Tree, assemble

logger = logging.getLogger(__name__)

ASKED_BY = "nightly check"


def check(source: Source) -> list[str]:
    """What differs between the stored tree and one made anew in memory, in words; a whole build mends it.

    Raises what a damaged mirror raises.
    """
    repository = source.project.repository
    if repository is None:
        return []
    found = list(store.differences(source, _made_anew(source, repository.mirror)))
    now = store.source_of(source.project)
    if (now.commit, now.built_at) != (source.commit, source.built_at):
        return []  # built meanwhile: two trees were compared
    store.note_check(source, differs=bool(found))
    if found:
        logger.error("The tree of %s differs from a whole build: %s.", source, ", ".join(found[:20]))
        request(source, asked_by=ASKED_BY, whole=True)
    return found


def _made_anew(source: Source, mirror: Path) -> Tree:
    tree_settings = store.settings_of(source)
    contents = contents_of(mirror, source.commit, tree_settings.scope)
    parsed = parse_all(
        texts_of(mirror, contents.documents),
        processes=settings.BRAIN_PARSE_PROCESSES,
        not_prefixes=tree_settings.not_prefixes,
    )
    return assemble(
        (one.document for one in parsed),
        {entry.path: File(blob=entry.blob) for entry in contents.documents},
        tree_settings,
        existing=contents.existing,
        words=contents.words,
        problems=contents.problems,
    )
