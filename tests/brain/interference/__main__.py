"""Grow many worlds and compare each with its stripped twin: `python -m tests.brain.interference 500`."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

import pytest

from tests.brain.interference import CHOSEN

TEST = "test_a_history_looks_like_its_stripped_twin"


class Failures:
    """A pytest plugin that keeps the seeds of the worlds that failed."""

    def __init__(self) -> None:
        self.seeds: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the seed of a failure."""
        if report.failed:
            self.seeds.append(report.nodeid.partition("[")[2].rstrip("]"))


def main() -> int:
    """How the run ended, as pytest tells it."""
    parser = argparse.ArgumentParser(prog="python -m tests.brain.interference", description=__doc__)
    parser.add_argument("worlds", type=int, nargs="?", default=500, help="how many")
    parser.add_argument("--seed", type=int, default=0, help="of the first one")
    asked = parser.parse_args()
    os.environ[CHOSEN] = f"{asked.seed}-{asked.seed + asked.worlds - 1}"
    tests = Path(__file__).with_name("test_non_interference.py")
    failures = Failures()
    ended = pytest.main([f"{tests}::{TEST}", "--tb=short", "--maxfail=3"], plugins=[failures])
    for seed in failures.seeds:
        sys.stderr.write(f"seed {seed} failed; again: python -m tests.brain.interference 1 --seed {seed}\n")
    return int(ended)


if __name__ == "__main__":
    sys.exit(main())
