"""Managing a Brain over HTTP: whoever is signed in and may sends what is to be, and is answered the state."""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable
from typing import Any, ClassVar

from django.http import HttpResponse
from rest_framework.request import Request

from brain import following
from brain.api.asking import Address, Session, body_of, json_answer, signed_in
from brain.api.reads import PortalRead
from brain.catalogue import READS
from brain.forms.wishes import BrainWish, RebuildWish, Wish
from brain.store import Source, database_store
from members.access import project_for
from members.callers import Caller
from members.models import Project
from members.permissions import MANAGE_BRAIN

type Deed = Callable[[Project, Caller], Source]


class Change(Address, ABC):
    """A change of a project; a subclass says by which wish, and what may refuse it."""

    authentication_classes = (Session,)
    wish: ClassVar[type[Wish]]
    name: ClassVar[str]  # in the description
    about: ClassVar[str]  # one sentence
    grant: ClassVar[str]  # the permission that it needs
    success: ClassVar[int] = 200

    def parsed(self, request: Request) -> Any:
        """The wish of the body. Raises InvalidArgument."""
        return self.wish.parse(body_of(request))

    def called(self, request: Request) -> Caller:
        """The member of the session."""
        return signed_in(request)

    def changed(self, reference: str, deed: Deed) -> HttpResponse:
        """Do it, and answer the state that the Brain is in then."""
        project = project_for(self.caller, reference, self.grant)
        project = deed(project, self.caller).project
        status = READS["status"]
        with database_store(project) as store:
            told = status.told(status.ask(store, None))
        return json_answer(told, self.success)


class Brain(Change, PortalRead):
    """The state of a Brain to read, and what its managers want of it."""

    http_method_names = ["get", "head", "put"]  # noqa: RUF012
    wish = BrainWish
    name = "configure_brain"
    about = "Turn the Brain on, which builds it, or off, and choose the branch that it follows."
    grant = MANAGE_BRAIN

    @property
    def action(self) -> str:
        """What the activity log calls it."""
        return following.CONFIGURE if self.request.method == "PUT" else self.read.action

    def parsed(self, request: Request) -> Any:
        """What is asked, or what is wanted."""
        return Change.parsed(self, request) if request.method == "PUT" else PortalRead.parsed(self, request)

    def put(self, request: Request, reference: str) -> HttpResponse:  # noqa: ARG002
        """Let the Brain be as the body says."""
        wish: BrainWish = self.asked
        return self.changed(
            reference,
            lambda project, caller: following.configure(
                project, caller, enabled=wish.enabled, branch=wish.branch
            ),
        )


class Rebuild(Change):
    """A whole build of the tip, asked for by a manager."""

    http_method_names = ["post"]  # noqa: RUF012
    wish = RebuildWish
    name = "rebuild_brain"
    about = "Build the tip of the branch whole, whether it moved or not."
    grant = MANAGE_BRAIN
    success = 202
    action = following.REBUILD

    def post(self, request: Request, reference: str) -> HttpResponse:  # noqa: ARG002
        """Have it built."""
        return self.changed(reference, following.rebuild)
