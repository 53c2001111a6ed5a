"""The account that the embedded server runs under, never root."""

from __future__ import annotations

import os
import pwd
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from config.postgres.errors import ServerFailed

if TYPE_CHECKING:
    from pathlib import Path

FOR_ROOT = ("postgres", "nobody")  # PostgreSQL refuses to run as root
HANDED_ON = ("PATH", "TZ", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")
LIMIT = 120.0  # seconds for one program; recovery after a crash is the longest


@dataclass(frozen=True, slots=True)
class Account:
    """A user of this machine."""

    name: str
    uid: int
    gid: int

    def run(self, *argv: str | Path) -> subprocess.CompletedProcess[str]:
        """Run a program as this account, with neither our secrets nor PG* and LC_* in its environment."""
        kept = {name: os.environ[name] for name in HANDED_ON if name in os.environ}
        return subprocess.run(
            argv,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
            text=True,
            errors="replace",
            timeout=LIMIT,
            cwd="/",
            env={**kept, "LC_ALL": "C"},
            **self._drop(),
        )

    def own(self, path: Path) -> None:
        """Give a file or folder to this account; an ordinary user owns it already."""
        if os.geteuid() == 0:
            os.chown(path, self.uid, self.gid, follow_symlinks=False)

    def _drop(self) -> dict[str, Any]:
        if os.geteuid() != 0:
            return {}
        return {"user": self.uid, "group": self.gid, "extra_groups": []}


def account_for(data: Path) -> Account:
    """Ourselves; for root the owner of the data, else the first account that serves a database."""
    uid = os.geteuid()
    if uid == 0:
        uid = _owner(data) or _first_for_root()
    try:
        entry = pwd.getpwuid(uid)
    except KeyError:
        raise ServerFailed(f"PostgreSQL needs a name for user {uid}; /etc/passwd has none.") from None
    return Account(entry.pw_name, entry.pw_uid, entry.pw_gid)


def _owner(path: Path) -> int:
    try:
        return path.stat().st_uid
    except FileNotFoundError:
        return 0


def _first_for_root() -> int:
    for name in FOR_ROOT:
        try:
            return pwd.getpwnam(name).pw_uid
        except KeyError:
            continue
    raise ServerFailed("PostgreSQL does not run as root, and there is neither a user postgres nor a nobody.")
