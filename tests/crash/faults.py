"""R-02: the k-th answer of the database, or of Git, never comes."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

import psycopg
import pygit2

SEVERED, REFUSED, UNHEARD = "severed", "refused", "unheard"
# The driver's generators that ask one thing and get one answer; the others are the pieces of a COPY.
_ASKS = ("_execute_gen", "_commit_gen", "_start_copy_gen", "_executemany_gen", "_rollback_gen")
_OF_REPOSITORY = ("lookup_reference", "walk", "descendant_of", "raw_listall_references", "__init__")
_OF_OBJECTS = ("read", "read_header", "__contains__")


@dataclass(slots=True)
class Fault:
    """Comes at the k-th turn, once; with k = 0 never, so that the turns are counted."""

    at: int
    turns: int = 0

    def is_now(self) -> bool:
        """Whether this turn is the one."""
        self.turns += 1
        return self.turns == self.at


@contextmanager
def database_fault(at: int, how: str) -> Iterator[Fault]:
    """Every exchange with the server is a turn, COPY and COMMIT too.

    `severed`: the connection is gone. `refused`: the server answers with an error. `unheard`: it does what it
    was asked, and its answer is lost with the connection.
    """
    fault, wait = Fault(at), psycopg.Connection.wait

    def faulty(self: psycopg.Connection, generator: Any, *rest: Any, **named: Any) -> Any:
        name = generator.__name__
        if name.startswith("_set_") or (how == REFUSED and name not in _ASKS):  # the former say nothing
            return wait(self, generator, *rest, **named)
        if not fault.is_now():
            return wait(self, generator, *rest, **named)
        if how == REFUSED:
            generator.close()
            raise psycopg.errors.DeadlockDetected("deadlock detected")
        if how == UNHEARD:
            wait(self, generator, *rest, **named)
        generator.close()
        self.pgconn.finish()
        raise psycopg.OperationalError("server closed the connection unexpectedly")

    with patch.object(psycopg.Connection, "wait", faulty):
        yield fault


@contextmanager
def git_fault(at: int, how: str) -> Iterator[Fault]:
    """Every object and reference that is read is a turn, and every start of Git itself."""
    fault = Fault(at)

    class Objects:
        """The object database of a repository, with its faults."""

        def __init__(self, odb: Any) -> None:
            self._odb = odb

        def __getattr__(self, name: str) -> Any:
            found = getattr(self._odb, name)
            return (
                _faulty(found, fault, pygit2.GitError("object is corrupt")) if name in _OF_OBJECTS else found
            )

        def __contains__(self, oid: object) -> bool:
            return _faulty(self._odb.__contains__, fault, pygit2.GitError("object is corrupt"))(oid)

    inner = pygit2.Repository.odb
    with ExitStack() as stack:
        odb = property(lambda self: Objects(inner.__get__(self)))
        stack.enter_context(patch.object(pygit2.Repository, "odb", odb, create=True))
        for name in _OF_REPOSITORY:
            method = _faulty(getattr(pygit2.Repository, name), fault, pygit2.GitError("could not read"))
            stack.enter_context(patch.object(pygit2.Repository, name, _as_method(method), create=True))
        started = _faulty(subprocess.Popen.__init__, fault, OSError("Cannot allocate memory"))
        stack.enter_context(patch.object(subprocess.Popen, "__init__", _as_method(started)))
        yield fault


def _faulty(call: Callable[..., Any], fault: Fault, error: Exception) -> Callable[..., Any]:
    def called(*arguments: Any, **named: Any) -> Any:
        if fault.is_now():
            raise error
        return call(*arguments, **named)

    return called


def _as_method(call: Callable[..., Any]) -> Callable[..., Any]:
    def method(self: Any, *arguments: Any, **named: Any) -> Any:
        return call(self, *arguments, **named)

    return method
