"""The script `run`: it installs what a lock says, when that changed, and then does as it is told."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from tests.environment import CHECKOUT

if TYPE_CHECKING:
    from pathlib import Path

# Stands in for the real one, which would ask the network: it notes what it is asked to do.
UV = f"""#!/bin/sh
echo "$*" >>"$UV_NOTES"
for last; do :; done
[ "$1" = venv ] && mkdir -p "$last/bin" && ln -sf {sys.executable} "$last/bin/python"
[ "$*" = "${{UV_FAILS:-}}" ] && exit 1
exit 0
"""
SHIM = "#!/bin/sh\necho 'pyenv: version 3.13 is not installed' >&2\nexit 127\n"
OLD = "#!/bin/sh\nexit 1\n"


@dataclass(frozen=True)
class Checkout:
    """A folder with `run` and two locks, and a machine with the given programs on its PATH."""

    folder: Path
    programs: Path
    notes: Path

    def run(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        base = {
            "PATH": f"{self.programs}:/usr/bin:/bin",
            "HOME": str(self.programs),
            "UV_NOTES": str(self.notes),
            "LD_LIBRARY_PATH": os.environ.get("LD_LIBRARY_PATH", ""),
        }
        argv = [str(self.folder / "run"), *arguments]
        return subprocess.run(
            argv, env=base | environment, capture_output=True, text=True, timeout=20, check=False
        )

    def installed(self) -> list[str]:
        """The locks that were installed, in order."""
        lines = self.notes.read_text().splitlines() if self.notes.exists() else []
        return [line.rpartition("/")[2] for line in lines if line.startswith("pip sync")]


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    made = Checkout(tmp_path / "a checkout", tmp_path / "programs", tmp_path / "notes")
    made.folder.mkdir()
    made.programs.mkdir()
    shutil.copy(CHECKOUT / "run", made.folder)
    (made.folder / "requirements.lock").write_text("django==1\n")
    (made.folder / "requirements-dev.lock").write_text("django==1\npytest==1\n")
    put(made, "uv", UV)
    put(made, "python3.13", f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    return made


def put(checkout: Checkout, name: str, text: str) -> None:
    (checkout.programs / name).write_text(text)
    (checkout.programs / name).chmod(0o755)


def test_it_installs_the_lock_and_becomes_what_it_was_told_to_run(checkout: Checkout) -> None:
    done = checkout.run("sh", "-c", 'echo "$VIRTUAL_ENV"; exit 7')
    assert (done.returncode, done.stdout) == (7, f"{checkout.folder}/.venv\n")
    assert checkout.installed() == ["requirements.lock"]
    assert "installing the packages of requirements.lock" in done.stderr


def test_it_is_silent_and_installs_nothing_while_the_lock_is_the_same(checkout: Checkout) -> None:
    checkout.run("true")
    assert checkout.run("true").stderr == ""
    assert checkout.installed() == ["requirements.lock"]


def test_it_installs_again_when_the_lock_has_changed(checkout: Checkout) -> None:
    checkout.run("true")
    (checkout.folder / "requirements.lock").write_text("django==2\n")
    checkout.run("true")
    assert checkout.installed() == ["requirements.lock", "requirements.lock"]


def test_what_developers_have_is_enough_to_run(checkout: Checkout) -> None:
    checkout.run("--dev", "true")
    checkout.run("true")
    assert checkout.installed() == ["requirements-dev.lock"]


def test_what_an_installation_has_is_not_enough_for_developers(checkout: Checkout) -> None:
    checkout.run("true")
    checkout.run("--dev", "true")
    assert checkout.installed() == ["requirements.lock", "requirements-dev.lock"]


def test_every_package_has_to_match_its_hash(checkout: Checkout) -> None:
    checkout.run("true")
    assert "--require-hashes" in checkout.notes.read_text()


def test_a_checkout_that_was_moved_gets_a_new_environment(checkout: Checkout, tmp_path: Path) -> None:
    checkout.run("true")
    moved = Checkout(checkout.folder.rename(tmp_path / "elsewhere"), checkout.programs, checkout.notes)
    done = moved.run("sh", "-c", 'echo "$VIRTUAL_ENV"')
    assert done.stdout == f"{moved.folder}/.venv\n"
    assert "making .venv" in done.stderr


def test_an_environment_without_a_stamp_is_brought_up_to_date_in_place(checkout: Checkout) -> None:
    checkout.run("true")
    (checkout.folder / ".venv" / "kintsugi-lock").unlink()
    (checkout.folder / ".venv" / "kept").touch()
    assert "making .venv" not in checkout.run("true").stderr
    assert (checkout.folder / ".venv" / "kept").exists()


def test_an_installation_that_failed_is_said_and_tried_again(checkout: Checkout) -> None:
    call = f"pip sync --quiet --require-hashes {checkout.folder}/requirements.lock"
    failed = checkout.run("echo", "not reached", UV_FAILS=call)
    assert (failed.returncode, failed.stdout) == (69, "")
    assert "could not be installed" in failed.stderr
    assert checkout.run("true").returncode == 0


def test_an_interpreter_that_does_not_run_is_passed_over(checkout: Checkout) -> None:
    (checkout.programs / "python3.13").rename(checkout.programs / "python3.12")
    put(checkout, "python3.13", SHIM)
    done = checkout.run("true")
    assert f"making .venv with {sys.executable} " in done.stderr
    assert "pyenv" not in done.stderr


def test_an_interpreter_of_pyenv_is_found_without_its_shims(checkout: Checkout, tmp_path: Path) -> None:
    (checkout.programs / "python3.13").unlink()
    for name in ("python3.12", "python3.14", "python3"):
        put(checkout, name, OLD)
    real = tmp_path / "pyenv" / "versions" / "3.13.9" / "bin" / "python"
    real.parent.mkdir(parents=True)
    real.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    real.chmod(0o755)
    assert f"with {sys.executable} " in checkout.run("true", PYENV_ROOT=str(tmp_path / "pyenv")).stderr


def test_a_python_without_venv_is_named_as_the_reason(checkout: Checkout) -> None:
    put(checkout, "uv", OLD)
    put(checkout, "python3.13", f'#!/bin/sh\n[ "$1" = -m ] && exit 1\necho {checkout.programs}/python3.13\n')
    done = checkout.run("true")
    assert done.returncode == 69
    assert "apt install python3-venv" in done.stderr
    assert not (checkout.folder / ".uv-bootstrap").exists()


def test_nothing_to_run_is_a_mistake_of_use(checkout: Checkout) -> None:
    assert checkout.run().returncode == os.EX_USAGE
