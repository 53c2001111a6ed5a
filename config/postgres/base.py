"""Django's PostgreSQL backend, which starts the embedded server when nobody answers."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db.backends.postgresql import base
from psycopg import OperationalError

from config.postgres import server
from config.postgres.account import account_for


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection to the server below `DATA_ROOT`."""

    def get_connection_params(self) -> dict[str, Any]:
        # The socket lies in /tmp: accept no server but that of our own account.
        account = account_for(our_cluster().data)
        return {**super().get_connection_params(), "requirepeer": account.name}

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        try:
            return super().get_new_connection(conn_params)
        except OperationalError:
            server.start(our_cluster())
            return super().get_new_connection(conn_params)


def our_cluster() -> server.Cluster:
    """The server of this installation."""
    return server.Cluster(settings.DATA_ROOT, settings.KINTSUGI_PG_BIN)
