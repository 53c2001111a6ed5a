"""A door without a lock before the product, for programs that can't send a token.

It adds the token and hands everything else on as it came, Host and Origin too. It stands here, so that
the product never has to know a way in without one.
"""

from __future__ import annotations

import http.client
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

OWN = frozenset({"connection", "keep-alive", "transfer-encoding", "content-length"})  # of one connection


class Doorman(ThreadingHTTPServer):
    """Stands before the product at this port, with this token."""

    def __init__(self, port: int, token: str) -> None:
        super().__init__(("127.0.0.1", 0), Errand)
        self.port, self.token = port, token

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up in the middle is its own affair."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class Errand(BaseHTTPRequestHandler):
    """One request, handed on, and its answer, handed back."""

    server: Doorman
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self._run()

    def do_DELETE(self) -> None:
        self._run()

    def do_POST(self) -> None:
        self._run()

    def _run(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        headers = {name: value for name, value in self.headers.items() if name.lower() not in OWN}
        headers["Authorization"] = f"Bearer {self.server.token}"
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=60)
        try:
            connection.request(self.command, self.path, body, headers)
            self._hand_back(connection.getresponse())
        finally:
            connection.close()

    def _hand_back(self, response: http.client.HTTPResponse) -> None:
        body = response.read()
        self.send_response_only(response.status, response.reason)
        for name, value in response.getheaders():
            if name.lower() not in OWN:
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@contextmanager
def a_doorman(port: int, token: str) -> Iterator[str]:
    """The address of the product's door for agents, open to everybody on this machine."""
    with Doorman(port, token) as doorman:
        threading.Thread(target=doorman.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{doorman.server_port}/mcp"
        doorman.shutdown()
