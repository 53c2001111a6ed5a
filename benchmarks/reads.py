"""How many reads a second, against an empty view of the same process; and exact search against others.

    ./run --dev python benchmarks/reads.py /path/to/large.git [seconds]

The path names a bare repository whose HEAD is built in a scratch installation. Its reads are asked by `wrk`
(which has to be installed) with 8 connections, each over many nodes, one after the other and all in one run;
the empty view comes first and last. Then grep finds the same words as `git grep` and ripgrep on a checkout of
the same commit. Ratios of one run can be compared with those of another machine, numbers of a second can not.
"""

from __future__ import annotations

import json
import random
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.greps import grep_table
from benchmarks.scratch import ROOT, installation

CONNECTIONS = 8
ASKED = 200  # addresses of each read
SEED = 7
GOALS = {"tree": 0.30, "lookup": 0.35, "read": 0.15, "304": 0.40, "search": 0.20}
ALSO = (  # what a message of an agent needs, and a read does not mind
    'wrk.headers["Accept"] = "application/json, text/event-stream"',
    'wrk.headers["Content-Type"] = "application/json"',
)
_TIMES = re.compile(r"^\s+(50|99)%\s+([0-9.]+)(us|ms|s)\s*$", re.MULTILINE)
_RATE = re.compile(r"^Requests/sec:\s+([0-9.]+)", re.MULTILINE)
_UNITS = {"us": 1e-3, "ms": 1.0, "s": 1e3}


class Measured(NamedTuple):
    """What wrk says of one kind of request."""

    rate: float  # requests a second
    median: float  # milliseconds
    slowest: float  # milliseconds, the 99th percentile
    failed: bool


def main(repository: str, seconds: int = 10) -> None:
    """Measure the reads of one repository."""
    if shutil.which("wrk") is None:
        sys.exit("The load comes from wrk; install it first.")
    with installation([repository], RATE_LIMITS="off") as scratch:
        from django.db import connections

        project, token = _made(repository)
        asked = _addresses(project)
        with _served() as origin:
            results = _load(origin, token, asked, scratch, seconds)
        connections.close_all()  # the server took the embedded database down; it comes back when asked
        print(_table(project, results), flush=True)
        print(grep_table(project, scratch), flush=True)


def _made(repository: str) -> tuple[Any, str]:
    from brain import store
    from brain.builds import build
    from brain.management.operating import add
    from members.callers import OPERATOR
    from members.projects import add_member, join
    from members.tokens import issue

    project = add("large", remote=str(Path(repository).resolve()), name="large", branch="")
    build(store.source_of(project), asked_by="benchmark")
    member, _ = add_member("reader")
    join(member, project, "member")
    _, raw = issue(OPERATOR, member, name="load", project=project, scopes=["member.read"], days=1)
    return project, raw


def _addresses(project: Any) -> dict[str, list[str]]:
    """For each read the addresses that are asked, or the messages, over nodes chosen by chance."""
    from brain.store import database_store

    chance = random.Random(SEED)
    with database_store(project) as store:
        paths = chance.sample(sorted(store.documents()), ASKED)
        nodes = [node for path in paths for node in store.document(path)]
    parts = chance.sample(nodes, ASKED)
    folders = sorted({path.rpartition("/")[0] + "/" for path in paths})
    titles = [node.title for node in parts if len(node.title) > 8] or ["introduction"]
    return {
        "tree": [_address("tree", node=node) for node in [*folders, *paths]],
        "read": [_address("read", node=node.id) for node in parts],
        "lookup": [_address("lookup", query=path.rpartition("/")[2]) for path in paths],
        "grep": [_address("grep", text=title[:60]) for title in titles],
        "search": [_address("search", query=title[:200]) for title in titles],
        "read by MCP": [_message("brain_read", node=node.id) for node in parts],
    }


def _address(read: str, **arguments: str) -> str:
    return f"/api/member/v1/brain/{read}?{urlencode(arguments)}"


def _message(tool: str, **arguments: str) -> str:
    params = {"name": tool, "arguments": arguments}
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})


