"""The import contracts of pyproject.toml hold, and each of them breaks when a forbidden import is planted."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[2]
APPS = ("config", "wiki", "brain", "members", "repositories")


@pytest.mark.parametrize(
    ("file", "planted", "contract"),
    [
        ("members/access.py", "import brain.errors", "Apps build on each other in one direction"),
        ("brain/tree/nodes.py", "import brain.models", "Inside brain, data flows one way"),
        ("brain/stray.py", "", "Inside brain, data flows one way"),
        ("brain/markdown/lines.py", "import os", "The middle is pure"),
        ("brain/folder/opening.py", "import repositories.git", "Git has one door"),
        ("brain/views.py", "import brain.models", "Rows have one door"),
    ],
)
def test_a_planted_import_breaks_its_contract(tmp_path: Path, file: str, planted: str, contract: str) -> None:
    for app in APPS:
        shutil.copytree(
            CHECKOUT / app, tmp_path / app, ignore=shutil.ignore_patterns("__pycache__", "templates")
        )
    shutil.copy(CHECKOUT / "pyproject.toml", tmp_path)
    with (tmp_path / file).open("a") as source:
        source.write(f"\n{planted}\n")
    said = _lint(tmp_path)
    assert said.returncode == 1
    assert f"{contract} BROKEN" in said.stdout


def test_the_contracts_hold() -> None:
    assert _lint(CHECKOUT).returncode == 0


def _lint(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=120)
