"""The secret of a repository's webhook, and how each host signs with it."""

from __future__ import annotations

import base64
import functools
import hmac
import secrets
from typing import TYPE_CHECKING

from repositories.credentials import Credentials, CredentialsUnreadable, decrypted, encrypted
from repositories.models import Repository

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

PREFIX = "whsec_"  # by which GitLab knows a secret that signs
KEY = 32  # bytes


def renew_secret(repository: Repository) -> str:
    """Give the repository's webhook a secret, instead of the one it had; it is never told again."""
    secret = PREFIX + base64.b64encode(secrets.token_bytes(KEY)).decode()
    _store(repository, encrypted(Credentials("webhook", secret)))
    return secret


def remove_secret(repository: Repository) -> None:
    """Let nobody ask for a sync of the repository by webhook."""
    _store(repository, None)


def signed_repository(slug: str, headers: Mapping[str, str], body: bytes) -> Repository | None:
    """The repository whose host sent this; None when it is unknown, has no webhook, or others sent it.

    All of these take the same steps, so that nobody can find out which repositories there are.
    A call that is sent again is as good as the first: all it can do is ask for a sync.
    """
    repository = Repository.objects.filter(slug=slug).only("hook_secret").first()
    stored = repository.hook_secret if repository else None
    try:
        secret = decrypted(bytes(stored or _decoy())).token
    except CredentialsUnreadable:
        stored, secret = None, decrypted(_decoy()).token
    good = [
        hmac.compare_digest(told, said)
        for name, said in _signatures(secret, headers, body)
        for told in _told(headers, name).split()
    ]
    return repository if any(good) and stored else None


def _signatures(secret: str, headers: Mapping[str, str], body: bytes) -> Iterator[tuple[str, bytes]]:
    """Each header that proves who sent the body, and what it has to say."""
    digest = hmac.digest(secret.encode(), body, "sha256").hex().encode()
    yield "X-Hub-Signature-256", b"sha256=" + digest  # GitHub
    yield "X-Gitea-Signature", digest
    yield "X-Forgejo-Signature", digest
    yield "X-Gitlab-Token", secret.encode()
    key = base64.b64decode(secret.removeprefix(PREFIX))
    number, time = _told(headers, "Webhook-Id"), _told(headers, "Webhook-Timestamp")
    digest = hmac.digest(key, b".".join((number, time, body)), "sha256")
    yield "Webhook-Signature", b"v1," + base64.b64encode(digest)  # GitLab, as standardwebhooks.com has it


def _told(headers: Mapping[str, str], name: str) -> bytes:
    return headers.get(name, "").encode(errors="surrogateescape")


def _store(repository: Repository, secret: bytes | None) -> None:
    Repository.objects.filter(pk=repository.pk).update(hook_secret=secret)


@functools.cache
def _decoy() -> bytes:
    """The secret of whoever has none; nobody knows it."""
    return encrypted(Credentials("webhook", PREFIX + base64.b64encode(secrets.token_bytes(KEY)).decode()))
