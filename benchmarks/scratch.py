"""A scratch installation for one benchmark: a PostgreSQL of its own in a folder that goes away again."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


@contextmanager
def installation(repositories: list[str], **environment: str) -> Iterator[Path]:
    """Settings, a migrated database and mirrors of these local repositories; yields the scratch folder."""
    scratch = Path(tempfile.mkdtemp(prefix="kintsugi-benchmark-", dir="/var/tmp"))
    try:
        _set_up(scratch, repositories, environment)
        yield scratch
    finally:
        _tear_down(scratch)


def _set_up(scratch: Path, repositories: list[str], environment: dict[str, str]) -> None:
    os.chdir(ROOT)
    roots = ",".join(str(Path(path).resolve().parent) for path in repositories)
    os.environ.pop("DATABASE_URL", None)
    os.environ.update(
        DJANGO_SETTINGS_MODULE="config.settings",
        DATA_ROOT=str(scratch / "data"),
        MIRROR_LOCAL_ROOTS=roots,
        PLAIN_HTTP="true",
        **environment,
    )
    scratch.chmod(0o711)  # the server of a root user runs as somebody else
    if str(ROOT) not in sys.path:
        sys.path.insert(0, str(ROOT))
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)


def _tear_down(scratch: Path) -> None:
    from django.db import connections

    from config.postgres import server
    from config.postgres.base import our_cluster

    connections.close_all()
    server.stop(our_cluster())
    shutil.rmtree(scratch, ignore_errors=True)
