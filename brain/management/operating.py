"""What an operator does with projects: add, build and remove them."""

from __future__ import annotations

from typing import Any

from brain import store
from brain.builds import Report
from brain.builds import build as build_now
from brain.errors import BuildFailed
from brain.management.bars import Bars
from members.callers import OPERATOR
from members.errors import InvalidProject
from members.models import Project
from members.projects import add_project, remove_project
from repositories import mirrors, reader
from repositories.errors import BranchMissing, FetchFailed, RepositoryError
from repositories.mirrors import Progress
from repositories.models import Repository


def add(slug: str, *, remote: str, name: str, branch: str, progress: Progress | None = None) -> Project:
    """A project over the repository at `remote`, which is mirrored unless another project did so before.

    Raises InvalidProject, or why the repository can't be mirrored; nothing is kept of a project then.
    """
    if Project.objects.filter(slug=slug).exists():
        raise InvalidProject(f"There is a project {slug} already.")
    repository, is_new = _repository(slug, mirrors.checked_remote(remote))
    try:
        mirrors.sync(repository, progress=progress)
        project = add_project(slug, name=name or slug, repository=repository)
        followed = branch or repository.default_branch or _likely_branch(repository)
        reader.tip_of(repository.mirror, followed)
    except (RepositoryError, InvalidProject):
        Project.objects.filter(slug=slug).delete()
        if is_new:
            mirrors.remove(repository)
            repository.delete()
        raise
    store.follow(project, followed)
    return project


def build(project: Project, *, fetch: bool, whole: bool, bars: Bars) -> Report:
    """Build the project's Brain in the foreground, after a fetch that may fail without harm."""
    repository = project.repository
    if repository is None:
        raise BuildFailed("no-repository", "The project has no document repository.")
    if fetch:
        try:
            mirrors.sync(repository, progress=bars.fetch)
        except FetchFailed as failure:
            bars.say(f"{failure} The build reads what the mirror has.")
    return build_now(store.source_of(project), whole=whole, asked_by="operator", progress=bars.build)


def remove(project: Project) -> None:
    """Remove the project with its rows, pins and snapshots; an unused mirror goes too."""
    repository = project.repository
    if repository is not None and not repository.projects.exclude(pk=project.pk).exists():
        mirrors.remove(repository)  # first, as it may be refused; a mirror without need comes back by a sync
    remove_project(project, caller=OPERATOR)


def project_json(project: Project) -> dict[str, Any]:
    """What a list of projects tells of one."""
    source = store.source_as_it_is(project)
    return {
        "id": str(project.pk),
        "slug": project.slug,
        "name": project.name,
        "branch": source.branch,
        "state": source.state,
        "commit": source.commit or None,
        "counts": source.counts,
    }


def _likely_branch(repository: Repository) -> str:
    """The branch to follow where the remote's HEAD points nowhere, as in a clone of a bundle."""
    names = [branch.name for branch in reader.branches(repository.mirror)]
    likely = next((name for name in ("main", "master") if name in names), names[0] if len(names) == 1 else "")
    if not likely:
        known = f" It has: {', '.join(names[:10])}." if names else " It has none: check one out there first."
        raise BranchMissing(f"The repository has no default branch; name one with --branch.{known}")
    repository.default_branch = likely
    repository.save(update_fields=["default_branch"])
    return likely


def _repository(slug: str, remote: str) -> tuple[Repository, bool]:
    known = Repository.objects.filter(remote=remote).first()
    if known:
        return known, False
    name = remote.rstrip("/").rpartition("/")[2].removesuffix(".git") or slug
    taken = Repository.objects.filter(slug=slug).exists()
    repository = Repository(
        slug=f"{slug[:50]}-{name}"[:63].lower() if taken else slug, name=name, remote=remote
    )
    repository.save()
    return repository, True
