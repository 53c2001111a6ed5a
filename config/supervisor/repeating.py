"""What is done again and again beside the loop: in threads, as a database that hangs must hold up nothing."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from django.db import Error, close_old_connections, connections

IN_GOOD_TIMES = 5.0  # seconds: no call takes longer while the database is well

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Round:
    """A call, how often it is made, and what to do when it could not ask the database."""

    call: Callable[[], object]
    seconds: float  # between the end of one and the next
    failed: Callable[[], object] = lambda: None


@contextmanager
def repeating(rounds: Sequence[Round]) -> Iterator[None]:
    """Repeat each of these until the end of the block, whatever they raise."""
    over = threading.Event()
    threads = [threading.Thread(target=_repeat, args=(one, over), daemon=True) for one in rounds]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join(timeout=IN_GOOD_TIMES)


def _repeat(one: Round, over: threading.Event) -> None:
    while not over.wait(one.seconds):
        try:
            close_old_connections()
            one.call()
        except Error as error:  # the database restarts; the portal and the clusters say so, too
            logger.info("The database can't be asked: %s", error)
            one.failed()
        except Exception:
            logger.exception("A round of the supervisor failed.")
            one.failed()
    connections.close_all()
