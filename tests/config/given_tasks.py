"""Tasks that real clusters run in tests; each tells in a file that it began."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path


def tell(path: str, seconds: float = 0) -> None:
    """Append who runs this, and then take a while."""
    with Path(path).open("a") as told:
        told.write(json.dumps({"queue": os.environ["Q_CLUSTER_NAME"], "pid": os.getpid()}) + "\n")
    time.sleep(seconds)


def start_a_child(path: str) -> None:
    """Run something in a session of its own, as builds and Git are, and wait for it."""
    argv = [sys.executable, "-c", "import time; time.sleep(300)"]
    with subprocess.Popen(argv, start_new_session=True) as child, Path(path).open("a") as told:
        told.write(json.dumps({"child": child.pid, "pid": os.getpid()}) + "\n")
