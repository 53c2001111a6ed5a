"""What can go wrong between a remote and a reader, in the words of Git."""

from __future__ import annotations


class RepositoryError(Exception):
    """A refusal or a failure of this app; its text may be shown to a person."""


class RemoteRefused(RepositoryError):
    """The remote's address breaks a rule; the text says which one."""


class FetchFailed(RepositoryError):
    """A sync ended without a new state.

    `code` is a value of `Repository.Outcome`; the text is the fixed sentence of that code, and `detail`
    is the scrubbed reason for logs.
    """

    def __init__(self, code: str, message: str, detail: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.detail = detail


class MirrorBusy(RepositoryError):
    """Another sync of the same repository is running."""


class MirrorMissing(RepositoryError):
    """The repository has no mirror on this machine yet."""


class MirrorDamaged(RepositoryError):
    """The mirror is no repository any more, or an object in it cannot be read."""


class BranchMissing(RepositoryError):
    """The mirror has no such branch."""


class CommitMissing(RepositoryError):
    """The mirror does not hold the commit or the blob that is asked for."""


class TreesUnread(RepositoryError):
    """What differs between two commits cannot be read, or not within its limits."""
