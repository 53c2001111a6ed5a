"""Which programs serve the embedded database, as whom, and what is said when none can."""

from __future__ import annotations

import os
import subprocess
import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from config.place import embedded_database
from config.postgres.account import Account, account_for
from config.postgres.errors import ServerFailed
from config.postgres.programs import OLDEST, find_programs
from config.postgres.server import Cluster, _connect, start, stop
from tests.environment import CHECKOUT

if TYPE_CHECKING:
    from collections.abc import Callable

NOBODY = 65534
DISTRIBUTION = max(
    (path for path in Path("/usr/lib/postgresql").glob("*/bin") if int(path.parent.name) >= OLDEST),
    key=lambda path: int(path.parent.name),
    default=None,
)

only_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")


def as_user(uid: int, act: Callable[[], object]) -> int:
    """The exit code of a child that acts as this user; a fork, as our Python may lie out of its reach."""
    with warnings.catch_warnings(action="ignore"):
        child = os.fork()
    if child == 0:
        try:
            os.setgroups([])
            os.setgid(uid)
            os.setuid(uid)
            act()
        except BaseException as error:  # noqa: BLE001 -- the child must not go on with the test run
            os.write(2, f"{error!r}\n".encode())
            os._exit(1)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def started_as(root: Path, **environment: str) -> str:
    """What a process with this environment says about its database, after Django is up."""
    ask = "import django; django.setup(); print(django.conf.settings.DATABASES['default']['ENGINE'])"
    kept = ("PATH", "LD_LIBRARY_PATH", "DJANGO_SETTINGS_MODULE")
    base = {name: os.environ[name] for name in kept if name in os.environ}
    done = subprocess.run(
        [sys.executable, "-c", ask],
        cwd=CHECKOUT,
        env={**base, "DATA_ROOT": str(root), **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return done.stdout.strip()


def fake_programs(folder: Path, version: str) -> str:
    folder.mkdir()
    for name in ("initdb", "pg_ctl", "postgres"):
        (folder / name).write_text(f"#!/bin/sh\necho '{name} (PostgreSQL) {version}'\n")
        (folder / name).chmod(0o755)
    folder.chmod(0o755)
    return str(folder)


@pytest.fixture
def wheel(settings: Any) -> Path:
    """The wheel's programs, or the copy that all users reach when this checkout is closed to them."""
    root = settings.DATA_ROOT
    return find_programs("", account_for(root / "postgres"), root).folder


@only_root
def test_an_ordinary_user_starts_it_as_himself(data_root: Path, wheel: Path) -> None:
    cluster = Cluster(data_root, str(wheel), durable=False)
    os.chown(data_root, NOBODY, NOBODY)

    def start_ask_stop() -> None:
        start(cluster)
        with _connect(cluster) as connection:
            assert connection.execute("select 6 * 7").fetchone() == (42,)
        assert cluster.data.stat().st_uid == NOBODY
        stop(cluster)
        cluster.sockets.rmdir()  # its name holds the user's number, so that root's clean-up misses it

    data_root.chmod(0o700)
    assert as_user(NOBODY, start_ask_stop) == 0


@only_root
def test_a_user_is_told_when_the_data_folder_is_not_his(data_root: Path, wheel: Path) -> None:
    def refused() -> None:
        with pytest.raises(ServerFailed, match="can't use"):
            start(Cluster(data_root, str(wheel)))

    assert as_user(NOBODY, refused) == 0


@only_root
def test_programs_in_a_closed_folder_are_copied_to_where_the_server_user_reaches_them(
    data_root: Path, wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = wheel.parent.parent
    tmp_path.chmod(0o700)
    for name in (package.name, f"{package.name}.libs"):
        (tmp_path / name).symlink_to(package.with_name(name))
    monkeypatch.syspath_prepend(tmp_path)
    account = account_for(data_root / "postgres")
    programs = find_programs("", account, data_root)
    assert programs.folder.is_relative_to(data_root)
    assert account.run(programs["initdb"], "--version").returncode == 0


@pytest.mark.skipif(DISTRIBUTION is None, reason="no PostgreSQL 15 of a distribution here")
def test_the_programs_of_a_distribution_serve_as_well(data_root: Path) -> None:
    cluster = Cluster(data_root, str(DISTRIBUTION), durable=False)
    start(cluster)
    major = int(DISTRIBUTION.parent.name)
    with _connect(cluster) as connection:
        assert connection.info.server_version // 10_000 == major
        assert connection.execute("select lower('ÉCOLE'), 'Z' < 'a'").fetchone() == ("école", True)


def test_a_folder_without_programs_is_named(data_root: Path) -> None:
    with pytest.raises(ServerFailed, match="no PostgreSQL programs in /nowhere"):
        start(Cluster(data_root, "/nowhere"))


def test_programs_older_than_15_are_refused(data_root: Path) -> None:
    old = fake_programs(data_root / "old", "14.9")
    with pytest.raises(ServerFailed, match="are PostgreSQL 14; 15 or newer is needed"):
        start(Cluster(data_root, old))


def test_data_of_another_version_is_refused_before_it_is_touched(data_root: Path) -> None:
    (data_root / "postgres").mkdir()
    (data_root / "postgres" / "PG_VERSION").write_text("16\n")
    with pytest.raises(ServerFailed, match="PostgreSQL 16 made"):
        start(Cluster(data_root, fake_programs(data_root / "new", "18.6")))


@only_root
def test_a_socket_folder_that_a_stranger_put_in_its_place_is_refused(data_root: Path) -> None:
    cluster = Cluster(data_root)
    cluster.sockets.mkdir()
    os.chown(cluster.sockets, 12345, 12345)
    with pytest.raises(ServerFailed, match="belongs to somebody else"):
        start(cluster)


def test_root_hands_the_server_to_the_owner_of_its_data(data_root: Path) -> None:
    if os.geteuid() == 0:
        os.chown(data_root, NOBODY, NOBODY)
    expected = "nobody" if os.geteuid() == 0 else account_for(data_root).name
    assert account_for(data_root) == Account(expected, data_root.stat().st_uid, account_for(data_root).gid)


def test_a_database_url_wins_over_the_embedded_server(data_root: Path) -> None:
    url = "postgres://someone:secret@db.example:5432/brain"
    assert started_as(data_root, DATABASE_URL=url) == "django.db.backends.postgresql"


def test_setting_django_up_starts_nothing(data_root: Path) -> None:
    assert started_as(data_root) == embedded_database(data_root)["ENGINE"] == "config.postgres"
    assert [path.name for path in data_root.iterdir()] == ["secret-key"]
