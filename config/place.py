"""Where this installation keeps its data, and the database it has when none is named."""

from __future__ import annotations

import hashlib
import os
import secrets
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


def socket_folder(data_root: Path) -> Path:
    """The folder of the embedded server's socket: short, because a socket's path has at most 107 bytes."""
    digest = hashlib.sha256(bytes(data_root.resolve())).hexdigest()[:12]
    return Path(tempfile.gettempdir()) / f"kintsugi-pg-{os.geteuid()}-{digest}"


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
    """The secret kept in this file, made at first use and readable for its owner only."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_text(encoding="ascii").strip()
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(secrets.token_urlsafe(48))
    return path.read_text(encoding="ascii").strip()
