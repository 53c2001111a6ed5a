"""What the complaints of git mean, and what of them is told to whom."""

from __future__ import annotations

import contextlib
import re
from typing import TYPE_CHECKING

from repositories.credentials import scrub
from repositories.errors import FetchFailed
from repositories.git import GitFailed
from repositories.models import Repository
from repositories.processes import OutputTooLarge, ProcessTimeout

if TYPE_CHECKING:
    from collections.abc import Iterator

    from repositories.mirrors.remotes import Reach

Outcome = Repository.Outcome
SENTENCES = {
    Outcome.REFUSED: "The address of the repository is not allowed.",
    Outcome.AUTH: "The remote refused the credentials.",
    Outcome.TIMEOUT: "The remote was too slow.",
    Outcome.TOO_LARGE: "The repository is larger than a mirror may be.",
    Outcome.DISK: "There is not enough disk space for a fetch.",
    Outcome.FAILED: "The remote could not be fetched.",
}
SHALLOW = "The source is a shallow clone; a mirror needs its whole history."

# The first that fits. Whatever keeps a connection from being made reads alike, or the remote's owner could
# use this server to look around in its network.
_MEANINGS = (
    (
        re.compile(rb"Failed to connect|Could not resolve|Couldn't connect|Connection timed out"),
        Outcome.FAILED,
    ),
    (re.compile(rb"No space left on device|Disk quota exceeded"), Outcome.DISK),
    (
        re.compile(rb"Authentication failed|could not read (?:Username|Password)|error: 40[13]\b"),
        Outcome.AUTH,
    ),
    (re.compile(rb"Operation too slow|Operation timed out"), Outcome.TIMEOUT),
)
_SHALLOW = re.compile(
    rb"shallow update not allowed|shallow roots are not allowed|attempt to fetch/clone from a shallow"
)


@contextlib.contextmanager
def explained(reach: Reach) -> Iterator[None]:
    """Turn the end of a git process into FetchFailed: a fixed sentence for people, the rest for the log."""
    try:
        yield
    except ProcessTimeout as error:
        raise FetchFailed(Outcome.TIMEOUT, SENTENCES[Outcome.TIMEOUT], str(error)) from None
    except OutputTooLarge as error:
        raise FetchFailed(Outcome.TOO_LARGE, SENTENCES[Outcome.TOO_LARGE], str(error)) from None
    except GitFailed as error:
        code = meaning_of(error.stderr)
        sentence = SHALLOW if means_shallow(error.stderr) else SENTENCES[code]
        secrets = reach.credentials.secrets if reach.credentials else ()
        # Without a cause: the complaint of git holds what the log must not.
        raise FetchFailed(code, sentence, scrub(error.stderr.decode(errors="replace"), *secrets)) from None


def meaning_of(stderr: bytes) -> Outcome:
    """The outcome that a complaint of git stands for."""
    return next((outcome for pattern, outcome in _MEANINGS if pattern.search(stderr)), Outcome.FAILED)


def means_shallow(stderr: bytes) -> bool:
    """Whether the remote lacks a part of its history, which git warns of and calls no failure."""
    return _SHALLOW.search(stderr) is not None
