"""What the supervisor decides: when it starts a program again, when it hurries, and whom it may kill."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from django.db import OperationalError
from django.test import override_settings

from config.supervisor import desk
from config.supervisor.claims import AlreadyRunning, Claim, claimed, folder, last_user
from config.supervisor.families import Identity, end_family
from config.supervisor.keeping import AT_ONCE, ECHO, LONGEST_PAUSE, Kept, Told, _plan
from config.supervisor.programs import Program, clusters, portal
from config.supervisor.repeating import Round, repeating
from tests.config.given_work import eventually, lives

SLEEPER = (sys.executable, "-c", "import time; time.sleep(60)")


@pytest.fixture(autouse=True)
def own_root(tmp_path: Path) -> Iterator[Path]:
    with override_settings(DATA_ROOT=tmp_path):
        yield tmp_path


@pytest.fixture
def sleeper() -> Iterator[psutil.Process]:
    with subprocess.Popen(SLEEPER, start_new_session=True) as process:
        yield psutil.Process(process.pid)
        process.kill()


def pauses(lives_for: list[float]) -> list[float]:
    """The pauses after lives of so many seconds."""
    kept, now, found = Kept(Claim(Program("one", SLEEPER), 0)), 0.0, []
    for seconds in lives_for:
        kept.begun, now = now, now + seconds
        _plan(kept, now)
        found.append(kept.due - now)
    return found


def test_what_dies_at_once_is_started_later_and_later() -> None:
    assert pauses([0.1] * 7) == [1, 2, 4, 8, 16, LONGEST_PAUSE, LONGEST_PAUSE]


def test_what_dies_after_a_while_is_started_at_once_and_forgiven() -> None:
    assert pauses([AT_ONCE + 1, 0.1, 0.1, AT_ONCE + 1, 0.1]) == [0, 1, 2, 0, 1]


def test_a_second_signal_hurries_unless_it_is_an_echo() -> None:
    told, heard = Told(), []
    for now in (100.0, 100.0 + ECHO / 2, 100.0 + ECHO * 2):
        told.hear(now)
        heard.append((told.to_stop, told.to_hurry))
    assert heard == [(True, False), (True, False), (True, True)]


def test_a_noted_process_is_ended_with_its_children(sleeper: psutil.Process) -> None:
    end_family(Identity(sleeper.pid, sleeper.create_time(), SLEEPER))
    assert not lives(sleeper.pid)


@pytest.mark.parametrize("other", ["created", "argv"])
def test_a_stranger_with_the_number_of_a_noted_process_is_left_alone(
    sleeper: psutil.Process, other: str
) -> None:
    created = sleeper.create_time() - (60 if other == "created" else 0)
    argv = ("another", "program") if other == "argv" else SLEEPER
    end_family(Identity(sleeper.pid, created, argv))
    assert lives(sleeper.pid)


def test_a_claim_ends_what_its_last_holder_left(sleeper: psutil.Process) -> None:
    program = Program("one", SLEEPER)
    with claimed([program]) as [claim]:
        claim.note(sleeper.pid)
    with claimed([program]):
        assert not lives(sleeper.pid)


@pytest.mark.parametrize("text", ["", "[1, 2", "{}", '["x", 1, "a"]', "\0\0\0"])
def test_a_note_that_was_half_written_names_nobody(text: str) -> None:
    (folder() / "one.lock").write_text(text)
    with claimed([Program("one", SLEEPER)]) as [claim]:
        assert claim.noted() is None


def test_a_program_has_one_supervisor() -> None:
    with claimed([Program("one", SLEEPER)]):
        with pytest.raises(AlreadyRunning, match="runs one for"), claimed([Program("one", SLEEPER)]):
            pass
        with claimed([Program("another", SLEEPER)]):
            pass


def test_only_the_last_user_leaves() -> None:
    left: list[str] = []
    with last_user(lambda: left.append("first to come")):
        with last_user(lambda: left.append("first to go")):
            pass
        assert left == []
    assert left == ["first to come"]


def test_the_last_user_leaves_after_a_failure_too() -> None:
    left: list[str] = []
    with pytest.raises(ZeroDivisionError), last_user(lambda: left.append("gone")):
        _ = 1 / 0
    assert left == ["gone"]


@pytest.mark.parametrize("error", [OperationalError("gone"), ZeroDivisionError()])
def test_a_round_goes_on_whatever_it_raises(error: Exception) -> None:
    calls: list[str] = []

    def call() -> None:
        calls.append("called")
        raise error

    with repeating([Round(call, 0.01, lambda: calls.append("failed"))]):
        eventually(lambda: calls.count("called") > 2)
    assert calls[:2] == ["called", "failed"]
    assert not any(thread.name.endswith("(_repeat)") for thread in threading.enumerate())


def test_each_queue_of_the_settings_has_a_cluster_that_is_told_by_its_environment() -> None:
    assert [(one.name, one.environment) for one in clusters()] == [
        ("brain", {"Q_CLUSTER_NAME": "brain"}),
        ("brain-index", {"Q_CLUSTER_NAME": "brain-index"}),
    ]
    assert "[::1]:8000" in portal("::1", 8000).argv


def test_a_task_on_the_desk_waits_until_it_begins_and_its_result_until_it_is_settled() -> None:
    worker = desk.Worker("brain")
    assert desk.look("brain") == desk.Sight(waiting=False, at_work=False, beat=0)
    worker.come()
    desk.note_taken("brain", 7)
    assert (desk.look("brain").waiting, desk.look("brain").at_work) == (True, False)
    worker.begin({"ack_id": 7})
    assert (desk.look("brain").waiting, desk.look("brain").at_work) == (False, True)
    worker.end({"ack_id": 7})
    assert (desk.look("brain").waiting, desk.look("brain").at_work) == (True, False)
    desk.note_settled("brain", 7)
    assert not desk.look("brain").waiting


def test_a_new_desk_hands_back_what_was_taken_and_never_begun() -> None:
    worker = desk.Worker("brain")
    for task in (1, 2, 3):
        desk.note_taken("brain", task)
    worker.begin({"ack_id": 1})
    worker.end({"ack_id": 1})
    worker.begin({"ack_id": 2})
    assert desk.clear("brain") == [3]
    assert desk.look("brain") == desk.Sight(waiting=False, at_work=False, beat=0)
