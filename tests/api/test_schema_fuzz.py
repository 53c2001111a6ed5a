"""The live server under questions that nobody would think of, held to its own description."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import requests
import schemathesis
from django.conf import settings
from django.middleware.csrf import get_token
from django.test import RequestFactory
from django_q.models import OrmQ
from hypothesis import HealthCheck, Phase, given
from hypothesis import settings as bounded
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from brain.models import Source
from tests.api.described import document
from tests.api.given_doors import a_citation
from tests.api.given_world import World, a_server

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    response_headers_conformance,
]
EXAMPLES = 10  # of each operation, by each way of making them
NODES = ("/", "rules/", "wide/", "README.md", "rules/review.md", "rules/review.md#scope", "line.md", "odd.md")
METHODS = ("get", "post", "put")
OPERATIONS = [
    (path, method)
    for path, item in document()["paths"].items()
    for method in METHODS
    if method in item and path.startswith("/api/")
]

pytestmark = [pytest.mark.django_db, pytest.mark.filterwarnings("default")]  # the tool's own are not ours


@pytest.fixture(scope="module")
def api(world: World, django_db_blocker) -> Iterator[Any]:
    """The description as the server gives it."""
    with django_db_blocker.unblock(), a_server() as url:
        yield schemathesis.openapi.from_url(f"{url}/api/openapi.json")
        Source.objects.filter(project=world.empty).delete()  # what was asked of it was done
        OrmQ.objects.all().delete()


@pytest.fixture(scope="module")
def asks(world: World) -> Iterator[requests.Session]:
    """Somebody with a token and a session at once, and its forms' token; each door looks at one of the two."""
    with requests.Session() as session:
        session.headers["Authorization"] = f"Bearer {world.raw['ben']}"
        session.cookies.set(settings.SESSION_COOKIE_NAME, world.sessions["ada"])
        request = RequestFactory().get("/")
        session.headers["X-CSRFToken"] = get_token(request)
        session.cookies.set(settings.CSRF_COOKIE_NAME, request.META["CSRF_COOKIE"])
        yield session


@pytest.mark.parametrize("mode", GenerationMode)
@pytest.mark.parametrize(("path", "method"), OPERATIONS)
def test_whatever_is_asked_the_answer_is_as_described(api, asks, path, method, mode):
    operation = api[path][method]
    holds(asks, operation.as_strategy(generation_mode=mode))


@pytest.mark.parametrize(("path", "method"), OPERATIONS)
def test_whatever_is_asked_of_a_project_that_is_there_the_answer_is_as_described(
    api, asks, world, path, method
):
    operation = api[path][method]
    known = {one["name"] for one in document()["paths"][path][method].get("parameters", [])}
    project = "handbook" if method == "get" else "empty"  # a change is made where nobody reads
    home = {"path_parameters": {"reference": project}} if "reference" in known else {}

    def at(node: str) -> st.SearchStrategy[schemathesis.Case]:
        query = {"node": node, "under": node, "since": world.first, "projectId": "handbook"}
        fixed = {name: value for name, value in query.items() if name in known}
        return operation.as_strategy(query=fixed or None, **home)

    holds(asks, st.sampled_from(NODES).flatmap(at))


def test_citations_of_every_form_are_answered_as_described(api, asks, world):
    operation = api["/api/member/v1/brain/resolve"]["post"]
    number = st.integers(min_value=1, max_value=12)
    cited = st.fixed_dictionaries(
        {
            "path": st.sampled_from([node for node in NODES if node.endswith(".md")] + ["rules/old-name.md"]),
            "lineStart": number,
            "lineEnd": number.map(lambda n: n + 12),
            "commit": st.sampled_from([world.first, world.indexed, world.tip, "dead" * 10]),
        },
        optional={"quote": st.text(max_size=40)},
    )
    body = st.lists(cited, min_size=1, max_size=3).map(lambda some: {"citations": some})
    holds(asks, body.map(lambda told: operation.Case(body=told, media_type="application/json")))
    assert a_citation(world)["commit"] == world.first


def holds(asks: requests.Session, cases: st.SearchStrategy[schemathesis.Case]) -> None:
    """Each of some cases is answered as the description says."""

    @given(case=cases)
    @bounded(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def hold(case: schemathesis.Case) -> None:
        response = case.call(session=asks)
        if response.status_code != 414:  # an address too long for the server in front of us
            case.validate_response(response, checks=CHECKS)

    hold()
