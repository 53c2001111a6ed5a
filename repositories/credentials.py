"""The credentials of a remote: encrypted at rest, sent as one header, kept out of every message."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from dataclasses import dataclass

from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings

from repositories.cleaning import clean_line
from repositories.errors import RepositoryError


class CredentialsUnreadable(RepositoryError):
    """The stored credentials were encrypted with another key."""


@dataclass(frozen=True, slots=True)
class Credentials:
    """What a remote asks for; many hosts take any user name beside a token."""

    user: str
    token: str

    def __repr__(self) -> str:
        return "Credentials(…)"  # a traceback or a log line must not tell them

    @property
    def basic(self) -> str:
        """The value of basic authentication, which says no less than the token itself."""
        return base64.b64encode(f"{self.user}:{self.token}".encode()).decode()

    @property
    def header(self) -> str:
        """The request header that carries them."""
        return f"Authorization: Basic {self.basic}"

    @property
    def secrets(self) -> tuple[str, ...]:
        """Every spelling that must not be told."""
        return self.basic, self.token


def encrypted(credentials: Credentials) -> bytes:
    """The credentials as they are stored."""
    return _lock().encrypt(json.dumps([credentials.user, credentials.token]).encode())


def decrypted(stored: bytes) -> Credentials:
    """The credentials as they are sent. Raises CredentialsUnreadable."""
    try:
        user, token = json.loads(_lock().decrypt(stored))
    except InvalidToken as error:
        raise CredentialsUnreadable("The stored credentials cannot be read; enter them again.") from error
    return Credentials(user, token)


def scrub(text: str, *secrets: str) -> str:
    """A reason fit for a log: one line without the secrets, addresses of machines and paths of the server."""
    for secret in sorted(filter(None, secrets), key=len, reverse=True):
        text = text.replace(secret, "…")
    for pattern, instead in _TELLING:
        text = pattern.sub(instead, text)
    return clean_line(text, 500)


_TELLING = (
    (re.compile(r"(?i)(authorization:\s*\w+\s+)\S+"), r"\1…"),
    (re.compile(r"://[^/@\s]*@"), "://…@"),
    (
        re.compile(r"\b\d{1,3}(?:\.\d{1,3}){3}\b(?::\d+)?|\[?(?:[0-9A-Fa-f]{0,4}:){3,}[0-9A-Fa-f.:]*\]?"),
        "(address)",
    ),
    (re.compile(r"(?<![\w:/.])/(?:[^\s/'\":]+/)*[^\s/'\":]+"), "(path)"),
)


def _lock() -> Fernet:
    digest = hashlib.sha256(b"kintsugi credentials\0" + settings.CREDENTIALS_KEY.encode()).digest()
    return Fernet(base64.urlsafe_b64encode(digest))
