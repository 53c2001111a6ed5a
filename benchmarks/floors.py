"""The floors of a build: what each of its stages costs with the tools it is made of and nothing around them.

Every floor works on the very input of the build it is compared with, in the same run:

    list+read     pygit2 walks the tree of the commit and reads every Markdown blob
    front matter  PyYAML's C loader reads the block at the head of every document
    parse         markdown-it-py finds the blocks of every document, on as many processes as a build uses
    history       `git log` of as many commits as a build reads, its output thrown away
    copy          binary COPY of the build's own rows into empty tables with the same indexes
    vectors       `to_tsvector` of the build's own words, into a table without an index
"""

from __future__ import annotations

import multiprocessing
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pygit2
import yaml
from django.db import connection, transaction
from markdown_it import MarkdownIt

TABLES = ("brain_node", "brain_link", "brain_ref", "brain_text")
COMMITS = 10_000
BATCH = 512 * 1024  # bytes of text that a process takes at a time

type Text = tuple[str, bytes]  # path and blob

_BLOCKS = MarkdownIt("commonmark").enable("table")
_BLOCKS.core.ruler.enableOnly(["normalize", "block"])


def floors(mirror: Path, commit: str, source_id: int, processes: int) -> dict[str, float]:
    """Seconds of each floor for a commit that has just been built for this source."""
    texts, reading = _timed(lambda: list(_read(mirror, commit)))
    return {
        "list+read": reading,
        "front matter": _timed(lambda: _front_matter(texts))[1],
        "parse": _timed(lambda: _parse(texts, processes))[1],
        "history": _timed(lambda: _history(mirror, commit))[1],
        "copy": _copy(source_id),
        "vectors": _vectors(texts),
    }


def size_of(mirror: Path, commit: str) -> int:
    """Bytes of all Markdown blobs of the commit."""
    return sum(len(blob) for _, blob in _read(mirror, commit))


def _timed[T](work: Callable[[], T]) -> tuple[T, float]:
    started = time.perf_counter()
    result = work()
    return result, time.perf_counter() - started


def _read(mirror: Path, commit: str) -> Iterator[Text]:
    repository = pygit2.Repository(str(mirror))
    waiting = [("", repository[commit].peel(pygit2.Tree))]
    while waiting:
        folder, tree = waiting.pop()
        for entry in tree:
            if isinstance(entry, pygit2.Tree):
                waiting.append((f"{folder}{entry.name}/", entry))
            elif isinstance(entry, pygit2.Blob) and str(entry.name).lower().endswith(".md"):
                yield f"{folder}{entry.name}", entry.data


def _front_matter(texts: Sequence[Text]) -> None:
    for _, blob in texts:
        if blob.startswith(b"---") and (end := blob.find(b"\n---", 3)) > 0:
            try:
                yaml.load(blob[3:end], Loader=yaml.CSafeLoader)
            except yaml.YAMLError:
                continue


def _parse(texts: Sequence[Text], processes: int) -> None:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    with ProcessPoolExecutor(processes, mp_context=context) as pool:
        for _ in pool.map(_blocks, _batches(texts)):
            pass


def _blocks(batch: Sequence[bytes]) -> int:
    return sum(len(_BLOCKS.parse(blob.decode(errors="replace"), {})) for blob in batch)


def _batches(texts: Sequence[Text]) -> Iterator[list[bytes]]:
    batch: list[bytes] = []
    size = 0
    for _, blob in texts:
        batch.append(blob)
        size += len(blob)
        if size >= BATCH:
            yield batch
            batch, size = [], 0
    yield batch


def _history(mirror: Path, commit: str) -> None:
    log = (
        "log",
        "-z",
        "--name-only",
        "--no-renames",
        "--no-merges",
        "--format=%H %ct",
        f"-n{COMMITS}",
        commit,
    )
    subprocess.run(("git", "--git-dir", str(mirror), *log), check=True, stdout=subprocess.DEVNULL)


def _copy(source_id: int) -> float:
    seconds = 0.0
    with _scratch() as cursor:
        for table in TABLES:
            cursor.execute(f"CREATE TABLE floor (LIKE {table} INCLUDING INDEXES)")
            rows = f"COPY (SELECT * FROM {table} WHERE source_id = {source_id}) TO STDOUT (FORMAT BINARY)"
            with cursor.copy(rows) as out:
                kept = [bytes(piece) for piece in out]
            started = time.perf_counter()
            with cursor.copy("COPY floor FROM STDIN (FORMAT BINARY)") as into:
                for piece in kept:
                    into.write(piece)
            seconds += time.perf_counter() - started
            cursor.execute("DROP TABLE floor")
    return seconds


def _vectors(texts: Sequence[Text]) -> float:
    with _scratch() as cursor:
        cursor.execute("CREATE TEMP TABLE floor_text (body text)")
        cursor.execute("CREATE TEMP TABLE floor_vector (vector tsvector)")
        with cursor.copy("COPY floor_text FROM STDIN (FORMAT BINARY)") as copy:
            copy.set_types(["text"])
            for _, blob in texts:
                copy.write_row((blob[:400_000].decode(errors="replace").replace("\0", " "),))
        make = "INSERT INTO floor_vector SELECT to_tsvector('simple', body) FROM floor_text"
        return _timed(lambda: cursor.execute(make))[1]


@contextmanager
def _scratch() -> Iterator[Any]:
    """A cursor whose tables and rows are gone afterwards."""
    with transaction.atomic(), connection.cursor() as cursor:
        yield cursor
        transaction.set_rollback(True)
