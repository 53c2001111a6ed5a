"""A real https server on loopback that serves bare repositories, or behaves badly in a way the test names."""

from __future__ import annotations

import contextlib
import os
import random
import ssl
import subprocess
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import trustme

PORT = 8443  # the one port besides 443 that a remote may name; each server has a loopback address of its own

type Answer = Callable[["Handler"], None]


@dataclass
class Request:
    """What arrived on the wire."""

    line: str
    headers: dict[str, str]


@dataclass
class GitServer:
    """A server, the name it is called by, and what it was asked."""

    host: str
    address: str
    authority: Path
    requests: list[Request] = field(default_factory=list)

    def url(self, repository: str) -> str:
        return f"https://{self.host}:{PORT}/{repository}"

    def resolve(self, host: str, port: int) -> tuple[str, ...]:
        """A resolver for `sync` that knows this server alone, without the check that loopback would fail."""
        assert (host, port) == (self.host, PORT)
        return (self.address,)


@contextlib.contextmanager
def a_server(
    root: Path, authority: trustme.CA, *, host: str = "git.example.org", answer: Answer | None = None
) -> Iterator[GitServer]:
    """Serve the bare repositories below `root`, or `answer` every request."""
    bundle = root.parent / f"{host}.pem"
    authority.cert_pem.write_to_path(str(bundle))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(host).configure_cert(context)
    server = _listen()
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    said = GitServer(host, server.server_address[0], bundle)
    server.root, server.said, server.answer = root, said, answer or git_backend
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield said
    finally:
        server.shutdown()
        server.server_close()


class Handler(BaseHTTPRequestHandler):
    """Notes each request and passes it on."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # a head and a text in two packets would wait 40 ms for each other

    def do_GET(self) -> None:
        self.read = None  # one handler serves all requests of a connection
        self.server.said.requests.append(Request(self.requestline, dict(self.headers)))
        with contextlib.suppress(ConnectionError, ssl.SSLError):
            self.server.answer(self)

    do_POST = do_GET  # noqa: N815 (the name that http.server looks for)

    def body(self) -> bytes:
        if self.read is None:
            self.read = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        return self.read

    def reply(self, status: int, headers: dict[str, str] | None = None, text: bytes = b"") -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(text)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *said: object) -> None:
        """Say nothing."""


def git_backend(handler: Handler) -> None:
    """Answer as a Git host does."""
    path, _, query = handler.path.partition("?")
    environment = {
        "PATH": os.environ["PATH"],
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_PROJECT_ROOT": str(handler.server.root),
        "GIT_HTTP_EXPORT_ALL": "1",
        "PATH_INFO": path,
        "QUERY_STRING": query,
        "REQUEST_METHOD": handler.command,
        "CONTENT_TYPE": handler.headers.get("Content-Type", ""),
        "HTTP_CONTENT_ENCODING": handler.headers.get("Content-Encoding", ""),
        "GIT_PROTOCOL": handler.headers.get("Git-Protocol", ""),
        "REMOTE_ADDR": "127.0.0.1",
    }
    command = ["git", "http-backend"]
    done = subprocess.run(command, input=handler.body(), env=environment, capture_output=True, check=True)
    head, _, text = done.stdout.partition(b"\r\n\r\n")
    headers = dict(line.split(": ", 1) for line in head.decode().split("\r\n"))
    handler.reply(int(headers.pop("Status", "200").split()[0]), headers, text)


def _listen() -> ThreadingHTTPServer:
    for _ in range(50):
        address = f"127.{random.randint(1, 254)}.{random.randint(1, 254)}.{random.randint(1, 254)}"
        with contextlib.suppress(OSError):
            return _Server((address, PORT), Handler)
    raise RuntimeError("No loopback address has the port free.")


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that was killed is no error here."""
