"""The bytes that go in and out of one process, served until its pipes close or a deadline passes."""

from __future__ import annotations

import os
import selectors
import time
from typing import IO, TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

CHUNK = 1 << 18  # bytes moved at once
WATCH_EVERY = 0.25  # seconds between two looks of a watcher


class DeadlinePassed(Exception):
    """The pipes were still open when the time was up."""


class Piece(NamedTuple):
    """Some bytes that the process wrote."""

    is_output: bool  # to stdout; else it is a complaint, to stderr
    text: bytes


class Pipes:
    """The three pipes of a process; `stdin` is None when it gets no input."""

    def __init__(self, stdin: IO[bytes] | None, stdout: IO[bytes], stderr: IO[bytes], text: bytes) -> None:
        self._stdin, self._stdout, self._stderr = stdin, stdout, stderr
        self._left = memoryview(text)

    def pieces(self, deadline: float, watch: Callable[[], None] | None) -> Iterator[Piece]:
        """What the process writes, as it comes; `deadline` counts as time.monotonic() does."""
        looked = time.monotonic()
        with selectors.DefaultSelector() as selector:
            self._register(selector)
            while selector.get_map():
                left = deadline - time.monotonic()
                if left <= 0:
                    raise DeadlinePassed
                for key, _ in selector.select(min(left, WATCH_EVERY)):
                    if text := self._serve(key, selector):
                        yield Piece(key.fileobj is self._stdout, text)
                if watch and time.monotonic() - looked >= WATCH_EVERY:
                    watch()
                    looked = time.monotonic()

    def close(self) -> None:
        """Close what is still open."""
        for pipe in (self._stdin, self._stdout, self._stderr):
            if pipe is not None:
                pipe.close()

    def _register(self, selector: selectors.BaseSelector) -> None:
        for pipe in (self._stdin, self._stdout, self._stderr):
            if pipe is not None:
                os.set_blocking(pipe.fileno(), False)
                event = selectors.EVENT_WRITE if pipe is self._stdin else selectors.EVENT_READ
                selector.register(pipe, event)

    def _serve(self, key: selectors.SelectorKey, selector: selectors.BaseSelector) -> bytes:
        if key.fileobj is self._stdin:
            self._feed(selector)
            return b""
        text = os.read(key.fd, CHUNK)
        if not text:
            selector.unregister(key.fileobj)
        return text

    def _feed(self, selector: selectors.BaseSelector) -> None:
        stdin = self._stdin
        if stdin is None:
            return
        try:
            self._left = self._left[os.write(stdin.fileno(), self._left[:CHUNK]) :]
        except BrokenPipeError:
            self._left = self._left[:0]  # it has read all it wants
        if not self._left:
            selector.unregister(stdin)
            stdin.close()
