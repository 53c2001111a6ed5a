"""The environment of the tests: a pytest plugin, named in pyproject.toml, that comes before the settings."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from config.place import default_data_root, private_folder

CHECKOUT = Path(__file__).resolve().parent.parent
SCRATCH = tempfile.TemporaryDirectory(prefix="kintsugi-tests-")

default = default_data_root(CHECKOUT)
data_root = default.with_name(f"{default.name}-test")
private_folder(data_root)
(data_root / "static").mkdir(exist_ok=True)  # whitenoise warns of a missing one
os.environ.update(
    DATA_ROOT=str(data_root),
    MIRROR_ROOT=f"{SCRATCH.name}/mirrors",
    SNAPSHOT_ROOT=f"{SCRATCH.name}/snapshots",
    MIRROR_LOCAL_ROOTS="",
    PLAIN_HTTP="true",
    SECRET_KEY="no secret, only tests sign with it",
)
