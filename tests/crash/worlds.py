"""A project whose every line holds its document and version, so that any answer tells what it was made of."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from brain import models, store
from brain.builds import build
from brain.store import Source
from members.models import Project
from repositories import mirrors
from repositories.models import Repository
from tests.crash.places import ask
from tests.crash.stored import Stored, stored
from tests.repositories.given_git import GitWorld, a_repository

TOKEN = re.compile(r"d(\d\d)v(\d{5})")
SMALL, LARGE = 6, 1_400  # lines of a document; large ones are parsed in processes of their own
FLAWED = (2, 5)  # documents that have a problem in every other version
FEW = (2, 3)  # documents that a commit for an incremental build changes

type Versions = tuple[int, ...]  # of each document


@dataclass(slots=True)
class World:
    """A project, a twin over the same repository that is always built whole, and what each commit holds."""

    repository: Repository
    project: Project
    twin: Project
    git: GitWorld
    lines: int
    versions: dict[str, Versions] = field(default_factory=dict)
    expected: dict[str, Stored] = field(default_factory=dict)  # by commit, as the twin has it
    tip: str = ""

    @property
    def source(self) -> Source:
        """The row as it is now."""
        return models.Source.objects.get(project=self.project)

    def advance(self, changed: Iterable[int] | None = None) -> str:
        """Commit a new version of these documents, or of all; the branch of the mirror moves."""
        before = self.versions.get(self.tip, (0,) * DOCUMENTS)
        number = len(self.versions) + 1
        chosen = set(range(DOCUMENTS) if changed is None else changed)
        now = tuple(number if place in chosen else version for place, version in enumerate(before))
        self.tip = self.git.commit({path_of(one): text_of(one, number, self.lines) for one in chosen})
        self.versions[self.tip] = now
        return self.tip

    def at(self, commit: str) -> None:
        """Let the branch of the mirror point to a commit."""
        self.git.branch("main", commit)
        self.tip = commit

    def expect(self, commit: str) -> Stored:
        """What a whole build of the commit stores."""
        if commit not in self.expected:
            tip = self.tip
            self.at(commit)
            source = store.follow(self.twin, "main")
            ask("UPDATE brain_source SET enabled = true WHERE id = %s", source.pk)
            source.refresh_from_db()
            build(source, whole=True)
            # Off, so that no minute job wants it to be at the tip.
            ask("UPDATE brain_source SET enabled = false WHERE id = %s", source.pk)
            self.expected[commit] = stored(source.pk)
            self.at(tip)
        return self.expected[commit]

    def pinned(self) -> set[str]:
        """The commits that the project's builds keep."""
        return {pin.commit for pin in mirrors.pins(self.repository) if pin.project_id == str(self.project.pk)}

    def mixed(self, answer: object, commit: str) -> list[str]:
        """What of an answer is not of this commit."""
        versions = self.versions[commit]
        found = {(int(document), int(version)) for document, version in TOKEN.findall(repr(answer))}
        return [f"d{one:02}v{version:05}" for one, version in found if versions[one] != version]


DOCUMENTS = 12


def a_world(slug: str, *, lines: int = SMALL) -> World:
    """One whose first commit is built."""
    repository = Repository.objects.create(slug=slug, name=slug, remote="", default_branch="main")
    project, twin = (
        Project.objects.create(slug=f"{slug}{end}", name=slug, repository=repository) for end in ("", "-twin")
    )
    world = World(repository, project, twin, a_repository(repository.mirror), lines)
    world.advance()
    world.expect(world.tip)
    build(store.follow(project, "main"))
    return world


def path_of(document: int) -> str:
    """Where a document lies."""
    return f"guide/page-{document:02}.md" if document else "README.md"


def text_of(document: int, version: int, lines: int) -> bytes:
    """Every line of it that says anything says of which version."""
    mark = f"d{document:02}v{version:05}"
    following = path_of((document + 1) % DOCUMENTS)
    head = f"""\
# Page {mark}

Words {mark} of [the next {mark}](/{following}) and [a lost one {mark}](/lost-{mark}.md).

## Rules {mark}

### R-{document % 9:02} Duty {mark}

See R-{(document + 1) % 9:02} and [rules {mark}](#rules-{mark}) and [none {mark}](#none-{mark}).
"""
    body = (f"Line {line} says {mark} and some words more of it.\n" for line in range(lines))
    text = (head + "\n## Lines " + mark + "\n\n" + "\n".join(body)).encode()
    return text + b"\xff" if document in FLAWED and version % 2 else text
