"""Two projects over one mirror: one is built as its history goes, the other always whole."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from unittest.mock import patch

from django.conf import settings
from django.test import override_settings

from brain import store
from brain.builds import Report, build
from brain.store import Source
from brain.tree.layout import FILE as LAYOUT
from brain.tree.scope import Scope
from members.models import Project
from repositories.models import Repository
from tests.brain.living.comparing import differences
from tests.brain.living.histories import TOO_LARGE, Files, History
from tests.brain.living.phrasing import WEB
from tests.brain.living.playing import BRANCH, Player, a_player
from tests.repositories.given_git import Executable

EITHER = {"broken", "comparisons"}  # limits that may force a whole build
WHOLE, INCREMENTAL = "whole", "incremental"
SHARE = 5  # one part in so many of the documents may have changed
# What a history may narrow, so that small trees come to the ends that large ones meet.
LIMITS = {
    "share": ("brain.builds.conditions.MAX_SHARE",),
    "broken": ("brain.tree.links.MAX_BROKEN", "brain.builds.updates.MAX_BROKEN"),
    "comparisons": ("brain.tree.links.MAX_COMPARISONS", "brain.builds.updates.MAX_COMPARISONS"),
    "documents": ("brain.tree.scope.MAX_DOCUMENTS",),
}


@dataclass(slots=True)
class Pair:
    """Both projects, and which kinds of builds the living one had."""

    player: Player
    history: History
    living: Source
    whole: Source
    kinds: list[str] = field(default_factory=list)

    def build(self) -> list[str]:
        """Build both; how they differ, a line each."""
        self.kinds.append(built(self.living).kind)
        built(self.whole, whole=True)
        return differences(self.living, self.whole)

    def must_be(self) -> str:
        """The kind that the next build has to be of; nothing where either will do."""
        self.living.refresh_from_db()
        stored, tip = self.living.commit, self.player.git.tip()
        if not stored or not self.player.descends(tip, stored):
            return WHOLE
        old, new = self.player.files[stored], self.player.files[tip]
        scope = Scope(self.history.include, self.history.exclude)
        before, after = documents_of(old, scope), documents_of(new, scope)
        changed = sum(before.get(path) != after.get(path) for path in {*before, *after})
        share = self.history.limits.get("share", SHARE)
        cap = self.history.limits.get("documents", 20_000)
        if (
            old.get(LAYOUT) != new.get(LAYOUT)
            or EITHER & self.history.limits.keys()
            or max(len(before), len(after)) > cap
        ):
            return ""
        return INCREMENTAL if changed * share <= min(len(before), len(after)) else ""


def built(source: Source, *, whole: bool = False) -> Report:
    """Build the tip for one of them."""
    source.refresh_from_db()
    return build(source, whole=whole)


def documents_of(files: Files, scope: Scope) -> Files:
    """Of these files those that are indexed."""
    return {
        path: content
        for path, content in files.items()
        if isinstance(content, str | bytes | Executable)
        and path.isprintable()
        and scope.covers(path)
        and not (isinstance(content, bytes) and len(content) >= TOO_LARGE)
    }


@contextmanager
def a_pair(history: History) -> Iterator[Pair]:
    """Both projects over the history's first commit, neither built yet."""
    slug = f"living-{uuid.uuid4().hex}"
    repository = Repository.objects.create(slug=slug, name="Living", remote="", web_address=WEB)
    sources = [_a_source(f"{slug}-{kind}", repository, history) for kind in (INCREMENTAL, WHOLE)]
    with _narrowed(history):
        yield Pair(a_player(repository.mirror, history), history, *sources)


def lived(history: History) -> tuple[list[str], list[str]]:
    """Play a history to its first fault: what was wrong then, and the kinds of the builds."""
    with a_pair(history) as pair:
        wrong = pair.build()
        for number, step in enumerate(history.steps, start=1):
            if wrong:
                break
            pair.player.play(step)
            if step.build:
                must = pair.must_be()
                wrong = pair.build()
                if must and pair.kinds[-1] != must:
                    wrong.insert(0, f"the build was {pair.kinds[-1]} and should have been {must}")
                wrong = [f"after step {number}: {line}" for line in wrong]
    return wrong, pair.kinds


def _a_source(slug: str, repository: Repository, history: History) -> Source:
    project = Project.objects.create(slug=slug[:60], name="Living", repository=repository)
    source = store.follow(project, BRANCH)
    source.include, source.exclude = "\n".join(history.include), "\n".join(history.exclude)
    source.save(update_fields=["include", "exclude"])
    return source


@contextmanager
def _narrowed(history: History) -> Iterator[None]:
    links = history.limits.get("links", settings.BRAIN_MAX_LINKS_PER_NODE)
    patches = [
        patch(name, history.limits[limit])
        for limit, names in LIMITS.items()
        if limit in history.limits
        for name in names
    ]
    with override_settings(BRAIN_MAX_LINKS_PER_NODE=links):
        for one in patches:
            one.start()
        try:
            yield
        finally:
            for one in patches:
                one.stop()
