"""Readers that never rest: what they are answered has to be of one commit, whatever happens beside them."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import Error, connection

from brain.reads.backlinks import read_backlinks
from brain.reads.grep import grep
from brain.reads.read import read_node
from brain.reads.tree import read_tree
from brain.store import Store, database_store
from tests.crash.tally import Row
from tests.crash.worlds import DOCUMENTS, World, path_of

PAUSE = 0.02  # seconds between two visits of one reader


@contextmanager
def probed(world: World, row: Row, *, readers: int = 1, may_be_away: bool = False) -> Iterator[None]:
    """Read all the while; `may_be_away`: the database may refuse, and then is asked again."""
    ended, told = threading.Event(), {"may_be_away": may_be_away}
    threads = [
        threading.Thread(target=_read, args=(world, row, ended, random.Random(number)), kwargs=told)
        for number in range(readers)
    ]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        ended.set()
        for thread in threads:
            thread.join()


def _read(world: World, row: Row, ended: threading.Event, rng: random.Random, *, may_be_away: bool) -> None:
    try:
        while not ended.is_set():
            _visit(world, row, rng, may_be_away=may_be_away)
            time.sleep(PAUSE)
    finally:
        connection.close()


def _visit(world: World, row: Row, rng: random.Random, *, may_be_away: bool) -> None:
    try:
        with database_store(world.project) as seen:
            answers = list(_answers(seen, rng))
    except Error as error:
        connection.close()
        if may_be_away:
            row.counts["away"] += 1
        else:
            row.note("mixed", f"the database: {error!r}")
        return
    except Exception as error:  # noqa: BLE001 (whatever it is, a reader was not answered)
        row.note("mixed", f"no answer: {error!r}")
        return
    row.counts["probes"] += len(answers)
    commits = {answer.envelope.commit for answer in answers}
    if len(commits) != 1:
        row.note("mixed", f"commits {commits}")
    for answer in answers:
        wrong = world.mixed(answer, answer.envelope.commit)
        row.note(
            "mixed", f"{type(answer).__name__} of {answer.envelope.commit[:8]} holds {wrong}" if wrong else ""
        )


def _answers(seen: Store, rng: random.Random) -> Iterator[object]:
    path = path_of(rng.randrange(DOCUMENTS))
    yield read_tree(seen)
    yield read_tree(seen, "guide/", depth=2)
    yield read_node(seen, path)
    yield read_backlinks(seen, path)
    yield grep(seen, "words")