@contextmanager
def _served() -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "gunicorn", "-c", "python:config.gunicorn", "-b", f"127.0.0.1:{port}"]
    server = subprocess.Popen(
        [*command, "benchmarks.served:application"], cwd=ROOT, stdout=subprocess.DEVNULL
    )
    try:
        _wait_for(port)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(20)


def _wait_for(port: int) -> None:
    for _ in range(200):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    sys.exit("The server did not start.")


def _load(
    origin: str, token: str, asked: dict[str, list[str]], scratch: Path, seconds: int
) -> dict[str, Measured]:
    for addresses in (["/empty"], asked["tree"], asked["grep"], asked["read by MCP"]):
        _wrk(origin, token, addresses, scratch, 1)  # the first requests of a process pay for its start
    results = {"empty": _wrk(origin, token, ["/empty"], scratch, seconds)}
    for name, addresses in asked.items():
        results[name] = _wrk(origin, token, addresses, scratch, seconds)
    address = asked["tree"][0]
    tag = _tag(origin, token, address)
    results["304"] = _wrk(origin, token, [address], scratch, seconds, tag=tag)
    results["empty again"] = _wrk(origin, token, ["/empty"], scratch, seconds)
    return results


def _tag(origin: str, token: str, address: str) -> str:
    from urllib.request import Request, urlopen

    request = Request(origin + address, headers={"Authorization": f"Bearer {token}"})
    with urlopen(request) as answer:
        return str(answer.headers["ETag"])


def _wrk(
    origin: str, token: str, addresses: list[str], scratch: Path, seconds: int, *, tag: str = ""
) -> Measured:
    headers = [f'wrk.headers["Authorization"] = "Bearer {token}"', *ALSO]
    if tag:
        headers.append(f"wrk.headers[\"If-None-Match\"] = '{tag}'")
    listed = ",\n".join(f"[==[{address}]==]" for address in addresses)
    by_post = addresses[0].startswith("{")
    formed = 'wrk.format("POST", "/mcp", nil, asked[at])' if by_post else "wrk.format(nil, asked[at])"
    turn = f"at = at % #asked + 1\n  return {formed}"
    script = scratch / "ask.lua"
    script.write_text(
        "\n".join(
            [*headers, f"local asked = {{{listed}}}\nlocal at = 0\nrequest = function()\n  {turn}\nend\n"]
        )
    )
    command = [
        "wrk",
        "-t1",
        f"-c{CONNECTIONS}",
        f"-d{seconds}s",
        "--latency",
        "--timeout",
        "20s",
        "-s",
        str(script),
    ]
    said = subprocess.run([*command, origin], capture_output=True, text=True, check=True).stdout
    times = {int(share): float(value) * _UNITS[unit] for share, value, unit in _TIMES.findall(said)}
    rate = _RATE.search(said)
    if rate is None or not {50, 99} <= set(times):
        sys.exit(f"wrk said something else:\n{said}")
    return Measured(float(rate[1]), times[50], times[99], "Non-2xx" in said or "Socket" in said)


def _table(project: Any, results: dict[str, Measured]) -> str:
    from brain.store import source_of

    documents = source_of(project).counts["documents"]
    floor = results["empty"]
    lines = [f"\n{documents:,} documents, {CONNECTIONS} connections; E is the empty view of the same process"]
    lines.append(
        f"  {'':12}{'requests/s':>12}{'x E':>8}{'goal':>7}{'p50 ms':>9}{'p99 ms':>9}{'x p99 of E':>12}"
    )
    for name, one in results.items():
        goal = f"{GOALS[name]:.2f}" if name in GOALS else ""
        ratios = f"{one.rate / floor.rate:8.2f}{goal:>7}{one.median:9.1f}{one.slowest:9.1f}"
        failed = "  some failed" if one.failed else ""
        lines.append(f"  {name:12}{one.rate:12,.0f}{ratios}{one.slowest / floor.slowest:12.1f}{failed}")
    return "\n".join(lines)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(sys.argv[1], *map(int, sys.argv[2:3]))
