"""Refusals in the Brain's words; `config/errors.py` gives each its status and code."""


class Refusal(Exception):
    """A read or a build that cannot be answered as asked; its text says what to do next."""


class InvalidArgument(Refusal):
    """An argument is not of its form; `field` names it."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


class BrainOff(Refusal):
    """The Brain is turned off: its tree is kept, reads are refused."""


class NotBuilt(Refusal):
    """No build has succeeded yet, so there is no tree to read."""


class NodeNotFound(Refusal):
    """The indexed commit has no such node."""


class CommitUnavailable(Refusal):
    """The mirror no longer holds the indexed commit."""


class BuildFailed(Exception):
    """A build that ended without a tree; `code` is what people may know of it."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
