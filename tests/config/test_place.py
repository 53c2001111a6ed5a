"""Where an installation keeps its data, and who may look at it."""

from __future__ import annotations

import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from config.place import default_data_root, kept_secret, private_folder, socket_folder

AS_ROOT = os.geteuid() == 0


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_each_checkout_has_a_data_folder_of_its_own() -> None:
    assert default_data_root(Path("/srv/one")) != default_data_root(Path("/srv/two"))
    assert default_data_root(Path("/srv/one")) == default_data_root(Path("/srv/one"))


def test_the_data_folder_lies_where_the_server_user_can_reach_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", "/home/someone/state")
    parent = "/var/tmp" if AS_ROOT else "/home/someone/state"
    assert default_data_root(Path("/srv/one")).parent == Path(parent)


def test_only_its_owner_lists_the_data_folder(tmp_path: Path) -> None:
    private_folder(tmp_path / "state" / "data")
    assert mode_of(tmp_path / "state" / "data") == (0o711 if AS_ROOT else 0o700)


def test_a_data_folder_that_exists_keeps_what_its_owner_allowed(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data").chmod(0o755)
    private_folder(tmp_path / "data")
    assert mode_of(tmp_path / "data") == 0o755


@pytest.mark.skipif(not AS_ROOT, reason="only root can give a folder away")
def test_a_folder_that_a_stranger_put_in_a_public_place_is_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0o1777)
    (tmp_path / "data").mkdir()
    os.chown(tmp_path / "data", 12345, 12345)
    with pytest.raises(PermissionError, match="belongs to another user"):
        private_folder(tmp_path / "data")


def test_the_socket_has_a_short_path_however_deep_the_data_lie() -> None:
    assert len(bytes(socket_folder(Path("/deep" * 60)) / ".s.PGSQL.5432.lock")) < 107


def test_every_process_finds_the_same_socket_whatever_its_temporary_folder(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = socket_folder(Path("/srv/data"))
    monkeypatch.setenv("TMPDIR", "/somewhere/else")
    assert socket_folder(Path("/srv/data")) == before


def test_a_secret_is_made_once_and_kept_for_its_owner(tmp_path: Path) -> None:
    secret = kept_secret(tmp_path / "data" / "secret-key")
    assert len(secret) >= 50
    assert kept_secret(tmp_path / "data" / "secret-key") == secret
    assert mode_of(tmp_path / "data" / "secret-key") == 0o600


def test_all_that_ask_at_once_get_the_same_secret(tmp_path: Path) -> None:
    for number in range(20):
        with ThreadPoolExecutor(8) as askers:
            secrets = list(askers.map(kept_secret, [tmp_path / f"secret-{number}"] * 8))
        assert len(set(secrets)) == 1
        assert secrets[0]
    assert len(list(tmp_path.iterdir())) == 20  # nothing half-made is left
