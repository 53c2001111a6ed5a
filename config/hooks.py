"""The door for the hosts of repositories: they tell of a push, and a sync is queued."""

from __future__ import annotations

from django.http import HttpResponse
from rest_framework.request import Request
from rest_framework.views import APIView

from members.callers import address_of
from members.errors import BodyTooLarge
from members.limits import take_attempt
from repositories.scheduling import sync_later
from repositories.webhooks import signed_repository

MAX_BODY = 1 << 20  # bytes; it is read for its signature alone
UNKNOWN = "There is no such webhook, or this is not signed with its secret.\n"


class Webhook(APIView):
    """Whatever a host tells, a push or a first greeting, is a reason to look; others hear one answer."""

    authentication_classes = ()
    permission_classes = ()
    http_method_names = ["post"]  # noqa: RUF012

    def post(self, request: Request, slug: str) -> HttpResponse:
        """Before the answer nothing is fetched; what comes while a sync waits is covered by it."""
        if int(request.META.get("CONTENT_LENGTH") or 0) > MAX_BODY:
            raise BodyTooLarge(f"A webhook has at most {MAX_BODY >> 20} MiB.")
        repository = signed_repository(slug, request.headers, request.body)
        if repository is None:
            take_attempt(address_of(request.META))
            return HttpResponse(UNKNOWN, status=404, content_type="text/plain")
        sync_later(repository)
        return HttpResponse(status=202)
