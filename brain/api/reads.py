"""The reads over HTTP: portal JSON for people who are signed in, the member API for those with a token."""

from __future__ import annotations

import hashlib
from abc import ABC
from collections.abc import Mapping
from typing import Any, ClassVar

from django.http import HttpResponse
from django.utils.cache import patch_cache_control
from django.utils.http import parse_etags
from rest_framework.request import Request

from brain.api.asking import Address, Session, body_of, json_answer, signed_in
from brain.catalogue import READS, Read, hold, keep
from brain.forms import Door, Parameter, Query
from brain.forms.citations import CITATIONS
from brain.forms.parameters import refuse_unknown
from brain.forms.vocabulary import PROJECT_ID
from brain.store import DatabaseStore, Store, database_store
from members import limits
from members.access import project_for
from members.authentication import MISSING, BearerAuthentication
from members.callers import Caller, caller_of
from members.callers import Door as Entrance
from members.errors import InvalidArgument, TokenMissing
from members.models import Project
from members.permissions import MEMBER_READ, READ


class ReadApi(Address, ABC):
    """One read; a subclass says who may ask, and where the project is named."""

    read: Read = READS["status"]  # `as_view` says which
    door: ClassVar[Door]
    permission: ClassVar[str]
    http_method_names = ["get", "head"]  # noqa: RUF012

    @property
    def action(self) -> str:
        """What the activity log calls it."""
        return self.read.action

    @property
    def policy(self) -> str:
        """The rate limit that counts it."""
        return self.read.policy

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """What a query string may hold."""
        return self.read.query.PARAMETERS[self.door]

    def answered(self, request: Request, reference: str) -> HttpResponse:
        """Answer the question, or say that the caller has the answer; either is noted first."""
        project = project_for(self.caller, reference, self.permission)
        had = self._had(request)
        with limits.slot(self.caller.key):
            tag = self._known(project, had)
            answer = None
            if not tag:
                tag, answer = self._answer(project)
        if "*" in had:
            answer = None  # any answer that there is
        keep(self.caller, project, self.read, self.asked, answer)
        return _answered(None if answer is None else self.read.told(answer), tag if self.is_tagged else "")

    @property
    def is_tagged(self) -> bool:
        """Whether the answer can be asked for again by its tag."""
        return self.read.stamped

    def parsed(self, request: Request) -> Query:
        """The question of the address or the body. Raises InvalidArgument."""
        arguments = self._arguments(request)
        refuse_unknown(self.parameters, arguments)
        self.project_id = PROJECT_ID.read(arguments)
        own = {name: value for name, value in arguments.items() if name != PROJECT_ID.name}
        return self.read.query.parse(own, self.door, strict=False)

    def _arguments(self, request: Request) -> Mapping[str, Any]:
        return request.query_params.dict()

    def _had(self, request: Request) -> list[str]:
        """The tags of the answers that the caller has; a weak one is as good."""
        told = request.headers.get("If-None-Match", "") if self.is_tagged else ""
        return [tag.removeprefix("W/") for tag in parse_etags(told)]

    def _known(self, project: Project, had: list[str]) -> str:
        """The tag of the answer, if the caller has that answer; the row of the Brain alone decides it."""
        if not had or had == ["*"]:
            return ""
        store = DatabaseStore(project)
        tag = self._tag(store)
        if tag not in had:
            return ""
        store.require_tree()
        hold(store, self.asked)
        return tag

    def _answer(self, project: Project) -> tuple[str, Any]:
        with database_store(project) as store:
            return self._tag(store), self.read.answer(store, self.asked)

    def _tag(self, store: Store) -> str:
        told = f"{self.read.name} {self.door} {self.asked!r} {store.stamp}"
        return f'"{hashlib.sha256(told.encode()).hexdigest()[:32]}"'


class PortalRead(ReadApi):
    """A read for whoever is signed in; the project stands in the address."""

    door = Door.PORTAL
    permission = READ
    authentication_classes = (Session,)

    def get(self, request: Request, reference: str) -> HttpResponse:
        """Answer the question of the address."""
        return self.answered(request, reference)

    def called(self, request: Request) -> Caller:
        """The member of the session."""
        return signed_in(request)


class TokenRead(ReadApi):
    """A read for a token; a cookie counts for nothing here."""

    door = Door.MEMBER
    permission = MEMBER_READ
    authentication_classes = (BearerAuthentication,)

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """What a query string may hold."""
        return (PROJECT_ID, *super().parameters)

    def called(self, request: Request) -> Caller:
        """The member whose token it is."""
        caller = caller_of(request, Entrance.API)
        if caller.token is None:
            raise TokenMissing(MISSING)
        return caller

    def named(self) -> str:
        """The project of the arguments, else the token's."""
        token = self.caller.token
        if not self.project_id and (token is None or token.project_id is None):
            raise InvalidArgument("projectId", "The token opens all of its member's projects: name one.")
        return self.project_id or str(token.project_id if token else "")


class MemberRead(TokenRead):
    """A read whose question stands in the address."""

    def get(self, request: Request) -> HttpResponse:
        """Answer the question of the address."""
        return self.answered(request, self.named())


class MemberQuestion(TokenRead):
    """A read whose question is too long for an address: a JSON object in the body."""

    http_method_names = ["post"]  # noqa: RUF012
    is_tagged = False

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """What the body may hold."""
        return (PROJECT_ID, CITATIONS)

    def post(self, request: Request) -> HttpResponse:
        """Answer the question of the body."""
        return self.answered(request, self.named())

    def _arguments(self, request: Request) -> Mapping[str, Any]:
        return {CITATIONS.name: None} | body_of(request)


def _answered(told: dict[str, Any] | None, tag: str) -> HttpResponse:
    if told is None:
        response = HttpResponse(status=304)
        del response["Content-Type"]
        patch_cache_control(response, private=True, no_cache=True)
    else:
        response = json_answer(told)
    if tag:
        response["ETag"] = tag
    return response
