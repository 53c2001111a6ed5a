"""How all that is kept ends: killed, told to, and beside another supervisor."""

from __future__ import annotations

import os
import signal
import socket
import time
import urllib.request

import pytest

from config.supervisor.keeping import ECHO
from tests.config.given_work import Installation, eventually, lives


@pytest.fixture
def port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def answers(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=10) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def test_a_killed_supervisor_leaves_all_to_the_next_and_a_group_that_is_stopped_nothing(
    installation: Installation, file: str, port: int
) -> None:
    with installation.running("serve", "--port", str(port)) as process:
        installation.queue("start_a_child", file)
        installation.ran(file)
        eventually(lambda: answers(port))
        process.kill()
    left = installation.processes()
    assert len(left) > 10  # both clusters, the portal and the child
    # At the same port, which the portal that was left held.
    with installation.running("serve", "--port", str(port)) as process:
        eventually(lambda: not any(lives(one.pid) for one in left))
        installation.queue("tell", file)
        installation.ran(file, times=2)
        eventually(lambda: answers(port))
        os.killpg(process.pid, signal.SIGINT)
    assert process.returncode == 0
    assert installation.processes() == []
    assert not installation.has_database


def test_of_two_supervisors_the_last_takes_the_database_down(
    installation: Installation, file: str, port: int
) -> None:
    with installation.running("serve", "--no-workers", "--port", str(port)):
        eventually(lambda: answers(port))
        with installation.running("work") as process:
            installation.queue("start_a_child", file)
            [told] = installation.ran(file)
            process.terminate()
            time.sleep(2 * ECHO)
            process.terminate()  # somebody has no patience
        assert process.returncode == 0
        assert not lives(told["child"])
        assert installation.has_database
        assert answers(port)
    assert installation.processes() == []
    assert not installation.has_database
