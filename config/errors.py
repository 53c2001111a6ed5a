"""Where errors meet HTTP: one table for pages, API and MCP."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import django.core.exceptions
import django.db
import django.http
import rest_framework.exceptions

import brain.errors
import members.errors
import repositories.errors


@dataclass(frozen=True, slots=True)
class Answer:
    """How an error is told: the status, a code for programs, a title for people."""

    status: int
    code: str
    title: str


FORGED = Answer(403, "permission-denied", "This form is too old")

# Found by class, then by base, so that a new refusal of a family has an answer from its first day.
ANSWERS: dict[type[BaseException], Answer] = {
    brain.errors.Refusal: Answer(409, "conflict", "This can't be answered now"),
    brain.errors.InvalidArgument: Answer(400, "invalid-argument", "An argument was wrong"),
    brain.errors.BrainOff: Answer(409, "brain-off", "The Brain is turned off"),
    brain.errors.NotBuilt: Answer(409, "brain-not-built", "There is no Brain yet"),
    brain.errors.NoRepository: Answer(409, "no-repository", "The project has no repository"),
    brain.errors.BranchNotMirrored: Answer(409, "branch-missing", "The branch is not in the mirror"),
    brain.errors.WikiFollowsDefault: Answer(409, "wiki-follows-default", "The wiki holds the branch"),
    brain.errors.WikiOn: Answer(409, "wiki-on", "The wiki holds the Brain on"),
    brain.errors.NodeNotFound: Answer(404, "node-not-found", "No such place in the tree"),
    brain.errors.CommitNotFound: Answer(404, "commit-not-found", "No such commit"),
    brain.errors.CommitMoved: Answer(409, "commit-moved", "The indexed commit has moved"),
    brain.errors.NoHistory: Answer(400, "invalid-argument", "There is no history here"),
    brain.errors.CommitUnavailable: Answer(503, "commit-unavailable", "The indexed commit is away"),
    brain.errors.FormForged: FORGED,
    brain.errors.BuildFailed: Answer(503, "unavailable", "The build failed"),
    members.errors.AccessDenied: Answer(404, "project-not-found", "No such project"),
    members.errors.PermissionDenied: Answer(403, "permission-denied", "Your role does not allow this"),
    members.errors.InsufficientScope: Answer(403, "insufficient-scope", "The token may not do this"),
    members.errors.TokenMissing: Answer(401, "token-missing", "There is no token"),
    members.errors.TokenInvalid: Answer(401, "token-invalid", "The token opens nothing"),
    members.errors.NotSignedIn: Answer(401, "not-signed-in", "You are not signed in"),
    members.errors.RateLimited: Answer(429, "rate-limited", "Too much in too little time"),
    members.errors.BodyTooLarge: Answer(413, "body-too-large", "The request is too large"),
    members.errors.Refusal: Answer(409, "conflict", "This can't be answered now"),
    members.errors.InvalidArgument: Answer(400, "invalid-argument", "An argument was wrong"),
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
    django.core.exceptions.RequestDataTooBig: Answer(413, "body-too-large", "The request is too large"),
    rest_framework.exceptions.MethodNotAllowed: Answer(405, "method-not-allowed", "Not by this method"),
    rest_framework.exceptions.NotAcceptable: Answer(406, "not-acceptable", "Not in this form"),
    rest_framework.exceptions.UnsupportedMediaType: Answer(415, "unsupported-media-type", "Not in this form"),
    rest_framework.exceptions.ParseError: Answer(400, "invalid-argument", "The request was wrong"),
    rest_framework.exceptions.PermissionDenied: Answer(403, "permission-denied", "This is not allowed"),
}
UNKNOWN = Answer(500, "internal", "Something broke on our side")

OWN_WORDS = (brain.errors.Refusal, members.errors.Refusal, repositories.errors.RepositoryError)
OTHERS_WORDS = {  # what to do, where the error's own text is not for people
    404: "Nothing is at this address. It may have moved, or a letter is wrong.",
    403: "Your account may not do this. Ask a maintainer of the project.",
    400: "The request is not of the form that this page takes.",
    503: "It heals by itself, or whoever runs this server is told. Try again in half a minute.",
    405: "This address takes other methods; the description of the API says which.",
    406: "This address answers in JSON.",
    413: "Send less at a time.",
    415: "Send JSON, with the content type application/json.",
    500: "It was written down under the request's number. Try again, or tell whoever runs this server.",
}


def answer_for(error: BaseException) -> Answer | None:
    """The answer for an error, by its class or the nearest base; None for one that nobody foresaw."""
    return next((ANSWERS[kind] for kind in type(error).__mro__ if kind in ANSWERS), None)


def detail_of(error: BaseException | None, answer: Answer) -> str:
    """What a person is told: the error's words where they are ours, else a sentence for the status."""
    told = str(error) if isinstance(error, OWN_WORDS) else ""
    return told or OTHERS_WORDS.get(answer.status, OTHERS_WORDS[500])


def problem_of(error: BaseException) -> dict[str, Any]:
    """The error as problem details, without what only a request knows."""
    answer = answer_for(error) or UNKNOWN
    return details_of(answer, detail_of(error, answer), error)


def details_of(answer: Answer, detail: str, error: BaseException | None) -> dict[str, Any]:
    """An answer as problem details, with what the error tells programs."""
    told = {"title": answer.title, "status": answer.status, "detail": detail, "code": answer.code}
    return told | dict(getattr(error, "told", {}))
