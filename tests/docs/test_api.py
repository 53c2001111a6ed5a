"""Every example of docs/api.md is asked of this repository itself, and every parameter stands there."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.middleware.csrf import get_token
from django.test import Client, RequestFactory

from brain.catalogue import READS
from brain.forms import Door
from config.errors import ANSWERS
from members.callers import OPERATOR
from members.models import Member, Role
from members.tokens import issue
from tests.api.given_world import forget_activities, last_activity
from tests.docs.conftest import Docs
from tests.environment import CHECKOUT
from tests.given_db import Team, a_built_team

EXAMPLE = re.compile(r"```sh\n(curl .*?)\n```\n\n```json\n(.*?)\n```", re.DOTALL)
PAGE = (CHECKOUT / "docs/api.md").read_text()
EXAMPLES = EXAMPLE.findall(PAGE)
ELIDED = "…"


@pytest.fixture(scope="module")
def sample(tmp_path_factory, django_db_setup, django_db_blocker) -> Iterator[tuple[Team, dict[str, str]]]:
    """This checkout's Markdown as a project, and what the examples know of a maintainer."""
    with django_db_blocker.unblock():
        before = last_activity()
        team = a_built_team(tmp_path_factory.mktemp("sample"), documents(), slug="sample")
        ada = team.member("ada", Role.MAINTAINER)
        _, raw = issue(OPERATOR, ada, name="docs", project=team.project, days=1)
        yield team, {"TOKEN": raw, "COMMIT": team.first, **cookies_of(ada)}
        team.project.delete()
        team.repository.delete()
        ada.delete()
        forget_activities(before)


def cookies_of(member: Member) -> dict[str, str]:
    """The session of a member, and what its forms carry."""
    client, request = Client(), RequestFactory().get("/")
    client.force_login(member, backend="django.contrib.auth.backends.ModelBackend")
    get_token(request)
    return {
        "SESSION": client.cookies[settings.SESSION_COOKIE_NAME].value,
        "CSRF": request.META["CSRF_COOKIE"],
    }


def documents() -> dict[str | bytes, bytes]:
    """The Markdown files that are under version control, as they are now."""
    listed = subprocess.run(["git", "ls-files", "-z", "*.md"], cwd=CHECKOUT, capture_output=True, check=True)
    new = ["docs/api.md"]
    paths = dict.fromkeys([*filter(None, listed.stdout.decode().split("\0")), *new])
    return {path: (CHECKOUT / path).read_bytes() for path in paths if (CHECKOUT / path).exists()}


@pytest.mark.django_db
@pytest.mark.parametrize(("command", "expected"), EXAMPLES, ids=[line[:60] for line, _ in EXAMPLES])
def test_an_example_is_answered_as_it_says(
    sample: tuple[Team, dict[str, str]], command: str, expected: str
) -> None:
    answer = asked(command, sample[1])
    assert matches(json.loads(expected), answer), json.dumps(answer, ensure_ascii=False, indent=2)


def test_every_read_has_an_example_of_the_member_api() -> None:
    asked_for = {address_of(command).path.rpartition("/")[2] for command, _ in EXAMPLES}
    assert set(READS) <= asked_for


@pytest.mark.parametrize("name", READS)
def test_every_parameter_of_a_read_is_told(docs: Docs, name: str) -> None:
    section = docs.text(f"docs/api.md#{name}")
    told = set(re.findall(r"`([A-Za-z]+)`", section))
    parameters = {one.name for door in Door for one in READS[name].query.PARAMETERS[door]}
    assert parameters <= told


def test_every_refusal_of_a_read_is_linked_to() -> None:
    shown = {answer.code for answer in ANSWERS.values() if answer.status in (400, 401, 403, 404, 409, 429)}
    assert {"invalid-argument", "token-invalid", "brain-off"} <= shown
    assert "errors.md" in PAGE


def asked(command: str, known: dict[str, str]) -> Any:
    """The JSON that the example's curl would print."""
    for name, value in known.items():
        command = command.replace(f"${name}", value)
    words = shlex.split(command.replace("\\\n", " "))
    headers = dict(words[at + 1].split(": ", 1) for at, word in enumerate(words) if word == "-H")
    address = address_of(command)
    body = next((words[at + 1] for at, word in enumerate(words) if word == "-d"), None)
    method = words[words.index("-X") + 1] if "-X" in words else "GET" if body is None else "POST"
    client = Client(enforce_csrf_checks=True)
    client.cookies.load(headers.pop("Cookie", ""))
    kind = headers.get("Content-Type", "")
    address = f"{address.path}?{address.query}" if address.query else address.path
    return client.generic(method, address, body or "", kind, headers=headers).json()


def address_of(command: str) -> Any:
    (address,) = re.findall(r"\$BRAIN(/[^\"]*)\"", command)
    return urlsplit(address)


def matches(expected: Any, answer: Any) -> bool:
    """Whether the answer is the expected one, where `…` stands for anything, and for more of a list or object."""
    match expected:
        case "…":
            return True
        case dict():
            keys_alike = (
                set(expected) - {ELIDED} <= set(answer)
                if ELIDED in expected
                else set(expected) == set(answer)
            )
            return keys_alike and all(
                matches(expected[key], answer[key]) for key in expected if key != ELIDED
            )
        case list():
            more = bool(expected) and expected[-1] == ELIDED
            listed = expected[:-1] if more else expected
            return (len(answer) >= len(listed) if more else len(answer) == len(listed)) and all(
                map(matches, listed, answer)
            )
        case str() if ELIDED in expected:
            parts = map(re.escape, expected.split(ELIDED))
            return isinstance(answer, str) and re.fullmatch(".*".join(parts), answer, re.DOTALL) is not None
    return bool(expected == answer)
