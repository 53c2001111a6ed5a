"""The world of the portal's tests: a built project, an unbuilt one, a wiki, three members, and a server."""

from __future__ import annotations

import inspect
import io
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connections
from django.test import Client, override_settings

from tests.api.given_world import forget_activities, last_activity
from tests.brain.rendering.payloads import PAYLOADS
from tests.repositories.given_git import a_repository

HANDBOOK = Path(__file__).parent / "world"
HOSTILE = '"><img src=x onerror=window.__xss=1>'
CANARY = "odd/#1 <b>&%22' name.md"  # a path that every address and every attribute has to write with care
CANARY_KEYS = ("title", "id", "status", "labels", "summary", "superseded_by", "</td><script>1</script>")
BRANCHES = 130  # more than one window of the tree
GUIDES = {  # three spaces, of which two say where they stand
    "README.md": "---\nspace: LIB\norder: 2\nlabels: [overview]\n---\n# The library\n\nHow it all works.\n",
    "lending/README.md": "---\nspace: lend\norder: 1\nlabels: [overview, desk]\n---\n# Lending\n\nWhat is lent.\n",
    "lending/fees.md": "---\nlabels: [desk, fees & fines]\n---\n# Fees\n\nWhat a late book costs.\n",
    "people/index.md": "---\nspace: ALL\n---\n# People\n\nWho does what.\n",
    "people/desk.md": "---\nlabels: desk\n---\n# Shifts\n\nWho sits where.\n",
}
PASSWORD = "a long pass phrase"
BROWSER_THREAD = ThreadPoolExecutor(1, "browser")
SWITCHES = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]


@dataclass(frozen=True)
class World:
    """What the tests know of it."""

    url: str
    sessions: dict[str, str]  # session keys by member


def handbook() -> dict[str | bytes, str]:
    """The files of the lending desk, with a wide folder, a long text and a hostile one."""
    files: dict[str | bytes, str] = {
        str(path.relative_to(HANDBOOK)): path.read_text() for path in HANDBOOK.rglob("*.md")
    }
    files |= {
        f"wide/branch-{n:03}.md": f"# Branch {n}\n\nBranch number {n} of the town.\n" for n in range(BRANCHES)
    }
    files["hostile.md"] = "# Hostile <script>window.__xss=1</script>\n\n" + "\n\n".join(PAYLOADS)
    files[CANARY] = (
        "---\n" + "".join(f"{key}: '{HOSTILE}'\n" for key in CANARY_KEYS) + f"---\n## {HOSTILE}\n\nx\n"
    )
    files["odd/letter.md"] = "---\nDear reader\n---\n\nA letter with a ruled head.\n"
    files[b"caf\xe9.md"] = "# Lost\n"
    words = "Words of a text that goes on. " * 40
    files["long.md"] = "# Long\n\n" + "".join(f"## Part {n}\n\n{words}\n\n" for n in range(200))
    return files


@pytest.fixture(scope="package")
def world(tmp_path_factory, django_db_setup, django_db_blocker) -> Iterator[World]:
    """Made once for all tests of this folder; they only read, or write inside a transaction of their own."""
    from django_q.models import OrmQ
    from pytest_django.live_server_helper import LiveServer

    folder = tmp_path_factory.mktemp("portal")
    a_repository(folder / "lending.git", [handbook()])
    a_repository(folder / "people.git", [{"README.md": "# People"}])
    guides = a_repository(folder / "guides.git", [GUIDES])
    for branch in ("drafts", "release/2026-11", "kintsugi/out"):
        guides.branch(branch, guides.tip("main"))
    with django_db_blocker.unblock(), override_settings(MIRROR_LOCAL_ROOTS=[folder]):
        before = last_activity()
        projects = _projects(folder)
        members = _members(projects)
        connections.settings["default"]["CONN_MAX_AGE"] = 0  # or the server's threads outlive the database
        server = LiveServer("127.0.0.1")
        try:
            yield World(server.url, {name: _session(member) for name, member in members.items()})
        finally:
            server.stop()
            _remove(projects, members)
            forget_activities(before)
            OrmQ.objects.all().delete()


@pytest.fixture
def ines(db, world) -> Client:
    """A maintainer of all projects."""
    return _client(world, "ines")


@pytest.fixture
def rolf(db, world) -> Client:
    """A reader of all projects."""
    return _client(world, "rolf")


@pytest.fixture
def noor(db, world) -> Client:
    """A member of no project."""
    return _client(world, "noor")


@pytest.fixture
def nobody(db, world) -> Client:
    """Somebody who is not signed in."""
    return Client()


@pytest.fixture(scope="session")
def browser():
    """One browser for the whole run, in the thread of its own that its tests run in too."""
    from playwright.sync_api import sync_playwright

    playwright = BROWSER_THREAD.submit(sync_playwright().start).result()
    switches = {"executable_path": "/usr/bin/chromium", "args": SWITCHES}
    browser = BROWSER_THREAD.submit(playwright.chromium.launch, **switches).result()
    yield browser
    BROWSER_THREAD.submit(browser.close).result()
    BROWSER_THREAD.submit(playwright.stop).result()


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem) -> bool | None:
    """Run a browser's test beside Playwright's event loop, which Django would take for one of its own."""
    if "browser" not in pyfuncitem.fixturenames:
        return None
    arguments = {name: pyfuncitem.funcargs[name] for name in inspect.signature(pyfuncitem.obj).parameters}
    BROWSER_THREAD.submit(pyfuncitem.obj, **arguments).result()
    return True


def _projects(folder: Path) -> dict[str, object]:
    from brain.management import operating
    from brain.management.bars import Bars
    from members.callers import OPERATOR
    from wiki.switch import switch

    lending = operating.add("lending", remote=str(folder / "lending.git"), name="Lending desk", branch="main")
    people = operating.add("people", remote=str(folder / "people.git"), name="People handbook", branch="main")
    guides = operating.add("guides", remote=str(folder / "guides.git"), name="Guides", branch="main")
    switch(guides, OPERATOR, enabled=True)
    with Bars(io.StringIO(), quiet=True) as bars:
        for project in (lending, guides):
            operating.build(project, fetch=False, whole=False, bars=bars)
    return {"lending": lending, "people": people, "guides": guides}


def _members(projects) -> dict[str, object]:
    from members.models import Member, Role
    from members.projects import join

    ines = Member.objects.create_user("ines", password=PASSWORD, first_name="Ines", last_name="Okafor")
    rolf = Member.objects.create_user("rolf", password=PASSWORD)
    noor = Member.objects.create_user("noor", password=PASSWORD)
    for project in projects.values():
        join(ines, project, Role.MAINTAINER)
        join(rolf, project, Role.READER)
    return {"ines": ines, "rolf": rolf, "noor": noor}


def _session(member) -> str:
    client = Client()
    client.force_login(member)
    return client.cookies[settings.SESSION_COOKIE_NAME].value


def _client(world: World, name: str) -> Client:
    client = Client()
    client.cookies[settings.SESSION_COOKIE_NAME] = world.sessions[name]
    return client


def _remove(projects, members) -> None:
    from brain.management import operating

    for project in projects.values():
        operating.remove(project)
    for member in members.values():
        member.delete()
