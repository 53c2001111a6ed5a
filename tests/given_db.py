"""How a test states a world with rows: members, projects over real repositories, built Brains."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings

from brain import store
from brain.builds import Report, build
from brain.folder import open_folder
from brain.store import Store, database_store
from members.models import Member, Membership, Project, Role
from repositories import mirrors
from repositories.models import Repository
from tests.repositories.given_git import Content, GitWorld, a_repository

STORES = ("database", "folder")
PASSWORD = "a long pass phrase for tests"


class Team:
    """A project with its repository on disk, and the people who may and may not see it."""

    def __init__(self, folder: Path, files: Mapping[str | bytes, Content], slug: str = "handbook") -> None:
        self.git: GitWorld = a_repository(folder / f"{slug}.git")
        self.first = self.git.commit(files)
        settings.MIRROR_LOCAL_ROOTS = [folder]
        self.repository = Repository.objects.create(slug=slug, name=slug, remote=str(self.git.path))
        self.project = Project.objects.create(slug=slug, name=slug.title(), repository=self.repository)

    def sync(self) -> None:
        """Bring the mirror up to date."""
        mirrors.sync(self.repository)
        self.project.refresh_from_db()
        self.repository = self.project.repository

    def build(self) -> Report:
        """Sync the mirror and build the tip of main."""
        self.sync()
        return build(store.follow(self.project, "main"))

    def member(self, name: str, role: Role = Role.READER) -> Member:
        """A member of the project who can sign in."""
        member = an_outsider(name)
        Membership.objects.create(member=member, project=self.project, role=role)
        return member


@contextmanager
def a_store(team: Team, kind: str) -> Iterator[Store]:
    """The team's tree, asked in the database or in a folder without any; `kind` is one of STORES."""
    if kind == "folder":
        yield open_folder(team.git.path)
        return
    with database_store(team.project) as store_:
        yield store_


def an_outsider(name: str) -> Member:
    """A member of no project."""
    return Member.objects.create_user(name, password=PASSWORD)


def a_built_team(folder: Path, files: Mapping[str | bytes, Content], slug: str = "handbook") -> Team:
    """A team whose Brain is ready."""
    team = Team(folder, files, slug)
    team.build()
    return team
