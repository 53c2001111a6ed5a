"""Why the embedded server is not there."""

from __future__ import annotations

import psycopg


class ServerFailed(psycopg.OperationalError):
    """The embedded server can't run; one sentence says why.

    A driver's error, so that Django treats it as it treats a distant server that is down.
    """
