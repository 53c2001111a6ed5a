"""The embedded server: start it, stop it, ask whether it is alive."""

from __future__ import annotations

import fcntl
import os
import shlex
import shutil
import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import psycopg
from psycopg.sql import SQL, Identifier

from config.place import embedded_database, private_folder, socket_folder
from config.postgres.account import Account, account_for
from config.postgres.errors import ServerFailed
from config.postgres.programs import Programs, find_programs
from config.postgres.remains import clear_remains, postmaster_runs

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PATIENCE = 60.0  # seconds that a server may take to start, recover or stop
SAME_EVERYWHERE = (
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--locale=C",
)  # since PostgreSQL 17
NOT_DURABLE = ("-c", "fsync=off", "-c", "synchronous_commit=off", "-c", "full_page_writes=off")


@dataclass(frozen=True, slots=True)
class Cluster:
    """One server: the folder all it needs lies below, and which programs serve it."""

    root: Path
    programs: str = ""  # the folder KINTSUGI_PG_BIN names; empty: the wheel's
    durable: bool = True  # False: quick, and lost with the machine, as tests may be

    @property
    def data(self) -> Path:
        return self.root.resolve() / "postgres"

    @property
    def log(self) -> Path:
        return self.data / "server.log"

    @property
    def sockets(self) -> Path:
        return socket_folder(self.root)


def start(cluster: Cluster) -> None:
    """See that the server answers and has its database; whoever comes second only waits."""
    with _alone(cluster):
        if not _answers_in_the_end(cluster):
            _launch(cluster)
        _make_database(cluster)


def stop(cluster: Cluster) -> None:
    """Stop the server, if it runs: clients are cut off, nothing that was committed is lost."""
    if not cluster.data.exists():
        return
    with _alone(cluster):
        if postmaster_runs(cluster.data):
            account = account_for(cluster.data)
            _halt(cluster, account, find_programs(cluster.programs, account, cluster.data.parent))


def is_alive(cluster: Cluster) -> bool:
    """Whether a server answers; only a real connection tells, a pid file doesn't."""
    try:
        _connect(cluster).close()
    except psycopg.OperationalError as refusal:
        # "too many clients" is an answer too; "the database system is starting up" isn't one yet
        return "FATAL" in str(refusal) and "the database system is" not in str(refusal)
    return True


def _connect(cluster: Cluster) -> psycopg.Connection[Any]:
    place = embedded_database(cluster.root)
    return psycopg.connect(
        host=place["HOST"],
        port=place["PORT"],
        user=place["USER"],
        dbname="postgres",
        requirepeer=account_for(cluster.data).name,
        connect_timeout=5,
        autocommit=True,
    )


@contextmanager
def _alone(cluster: Cluster) -> Iterator[None]:
    """Of all processes, one at a time; the lock goes with its holder, however that ends."""
    try:
        private_folder(cluster.root)
        descriptor = os.open(cluster.root / "postgres.lock", os.O_RDWR | os.O_CREAT, 0o600)
    except PermissionError as error:
        raise ServerFailed(f"The embedded PostgreSQL can't use {cluster.root}: {error}") from None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _answers_in_the_end(cluster: Cluster) -> bool:
    deadline = time.monotonic() + PATIENCE
    while not is_alive(cluster):
        if not (postmaster_runs(cluster.data) and any(cluster.sockets.glob(".s.PGSQL*"))):
            return False
        if time.monotonic() > deadline:
            raise ServerFailed(f"The embedded PostgreSQL does not answer; its log is {cluster.log}.")
        time.sleep(0.05)
    return True


def _launch(cluster: Cluster) -> None:
    account = account_for(cluster.data)
    programs = find_programs(cluster.programs, account, cluster.data.parent)
    _refuse_data_of_another_version(cluster, programs)
    if postmaster_runs(cluster.data):  # somebody swept its socket away
        _halt(cluster, account, programs)
    _own_folder(cluster.sockets, account)
    if not cluster.data.exists():
        _initialise(cluster, account, programs)
    clear_remains(cluster.data, cluster.sockets)
    options = ["-k", str(cluster.sockets), "-p", "5432", "-c", "listen_addresses="]
    options += [] if cluster.durable else NOT_DURABLE
    # The log file takes the server's output, so that it holds no pipe of whoever started it.
    _pg_ctl(cluster, account, programs, "start", "-l", str(cluster.log), "-o", shlex.join(options))


def _halt(cluster: Cluster, account: Account, programs: Programs) -> None:
    _pg_ctl(cluster, account, programs, "stop", "-m", "fast")


def _pg_ctl(cluster: Cluster, account: Account, programs: Programs, verb: str, *options: str) -> None:
    wait = ("-w", "-t", f"{PATIENCE:.0f}")
    done = account.run(programs["pg_ctl"], verb, "-D", cluster.data, *wait, *options)
    if done.returncode:
        raise ServerFailed(
            f"The embedded PostgreSQL did not {verb} ({_last_line(done.stdout)}); its log is {cluster.log}."
        )


def _initialise(cluster: Cluster, account: Account, programs: Programs) -> None:
    """Make the data folder beside its place and move it there, so that a half-made one is never used."""
    fresh = cluster.data.with_name("postgres.new")
    if fresh.exists():
        shutil.rmtree(fresh)
    _own_folder(fresh, account)
    locale = SAME_EVERYWHERE if programs.major >= 17 else ("--locale=C.UTF-8",)
    user = embedded_database(cluster.root)["USER"]
    done = account.run(
        programs["initdb"], "-D", fresh, "-U", user, "-A", "trust", "-E", "UTF8", "--no-sync", *locale
    )
    if done.returncode:
        raise ServerFailed(
            f"The embedded PostgreSQL could not be set up in {fresh}: {_last_line(done.stdout)}"
        )
    fresh.rename(cluster.data)


def _refuse_data_of_another_version(cluster: Cluster, programs: Programs) -> None:
    marked = cluster.data / "PG_VERSION"
    if marked.exists() and (maker := int(marked.read_text())) != programs.major:
        raise ServerFailed(
            f"PostgreSQL {maker} made {cluster.data}, but {programs.folder} is {programs.major}: "
            "dump the data with the one and load it with the other."
        )


def _make_database(cluster: Cluster) -> None:
    name = embedded_database(cluster.root)["NAME"]
    with _connect(cluster) as connection:
        if not connection.execute("select 1 from pg_database where datname = %s", [name]).fetchone():
            connection.execute(SQL("create database {}").format(Identifier(name)))


def _own_folder(path: Path, account: Account) -> None:
    """A folder for this account alone; one that a stranger put there is refused, as /tmp is open to all."""
    path.mkdir(mode=0o700, exist_ok=True)
    if path.is_symlink() or path.stat().st_uid not in (os.geteuid(), account.uid):
        raise ServerFailed(f"{path} belongs to somebody else: remove it.")
    account.own(path)
    path.chmod(0o700)


def _last_line(output: str) -> str:
    lines = output.strip().splitlines()
    return lines[-1][:300] if lines else "no word of why"
