"""Named points of a build: triggers of the database stop it there, without a word of the product's code."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import psycopg
from django.db import Error, connection

from config.place import embedded_database
from tests.crash.places import PATIENCE, Place, ask

PHASES = ("resolve", "list", "parse", "assemble", "write")
TABLES = ("brain_node", "brain_link", "brain_ref", "brain_text", "brain_problem")
COMMIT, HISTORY = "commit", "history"
POINTS = (*PHASES, "delete", *TABLES, COMMIT, HISTORY)
LOCK = 7_041  # an advisory lock that stopped builds wait for

_SET_UP = f"""
    CREATE TABLE IF NOT EXISTS crash_stop (point text, source bigint);
    CREATE TABLE IF NOT EXISTS crash_log (
        id bigserial, at timestamptz, source bigint, state text, commit text, job text, attempted text
    );
    CREATE OR REPLACE FUNCTION crash_stop() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE here bigint;
    BEGIN
        IF TG_LEVEL = 'ROW' THEN here := NEW.{{source}}; END IF;
        IF EXISTS (
            SELECT FROM crash_stop WHERE point = TG_ARGV[0] AND (here IS NULL OR source IS NULL OR source = here)
        ) THEN PERFORM pg_advisory_xact_lock({LOCK}); END IF;
        RETURN NEW;
    END $$;
"""
_LOG = """
    CREATE OR REPLACE FUNCTION crash_log() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        INSERT INTO crash_log (at, source, state, commit, job, attempted)
        VALUES (clock_timestamp(), NEW.id, NEW.state, NEW.commit, NEW.running->>'job', NEW.attempted_commit);
        RETURN NULL;
    END $$;
    CREATE TRIGGER crash_log AFTER UPDATE ON brain_source FOR EACH ROW
    WHEN ((NEW.state, NEW.commit, NEW.running->>'job', NEW.attempted_commit)
        IS DISTINCT FROM (OLD.state, OLD.commit, OLD.running->>'job', OLD.attempted_commit))
    EXECUTE FUNCTION crash_log();
"""


def set_up_stops() -> None:
    """Make the triggers of all points; none of them stops anything yet."""
    ask(_SET_UP.format(source="id"))
    ask(_LOG)
    for phase in PHASES:
        begun = f"NEW.progress->>'phase' = '{phase}' AND OLD.state = 'indexing'"
        is_new = "" if phase == "resolve" else f" AND OLD.progress->>'phase' <> '{phase}'"
        _trigger(phase, f"BEFORE UPDATE ON brain_source FOR EACH ROW WHEN ({begun}{is_new})")
    _trigger("delete", "BEFORE DELETE ON brain_node FOR EACH STATEMENT")
    for table in TABLES:
        _trigger(table, f"BEFORE INSERT ON {table} FOR EACH STATEMENT")
    _trigger(HISTORY, "BEFORE INSERT ON brain_build FOR EACH STATEMENT")
    deferred = "DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.commit <> OLD.commit)"
    _trigger(COMMIT, f"AFTER UPDATE ON brain_source {deferred}", constraint="CONSTRAINT")


def _trigger(point: str, when: str, *, constraint: str = "") -> None:
    ask(f"CREATE {constraint} TRIGGER stop_{point} {when} EXECUTE FUNCTION crash_stop('{point}')")


class Stop:
    """Holds builds at a point, from a session of its own, until it is let go."""

    def __init__(self, place: Place, point: str, source: int | None = None) -> None:
        told = embedded_database(place.root)
        self._session = psycopg.connect(
            host=told["HOST"], port=told["PORT"], user=told["USER"], dbname=told["NAME"], autocommit=True
        )
        self._session.execute("SELECT pg_advisory_lock(%s)", [LOCK])
        self._session.execute("INSERT INTO crash_stop VALUES (%s, %s)", [point, source])

    def stopped(self) -> int:
        """The backend of the build that stands at the point; 0 while none does."""
        waiting = self._session.execute(
            "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND objid = %s", [LOCK]
        ).fetchone()
        return int(waiting[0]) if waiting else 0

    def wait(self) -> int:
        """The same, once one does."""
        return int(eventually(self.stopped, "no build came to the point"))

    def let_go(self) -> None:
        """Let the build that stands there go on, and stop no other."""
        with suppress(psycopg.Error):  # the database was ended
            self._session.execute("DELETE FROM crash_stop")
        self._session.close()


@contextmanager
def stopping(place: Place, point: str, source: int | None = None) -> Iterator[Stop]:
    """A stop that is gone in the end, even when the database was."""
    stop = Stop(place, point, source)
    try:
        yield stop
    finally:
        stop.let_go()
        eventually(_forget_stops, "the database never came back")


def eventually(is_so: Callable[[], Any], otherwise: str) -> Any:
    """What this gives as soon as it gives something."""
    deadline = time.monotonic() + PATIENCE
    while not (answer := is_so()):
        assert time.monotonic() < deadline, otherwise
        time.sleep(0.05)
    return answer


def _forget_stops() -> bool:
    try:
        ask("DELETE FROM crash_stop")
    except Error:
        connection.close()
        return False
    return True
