"""The case log that lies beside the checkout, as projects: each case a branch of one repository."""

from __future__ import annotations

import functools
import json
import re
import string
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from django.test import override_settings

from brain import snapshots, store
from brain.builds import build
from members.models import Member, Membership, Project, Role
from members.projects import remove_project
from repositories import mirrors
from repositories.models import Repository
from tests.api.given_world import UNHURRIED, a_client, a_server, a_token, forget_activities, last_activity
from tests.brain.test_cases import LOG, content
from tests.repositories.given_git import Content, Gitlink, GitWorld, Symlink, a_repository

MARKUP = re.compile(f"([{re.escape(string.punctuation)}])")
DOOR = "/api/member/v1/brain/"

type Case = dict[str, Any]
type Answer = tuple[int, dict[str, Any]]
type Get = Callable[[str, Mapping[str, Any]], tuple[int, bytes]]


def _log() -> list[Case]:
    return [json.loads(line) for line in LOG.read_text().split("\n") if line] if LOG.exists() else []


CASES = {case["id"]: case for case in _log()}


class Asking:
    """One case's project before the member API; keeps every answer that it got."""

    def __init__(self, get: Get, case: Case, first: str) -> None:
        self.case, self.first, self._get = case, first, get
        self.heard: list[str] = []

    def ask(self, read: str, **arguments: Any) -> Answer:
        status, body = self._get(DOOR + read, {"projectId": self.case["id"], **arguments})
        self.heard.append(body.decode())
        return status, json.loads(body)

    def answer(self, read: str, **arguments: Any) -> dict[str, Any]:
        status, told = self.ask(read, **arguments)
        assert status == 200, told
        return told

    def children(self, node_id: str) -> Iterator[dict[str, Any]]:
        offset: int | None = 0
        while offset is not None:
            level = self.answer("tree", node=node_id, offset=offset, limit=100)
            yield from level["children"]
            offset = level["nextOffset"]

    @functools.cached_property
    def nodes(self) -> dict[str, dict[str, Any]]:
        """Every node's view by its id, in tree order, each with the id of its `parent`."""
        found: dict[str, dict[str, Any]] = {}

        def visit(view: dict[str, Any], parent: str | None) -> None:
            found[view["id"]] = view | {"parent": parent}
            if view["hasChildren"]:
                for child in self.children(view["id"]):
                    visit(child, view["id"])

        visit(self.answer("tree")["node"], None)
        return found


class Cases(NamedTuple):
    """Every case as a built project."""

    firsts: dict[str, str]  # the first commit of each, by its id
    raw: str  # the token of somebody who may read them all

    def asked(self, name: str, get: Get) -> Asking:
        """One case, to be asked in this way."""
        return Asking(get, CASES[name], self.firsts[name])


@contextmanager
def built_cases(folder: Path) -> Iterator[Cases]:
    """One fetch brings all cases, since each is a branch of the same repository."""
    git = a_repository(folder / "cases.git")
    commits = {name: _commits(git, case) for name, case in CASES.items()}
    before = last_activity()
    with override_settings(MIRROR_LOCAL_ROOTS=[folder], RATE_LIMITS=UNHURRIED):
        repository = Repository.objects.create(slug="cases", name="cases", remote=str(git.path))
        mirrors.sync(repository)
        for name in commits:
            build(store.follow(Project.objects.create(slug=name, name=name, repository=repository), name))
        member, raw = _a_reader()
        try:
            yield Cases({name: made[0] for name, made in commits.items()}, raw)
        finally:
            for project in Project.objects.filter(slug__in=commits):
                snapshots.drop_all(store.source_of(project).pk)
                remove_project(project)
            mirrors.remove(repository)
            member.delete()
            forget_activities(before)


def in_process(raw: str) -> Get:
    """Asks through the whole stack of addresses and middleware."""
    client = a_client(headers={"Authorization": f"Bearer {raw}"})

    def get(address: str, arguments: Mapping[str, Any]) -> tuple[int, bytes]:
        response = client.get(address, arguments)
        return response.status_code, response.content

    return get


@contextmanager
def over_the_wire(raw: str) -> Iterator[Get]:
    """Asks a server."""
    with a_server() as url:
        yield functools.partial(_fetched, url, raw)


def _a_reader() -> tuple[Member, str]:
    member = Member.objects.create(username="reader of cases")
    projects = Project.objects.filter(slug__in=CASES)
    Membership.objects.bulk_create(
        Membership(member=member, project=project, role=Role.MEMBER) for project in projects
    )
    return member, a_token(member, "cases", None)[1]


def _fetched(url: str, raw: str, address: str, arguments: Mapping[str, Any]) -> tuple[int, bytes]:
    asked = f"{url}{address}?{urllib.parse.urlencode(arguments)}"
    request = urllib.request.Request(asked, headers={"Authorization": f"Bearer {raw}"})
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            return response.status, response.read()
    except urllib.error.HTTPError as refusal:
        with refusal:
            return refusal.code, refusal.read()


def _commits(git: GitWorld, case: Case) -> list[str]:
    """The commits of a case on a branch of its own, the oldest first."""
    trees, made = _trees(case), []
    for tree in trees:
        gone = dict.fromkeys(path.decode() for path in (git.files_of(made[-1]) if made else ()))
        made.append(git.commit({**gone, **tree}, branch=case["id"], parents=made[-1:]))
    return made


def _trees(case: Case) -> list[dict[str | bytes, Content]]:
    given = case["input"]
    if "headings" in given:  # plain texts: whatever Markdown would make of them is written as it is
        text = "".join(f"## {MARKUP.sub(r'\\\1', heading)}\n\n" for heading in given["headings"])
        return [{"a.md": text}]
    trees = given["commits"] if "commits" in given else [given["files"]]
    return [{path: _entry(entry) for path, entry in tree.items()} for tree in trees]


def _entry(entry: Any) -> Content:
    match entry:
        case {"symlink": target}:
            return Symlink(target)
        case {"gitlink": True}:
            return Gitlink()
    return content(entry)
