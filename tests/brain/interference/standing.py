"""A world as a project whose Brain is built."""

from __future__ import annotations

import shutil
import uuid
import zlib
from dataclasses import dataclass
from pathlib import Path

import pygit2
from django.conf import settings
from pygit2.enums import ObjectType

from brain import models, snapshots, store
from brain.builds import build
from members.models import Project
from repositories import mirrors
from repositories.models import Repository
from tests.brain.interference.phrasing import WEB
from tests.brain.interference.worlds import World, written

NAME = "World"  # of both twins: the root's title


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A built world; `untold` are the commits whose subjects it must not say."""

    project: Project
    commits: tuple[str, ...]  # ids by position
    untold: tuple[str, ...] = ()

    @property
    def source(self) -> models.Source:
        """The row of the Brain, as it is now."""
        return store.source_of(self.project)

    def build(self) -> None:
        """Build the tip of main; then withhold what a stripped history can't know to withhold."""
        build(self.source, whole=True)
        told = models.Node.objects.filter(source=self.source, changed_commit__in=self.untold)
        told.update(changed_subject=None)

    @property
    def mirror(self) -> Path:
        """Where its Git objects are."""
        repository = self.project.repository
        assert repository is not None
        return repository.mirror

    def rebuild(self) -> None:
        """Build once more; what a cache keeps of the first build must not stand beside it."""
        snapshots.drop_all(self.source.pk)
        self.build()


@dataclass(frozen=True, slots=True, kw_only=True)
class Twins:
    """A world as it is and stripped of what is never indexed, both built."""

    world: World
    whole: Standing
    stripped: Standing

    @property
    def both(self) -> tuple[Standing, Standing]:
        """The two whose answers are one."""
        return self.whole, self.stripped


def twins_of(world: World, folder: Path) -> Twins:
    """The world and its twin, each with a mirror of its own."""
    untold = world.restricted_commits()
    whole = _stand(world, folder / "whole.git", frozenset())
    return Twins(world=world, whole=whole, stripped=_stand(world.stripped(), folder / "stripped.git", untold))


def spoil_what_is_hidden(twins: Twins) -> int:
    """Spoil in the whole world's mirror each text that its twin does not have; tells how many.

    Their kind and size can still be seen, but whoever opens one meets damage.
    """
    whole, stripped = (pygit2.Repository(str(standing.mirror)) for standing in twins.both)
    objects, spoilt = twins.whole.mirror / "spoilt", 0
    for oid in whole.odb:
        kind, content = whole.odb.read(oid)
        if kind == ObjectType.BLOB and oid not in stripped.odb:
            content, spoilt = bytes(len(content)), spoilt + 1
        loose = objects / str(oid)[:2] / str(oid)[2:]
        loose.parent.mkdir(parents=True, exist_ok=True)
        loose.write_bytes(zlib.compress(f"{kind.name.lower()} {len(content)}\0".encode() + content))
    shutil.rmtree(twins.whole.mirror / "objects")
    objects.rename(twins.whole.mirror / "objects")
    return spoilt


def _stand(world: World, folder: Path, untold: frozenset[int]) -> Standing:
    git, commits = written(world, folder)
    settings.MIRROR_LOCAL_ROOTS = [folder.parent]
    slug = f"world-{uuid.uuid4().hex}"
    repository = Repository.objects.create(slug=slug, name=NAME, remote=str(git.path), web_address=WEB)
    project = Project.objects.create(slug=slug, name=NAME, repository=repository)
    mirrors.sync(repository)
    project.refresh_from_db()
    source = store.follow(project, "main")
    source.exclude = "\n".join(world.exclude)
    source.save(update_fields=["exclude"])
    standing = Standing(
        project=project, commits=commits, untold=tuple(commits[position] for position in untold)
    )
    standing.build()
    return standing
