"""Where this installation keeps its data, and the database it has when none is named."""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
import stat
import tempfile
from pathlib import Path
from typing import Any


def default_data_root(checkout: Path) -> Path:
    """A folder of this checkout's own: below the user's state folder, or /var/tmp for root.

    The embedded server drops root's rights, so its folder can't lie below root's closed home.
    """
    name = f"kintsugi-brain-{hashlib.sha256(bytes(checkout)).hexdigest()[:8]}"
    if os.geteuid() == 0:
        return Path("/var/tmp") / name  # noqa: S108 -- kept over a restart, reachable for the server's user
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(state) / name


def private_folder(path: Path) -> None:
    """Make a folder for its owner's eyes only; root's can be crossed, not listed, by the server's user."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.mkdir(mode=0o700, exist_ok=True)
    if path.lstat().st_uid != os.geteuid() and path.parent.stat().st_mode & stat.S_IWOTH:
        raise PermissionError(f"{path} belongs to another user, and anybody could have put it there.")
    if os.geteuid() == 0:
        path.chmod(stat.S_IMODE(path.stat().st_mode) | 0o011)


def socket_folder(data_root: Path) -> Path:
    """The folder of the embedded server's socket: short, because a socket's path has at most 107 bytes.

    Not below TMPDIR: every process of an installation has to find the same folder.
    """
    digest = hashlib.sha256(bytes(data_root.resolve())).hexdigest()[:12]
    return Path("/tmp") / f"kintsugi-pg-{os.geteuid()}-{digest}"  # noqa: S108 -- its owner is checked


def embedded_database(data_root: Path) -> dict[str, Any]:
    """Django's connection settings for the server that `config.postgres` starts when it is first asked."""
    return {
        "ENGINE": "config.postgres",
        "NAME": "kintsugi",
        "USER": "kintsugi",
        "HOST": str(socket_folder(data_root)),
        "PORT": "5432",
    }


def kept_secret(path: Path) -> str:
    """The secret kept in this file, made at first use and readable for its owner only.

    Of processes that come at once one links its file in place and all read that one, never half of it.
    """
    if not path.exists():
        private_folder(path.parent)
        with tempfile.NamedTemporaryFile("w", encoding="ascii", dir=path.parent) as file:
            file.write(secrets.token_urlsafe(48))
            file.flush()
            os.fsync(file.fileno())
            with contextlib.suppress(FileExistsError):  # another process was first
                os.link(file.name, path)
    return path.read_text(encoding="ascii").strip()
