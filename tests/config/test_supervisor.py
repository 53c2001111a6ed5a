"""Clusters that are kept alive: real ones, killed in every way."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest

from config.postgres.server import Cluster
from config.supervisor.watchdog import STUCK_AFTER
from tests.config.given_work import Installation, eventually, lives


@pytest.fixture(scope="module")
def worked(installation: Installation) -> Iterator[Installation]:
    """One whose workers run."""
    with installation.running("work"):
        yield installation


@pytest.mark.parametrize("queue", ["brain", "brain-index"])
def test_each_queue_has_a_cluster_that_runs_its_tasks(worked: Installation, file: str, queue: str) -> None:
    worked.queue("tell", file, cluster=queue)
    assert [told["queue"] for told in worked.ran(file)] == [queue]
    eventually(lambda: not worked.ask("SELECT 1 FROM django_q_ormq WHERE key = %s", queue))


def test_a_cluster_that_lost_an_idle_worker_is_cured_and_a_busy_one_left_alone(
    worked: Installation, file: str
) -> None:
    long = file + "-long"
    for _ in range(3):  # of which two can run at once, and one has to wait
        worked.queue("tell", long, STUCK_AFTER + 3)
    worked.ran(long, times=2)
    busy = [process.pid for process in worked.of("brain")]
    worked.queue("tell", file, cluster="brain-index")
    [before] = worked.ran(file)
    eventually(lambda: not any((worked.root / "running/brain-index.tasks").glob("[0-9]*")))
    os.kill(before["pid"], signal.SIGKILL)  # it waits for a task, and holds the lock of the queue
    worked.queue("tell", file, cluster="brain-index")
    worked.queue("tell", file, cluster="brain-index")
    assert before["pid"] not in [told["pid"] for told in worked.ran(file, times=3)[1:]]
    worked.ran(long, times=3)
    assert [process.pid for process in worked.of("brain")] == busy
    assert len(worked.told(file)) == len(worked.told(long)) == 3  # none of them twice


def test_what_a_killed_worker_had_started_is_ended(worked: Installation, file: str) -> None:
    worked.queue("start_a_child", file, cluster="brain-index")
    [told] = worked.ran(file)
    os.kill(told["pid"], signal.SIGKILL)
    eventually(lambda: not lives(told["child"]))
    worked.queue("tell", file, cluster="brain-index")
    worked.ran(file, times=2)


@pytest.mark.parametrize("which", [0, 1], ids=["main", "sentinel"])
def test_a_cluster_whose_head_was_killed_is_replaced_without_a_rest(
    worked: Installation, file: str, which: int
) -> None:
    before = eventually(lambda: worked.of("brain-index")[:5])
    before[which].kill()
    eventually(lambda: not any(lives(process.pid) for process in before))
    worked.queue("tell", file, cluster="brain-index")
    worked.ran(file)


def test_clusters_outlive_the_database(worked: Installation, file: str) -> None:
    postmaster = int((Cluster(worked.root).data / "postmaster.pid").read_text().split()[0])
    os.kill(postmaster, signal.SIGKILL)
    eventually(lambda: worked.has_database)
    worked.queue("tell", file)
    worked.queue("tell", file, cluster="brain-index")
    worked.ran(file, times=2)


def test_a_second_supervisor_is_refused_with_a_sentence(worked: Installation) -> None:
    refused = worked.manage("work")
    assert refused.returncode == 1
    assert refused.stdout == (
        f"CommandError: Another process runs brain for {worked.root} already: stop that one first.\n"
    )
