"""Live through many histories: `python -m tests.brain.living 2000 [first seed]`."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

import pytest

from tests.brain.living import CHOSEN


def main() -> int:
    """How the run ended, as pytest tells it."""
    parser = argparse.ArgumentParser(prog="python -m tests.brain.living", description=__doc__)
    parser.add_argument("histories", type=int, nargs="?", default=2_000, help="how many")
    parser.add_argument("seed", type=int, nargs="?", default=0, help="of the first one")
    parser.add_argument("--failures", type=int, default=3, help="after how many to stop")
    asked = parser.parse_args()
    os.environ[CHOSEN] = f"{asked.seed}-{asked.seed + asked.histories - 1}"
    tests = Path(__file__).with_name("test_equal.py")
    return int(pytest.main([str(tests), "--tb=short", f"--maxfail={asked.failures}"]))


if __name__ == "__main__":
    sys.exit(main())
