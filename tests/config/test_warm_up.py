"""What a worker of the server loads before anybody asks."""

from __future__ import annotations

import os
import subprocess
import sys

from django.conf import settings

WORKER = """
import sys, threading
import config.wsgi, config.gunicorn
print("config.mcp.exchange" in sys.modules)
config.gunicorn.post_worker_init(None)
[thread.join() for thread in threading.enumerate() if thread.name == "warm-up"]
print("config.mcp.exchange" in sys.modules)
"""


def test_a_worker_loads_the_protocol_of_agents_before_the_first_message():
    told = subprocess.run(
        [sys.executable, "-c", WORKER],
        cwd=settings.BASE_DIR,
        env=os.environ | {"DJANGO_SETTINGS_MODULE": "config.settings", "PLAIN_HTTP": "true"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout.split() == ["False", "True"]
