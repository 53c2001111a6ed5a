"""Where errors meet HTTP: one table for pages, API and MCP."""

from __future__ import annotations

from dataclasses import dataclass

import django.core.exceptions
import django.db
import django.http

import brain.errors
import members.errors
import repositories.errors


@dataclass(frozen=True, slots=True)
class Answer:
    """How an error is told: the status, a code for programs, a title for people."""

    status: int
    code: str
    title: str


# Found by class, then by base, so that a new refusal of a family has an answer from its first day.
ANSWERS: dict[type[BaseException], Answer] = {
    brain.errors.Refusal: Answer(409, "conflict", "This can't be answered now"),
    brain.errors.InvalidArgument: Answer(400, "invalid-argument", "An argument was wrong"),
    brain.errors.BrainOff: Answer(409, "brain-off", "The Brain is turned off"),
    brain.errors.NotBuilt: Answer(409, "brain-not-built", "There is no Brain yet"),
    brain.errors.NodeNotFound: Answer(404, "node-not-found", "No such place in the tree"),
    brain.errors.CommitUnavailable: Answer(503, "commit-unavailable", "The indexed commit is away"),
    brain.errors.BuildFailed: Answer(503, "unavailable", "The build failed"),
    members.errors.AccessDenied: Answer(404, "project-not-found", "No such project"),
    members.errors.PermissionDenied: Answer(403, "permission-denied", "Your role does not allow this"),
    members.errors.InvalidProject: Answer(400, "invalid-argument", "The project is not of its form"),
    repositories.errors.RepositoryError: Answer(503, "unavailable", "The repository is away"),
    repositories.errors.MirrorMissing: Answer(503, "mirror-missing", "The mirror is missing"),
    repositories.errors.MirrorDamaged: Answer(503, "mirror-damaged", "The mirror is being repaired"),
    repositories.errors.BranchMissing: Answer(409, "branch-missing", "The branch is not in the mirror"),
    repositories.errors.CommitMissing: Answer(404, "commit-not-found", "No such commit"),
    repositories.errors.RemoteRefused: Answer(400, "invalid-argument", "The address is not allowed"),
    django.db.OperationalError: Answer(503, "unavailable", "The database is away"),
    django.db.InterfaceError: Answer(503, "unavailable", "The database is away"),
    django.http.Http404: Answer(404, "not-found", "No such page"),
    django.core.exceptions.PermissionDenied: Answer(403, "permission-denied", "This is not allowed"),
    django.core.exceptions.SuspiciousOperation: Answer(400, "invalid-argument", "The request was wrong"),
    django.core.exceptions.BadRequest: Answer(400, "invalid-argument", "The request was wrong"),
}
UNKNOWN = Answer(500, "internal", "Something broke on our side")
FORGED = Answer(403, "permission-denied", "This form is too old")

OWN_WORDS = (brain.errors.Refusal, members.errors.AccessDenied, members.errors.PermissionDenied)
OTHERS_WORDS = {  # what to do, where the error's own text is not for people
    404: "Nothing is at this address. It may have moved, or a letter is wrong.",
    403: "Your account may not do this. Ask a maintainer of the project.",
    400: "The request is not of the form that this page takes.",
    503: "It heals by itself, or whoever runs this server is told. Try again in half a minute.",
    500: "It was written down under the request's number. Try again, or tell whoever runs this server.",
}


def answer_for(error: BaseException) -> Answer | None:
    """The answer for an error, by its class or the nearest base; None for one that nobody foresaw."""
    return next((ANSWERS[kind] for kind in type(error).__mro__ if kind in ANSWERS), None)


def detail_of(error: BaseException | None, answer: Answer) -> str:
    """What a person is told: the error's words where they are ours, else a sentence for the status."""
    told = str(error) if isinstance(error, (*OWN_WORDS, repositories.errors.RepositoryError)) else ""
    return told or OTHERS_WORDS.get(answer.status, OTHERS_WORDS[500])
