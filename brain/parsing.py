"""Parsing many documents: in processes, each document within a budget of CPU time."""

from __future__ import annotations

import multiprocessing
import signal
import threading
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from itertools import chain, islice
from typing import Any

from brain.markdown.documents import Parsed, bare_document, parse
from brain.markdown.problems import Problem
from repositories.confinement import end_with_parent

DOCUMENT_SECONDS = 2.0  # of CPU time, not of the clock: a busy machine must not change the tree
BATCH_BYTES = 512 * 1024
SMALL_BYTES = 768 * 1024  # less text than this is parsed here: processes would take longer to start
BATCHES_AHEAD = 3  # a process

type Text = tuple[str, bytes]  # path and blob


class _OverBudget(BaseException):
    """Raised by the timer inside a parse; no `except Exception` on the way may swallow it."""


def parse_all(texts: Iterable[Text], *, processes: int, not_prefixes: Collection[str]) -> Iterator[Parsed]:
    """The documents of these texts, in their order; texts are taken only as fast as they are parsed."""
    batches = _batches(texts)
    first = list(islice(batches, 2))
    small = len(first) < 2 and sum(len(blob) for batch in first for _, blob in batch) < SMALL_BYTES
    if small and threading.current_thread() is threading.main_thread():
        yield from (parse_within_budget(path, blob, not_prefixes) for batch in first for path, blob in batch)
        return
    yield from _in_processes(chain(first, batches), processes, tuple(not_prefixes))


def parse_within_budget(
    path: str, blob: bytes, not_prefixes: Collection[str], seconds: float = DOCUMENT_SECONDS
) -> Parsed:
    """The document, or one without sections when its text takes longer than `seconds` of CPU time.

    Only for a process's main thread, where signals arrive.
    """
    try:
        with _budget(seconds):
            return parse(path, blob, not_prefixes=not_prefixes)
    except _OverBudget:
        message = f"Parsing took more than {seconds:g} s; the document has no sections and no links."
        return bare_document(path, blob, Problem(path, None, "too-slow", message))


@contextmanager
def _budget(seconds: float) -> Iterator[None]:
    def stop(*_: Any) -> None:
        raise _OverBudget

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _batches(texts: Iterable[Text]) -> Iterator[list[Text]]:
    batch: list[Text] = []
    size = 0
    for text in texts:
        batch.append(text)
        size += len(text[1])
        if size >= BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _in_processes(
    batches: Iterator[list[Text]], processes: int, not_prefixes: tuple[str, ...]
) -> Iterator[Parsed]:
    # A fork server forks from a process without threads, and has the parser loaded already.
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["brain.parsing"])
    with ProcessPoolExecutor(processes, mp_context=context, initializer=end_with_parent) as pool:
        waiting: deque[Future[list[Parsed]]] = deque()
        try:
            for batch in batches:
                waiting.append(pool.submit(_parse_batch, batch, not_prefixes))
                if len(waiting) >= processes * BATCHES_AHEAD:
                    yield from waiting.popleft().result()
            while waiting:
                yield from waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()


def _parse_batch(batch: Sequence[Text], not_prefixes: tuple[str, ...]) -> list[Parsed]:
    return [parse_within_budget(path, blob, not_prefixes) for path, blob in batch]
