"""The embedded server: it is there when it is asked, whatever happened before."""

from __future__ import annotations

import contextlib
import os
import signal
import stat
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import psutil
import psycopg
import pytest
from django.db.utils import ConnectionHandler

from config.place import embedded_database
from config.postgres.server import Cluster, is_alive, start, stop
from tests.environment import CHECKOUT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

type Query = Callable[..., Any]

STARTED = "select pg_postmaster_start_time()::text"
START_AND_ASK = f"""
import sys, pathlib, psycopg
from config.place import embedded_database
from config.postgres.server import Cluster, start
root = pathlib.Path(sys.argv[1])
start(Cluster(root, durable=False))
place = embedded_database(root)
with psycopg.connect(host=place["HOST"], user=place["USER"], dbname=place["NAME"]) as connection:
    print(connection.execute("{STARTED}").fetchone()[0])
"""


@pytest.fixture
def cluster(shared_root: Path) -> Cluster:
    """A server that has run before and has one row to lose."""
    cluster = Cluster(shared_root)
    start(cluster)
    with connected(cluster) as connection:
        connection.execute("create table if not exists kept (word text primary key)")
        connection.execute("insert into kept values ('gold') on conflict do nothing")
    return cluster


@pytest.fixture
def query(shared_root: Path, django_db_blocker: Any, settings: Any) -> Query:
    """Ask through Django, by a connection opened for this question."""

    def ask(sql: str, root: Path = shared_root) -> Any:
        settings.DATA_ROOT = root
        database = ConnectionHandler({"default": embedded_database(root)})["default"]
        with django_db_blocker.unblock(), database.cursor() as cursor:
            cursor.execute(sql)
            answer = cursor.fetchone()[0]
        database.close()
        return answer

    return ask


def connected(cluster: Cluster) -> psycopg.Connection[Any]:
    place = embedded_database(cluster.root)
    return psycopg.connect(host=place["HOST"], user=place["USER"], dbname=place["NAME"])


def processes_of(cluster: Cluster) -> list[psutil.Process]:
    """The postmaster, then its children."""
    postmaster = psutil.Process(int((cluster.data / "postmaster.pid").read_text().split()[0]))
    return [postmaster, *postmaster.children()]


def start_in_a_process(root: Path) -> subprocess.Popen[str]:
    argv = [sys.executable, "-c", START_AND_ASK, str(root)]
    return subprocess.Popen(argv, cwd=CHECKOUT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_the_first_query_makes_and_starts_the_server(data_root: Path, query: Query) -> None:
    assert not (data_root / "postgres").exists()
    assert query("select current_database()", data_root) == "kintsugi"
    assert query("select rolsuper from pg_roles where rolname = current_user", data_root) is True


def test_it_sorts_and_folds_the_same_on_every_machine(cluster: Cluster, query: Query) -> None:
    assert query("select lower('ÉCOLE')") == "école"
    assert query("select array_agg(w order by w) from unnest(array['é', 'b', 'Z', 'a']) w") == [
        "Z",
        "a",
        "b",
        "é",
    ]
    assert query("show listen_addresses") == ""


def test_only_its_own_user_reaches_data_and_socket(cluster: Cluster) -> None:
    assert mode_of(cluster.data) == mode_of(cluster.sockets) == 0o700
    assert cluster.data.stat().st_uid == cluster.sockets.stat().st_uid != 0
    assert processes_of(cluster)[0].uids().real == cluster.data.stat().st_uid


def test_it_does_not_inherit_our_secrets(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    stop(cluster)
    monkeypatch.setenv("SECRET_KEY", "told to nobody")
    monkeypatch.setenv("PGDATA", "/somewhere/else")
    start(cluster)
    assert {"SECRET_KEY", "PGHOST"}.isdisjoint(processes_of(cluster)[0].environ())


def test_after_a_clean_stop_the_next_query_starts_it_again(cluster: Cluster, query: Query) -> None:
    stop(cluster)
    assert not is_alive(cluster)
    assert query("select word from kept") == "gold"


def test_stopping_what_does_not_run_is_no_error(cluster: Cluster) -> None:
    stop(cluster)
    stop(cluster)


def test_no_row_is_lost_when_all_its_processes_are_killed(cluster: Cluster, query: Query) -> None:
    for process in processes_of(cluster):
        with contextlib.suppress(psutil.NoSuchProcess):  # children may go with their parent
            process.kill()
    assert query("select word from kept") == "gold"


def test_no_row_is_lost_when_only_the_postmaster_is_killed(cluster: Cluster, query: Query) -> None:
    with connected(cluster) as idle:
        processes_of(cluster)[0].kill()
        assert query("select word from kept") == "gold"
        idle.close()


def test_an_orphan_in_the_middle_of_a_query_does_not_keep_the_new_server_out(
    cluster: Cluster, query: Query
) -> None:
    with connected(cluster) as busy:
        busy.pgconn.send_query(b"select count(*) from generate_series(1, 1000000000)")
        processes_of(cluster)[0].kill()
        assert query("select word from kept") == "gold"
        busy.close()


@pytest.mark.parametrize("lie", [str(os.getpid()), "1", "4194000", ""])
def test_a_pid_file_that_names_another_process_is_not_believed(
    lie: str, cluster: Cluster, query: Query
) -> None:
    stop(cluster)
    (cluster.data / "postmaster.pid").write_text(f"{lie}\n{cluster.data}\n")
    (cluster.sockets / ".s.PGSQL.5432.lock").write_text(f"{lie}\n")
    assert query("select word from kept") == "gold"


def test_a_socket_that_was_swept_away_comes_back(cluster: Cluster, query: Query) -> None:
    for path in cluster.sockets.iterdir():
        path.unlink()
    assert query("select word from kept") == "gold"


def test_a_crashed_connection_is_recovered_from_without_a_second_server(
    cluster: Cluster, query: Query
) -> None:
    before = processes_of(cluster)[0].pid
    with connected(cluster) as victim:
        os.kill(victim.info.backend_pid, signal.SIGKILL)
        assert query("select word from kept") == "gold"
        victim.close()
    assert processes_of(cluster)[0].pid == before


def test_a_database_that_is_not_there_is_said_to_be_missing(cluster: Cluster, django_db_blocker: Any) -> None:
    place = {**embedded_database(cluster.root), "NAME": "never-made"}
    database = ConnectionHandler({"default": place})["default"]
    with django_db_blocker.unblock(), pytest.raises(Exception, match='"never-made" does not exist'):
        database.ensure_connection()


def test_processes_that_start_it_at_once_share_one_server(data_root: Path) -> None:
    starters = [start_in_a_process(data_root) for _ in range(4)]
    answers = [starter.communicate(timeout=60)[0] for starter in starters]
    assert [starter.returncode for starter in starters] == [0, 0, 0, 0], answers
    assert len(set(answers)) == 1


def test_it_outlives_its_starter_and_holds_none_of_its_pipes(data_root: Path) -> None:
    starter = start_in_a_process(data_root)
    output, _ = starter.communicate(timeout=10)  # ends only when every holder of the pipe has closed it
    assert starter.returncode == 0, output
    assert is_alive(Cluster(data_root))
