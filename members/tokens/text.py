"""What a token looks like: scanners find it by its form, and a typing error shows without a look-up."""

from __future__ import annotations

import hashlib
import re
import secrets
import string
import zlib

PREFIX = "ktb_"
SECRET = 32  # letters, 190 bits
CHECKSUM = 6  # letters
HINT = 8  # letters that lists may show
ALPHABET = string.digits + string.ascii_uppercase + string.ascii_lowercase
FORM = re.compile(f"{PREFIX}[0-9A-Za-z]{{{SECRET}}}_[0-9A-Za-z]{{{CHECKSUM}}}")


def draw() -> str:
    """A new token."""
    said = PREFIX + "".join(secrets.choice(ALPHABET) for _ in range(SECRET))
    return f"{said}_{checksum(said)}"


def is_well_formed(raw: str) -> bool:
    """Whether this could be a token: its form and its checksum are right."""
    said, _, check = raw.rpartition("_")
    return FORM.fullmatch(raw) is not None and secrets.compare_digest(checksum(said), check)


def digest_of(raw: str) -> str:
    """The SHA-256 that is kept instead of it; so many bits at random need no slower hash."""
    return hashlib.sha256(raw.encode()).hexdigest()


def checksum(said: str) -> str:
    """The CRC-32 of what stands before it, in base 62 of a fixed width."""
    number, letters = zlib.crc32(said.encode()), ""
    for _ in range(CHECKSUM):
        number, rest = divmod(number, len(ALPHABET))
        letters = ALPHABET[rest] + letters
    return letters
