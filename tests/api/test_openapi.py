"""The description of the APIs: complete, valid, and no looser than the answers are."""

from __future__ import annotations

import copy
import json

import pytest
from jsonschema import Draft202012Validator

from brain import urls
from brain.catalogue import READS
from brain.forms import Door
from tests.api.described import document, errors_of, refused
from tests.api.given_doors import asked
from tests.api.given_world import a_client

METHODS = {"get", "post", "put", "patch", "delete", "head", "options", "trace"}
KINDS = {"text": "string", "number": "integer", "flag": "boolean"}


def operation(door, read):
    if door is Door.MEMBER:
        method = "post" if read in urls.LONG else "get"
        return document()["paths"][f"/api/member/v1/brain/{read}"][method]
    name = urls.PORTAL_NAMES.get(read, f"/{read}")
    return document()["paths"][f"/api/projects/{{reference}}/brain{name}"]["get"]


def operations():
    return [
        (path, method, each)
        for path, item in document()["paths"].items()
        for method, each in item.items()
        if method in METHODS
    ]


def schemas(value):
    """Every schema of the document, wherever it stands."""
    if isinstance(value, list):
        for one in value:
            yield from schemas(one)
    if isinstance(value, dict):
        if value.get("type") == "object" or "properties" in value:
            yield value
        for one in value.values():
            yield from schemas(one)


def test_anybody_may_fetch_it():
    response = a_client().get("/api/openapi.json")
    assert response["Content-Type"].startswith("application/vnd.oai.openapi+json")
    assert document()["openapi"].startswith("3.1")
    assert {"title", "version", "description"} <= set(document()["info"])


def test_every_schema_is_a_json_schema():
    for name, schema in document()["components"]["schemas"].items():
        Draft202012Validator.check_schema(schema)
        errors_of(name, {})  # and each of its references leads somewhere
    for _, _, each in operations():
        for parameter in each.get("parameters", []):
            Draft202012Validator.check_schema(parameter["schema"])


def test_every_reference_leads_somewhere():
    told = json.dumps(document())
    names = set(document()["components"]["schemas"])
    used = {part.partition('"')[0] for part in told.split('"$ref": "#/components/schemas/')[1:]}
    assert used <= names
    assert names - used == set()


def test_every_object_says_all_that_it_may_hold():
    loose = [one for one in schemas(document()["components"]) if one.get("additionalProperties") is not False]
    assert [one for one in loose if "properties" in one and "type" in one] == []


@pytest.mark.parametrize("door", Door)
@pytest.mark.parametrize("read", READS)
def test_every_read_is_described_with_the_parameters_of_its_form(door, read):
    told = operation(door, read)
    assert told["summary"] == READS[read].about
    if (door, read) == (Door.MEMBER, "resolve"):
        assert told["parameters"] == []
        return
    given = {one["name"]: one for one in told["parameters"]}
    form = {one.name: one for one in READS[read].query.PARAMETERS[door]}
    extra = {"projectId"} if door is Door.MEMBER else {"reference"}
    assert set(given) == set(form) | extra
    for name, parameter in form.items():
        schema = given[name]["schema"]
        assert given[name]["in"] == "query"
        assert given[name]["required"] == parameter.required
        assert given[name]["description"] == parameter.about
        assert schema["type"] == KINDS[parameter.kind]
        assert schema.get("default") == (parameter.default or None) or parameter.default in (0, False, True)
        assert schema.get("enum", []) == list(parameter.choices)
        if parameter.kind == "number":
            assert (schema["minimum"], schema["maximum"]) == (parameter.least, parameter.most)
        if parameter.kind == "text" and not parameter.choices:
            assert schema["maxLength"] == parameter.most


def test_the_question_in_a_body_is_described_with_every_field_of_a_citation():
    body = operation(Door.MEMBER, "resolve")["requestBody"]["content"]["application/json"]["schema"]
    assert set(body["properties"]) == {"projectId", "citations"}
    fields = body["properties"]["citations"]["items"]["properties"]
    assert {one.name for one in READS["resolve"].query.PARAMETERS[Door.MEMBER]} <= set(fields)


def test_every_operation_has_a_name_of_its_own_and_says_who_may_ask():
    names = [each["operationId"] for _, _, each in operations()]
    assert len(names) == len(set(names))
    known = set(document()["components"]["securitySchemes"])
    for path, _, each in operations():
        schemes = {name for option in each["security"] for name in option}
        assert schemes <= known
        if path.startswith("/api/member/"):
            assert schemes == {"token"}


def test_every_operation_says_how_it_refuses():
    for path, method, each in operations():
        refusals = {code for code in each["responses"] if code.startswith(("4", "5"))}
        assert {"400"} <= refusals, (path, method)
        for code in refusals:
            content = each["responses"][code]["content"]
            assert list(content) == ["application/problem+json"]


@pytest.mark.parametrize("read", READS)
def test_an_answer_is_as_described_and_one_with_more_or_less_is_not(door, world, read):
    told, name = asked(door, read, world).json(), f"{read.title()}Answer"
    assert errors_of(name, told) == []
    for key in told:
        less = copy.deepcopy(told)
        del less[key]
        wrong = {**told, key: {"of": "another kind"}}
        assert errors_of(name, wrong), key
        assert errors_of(name, less) or key in {"note", "near", "total", "space", "label", "progress"}, key
    assert errors_of(name, {**told, "more": 1})


def test_a_refusal_is_as_described_and_one_with_more_is_not(door):
    told = refused(door.ask("tree", nod="/")).json()
    assert errors_of("Problem", {**told, "stack": "…"})
    assert errors_of("Problem", {**told, "status": "400"})


@pytest.mark.parametrize("read", READS)
def test_the_examples_of_the_description_are_taken(member, portal, world, read):
    for door, entrance in ((Door.MEMBER, member), (Door.PORTAL, portal)):
        if (door, read) == (Door.MEMBER, "resolve"):
            continue
        told = operation(door, read)["parameters"]
        examples = {one["name"]: one["example"] for one in told if "example" in one and one["in"] == "query"}
        needed = {one["name"] for one in told if one["required"] and one["in"] == "query"}
        assert needed - set(examples) <= {"since", "commit", "lineStart", "lineEnd"}  # of nobody's repository
        if needed <= set(examples):
            entrance.answer(read, **examples)


def test_no_parameter_takes_an_object_of_git_but_a_commit():
    """A blob or a tree named by its id would get round what is never indexed."""
    for _, _, each in operations():
        for one in each.get("parameters", []):
            hashes = "hex" in one.get("description", "").lower() or "40" in one["schema"].get("pattern", "")
            assert not hashes or one["name"] in {"since", "commit"}, one
