"""Crash builds at large: `python -m tests.crash N [SEED]`, where N is about how many processes are killed."""

from __future__ import annotations

import os
import random
import sys
import time
from collections.abc import Callable

import tests.environment  # noqa: F401 (comes before the settings)


def main(kills: int, seed: int) -> int:
    """Play everything; 1 when something went wrong."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    from tests.crash.places import an_installation
    from tests.crash.playing import PARTS
    from tests.crash.tally import TALLY

    _say(f"seed {seed}")
    with an_installation() as place:
        for part in PARTS:
            _play(part.__name__.strip("_"), lambda part=part: part(place, kills, random.Random(seed)))
    _say(*TALLY.table())
    wrong = [line for row in TALLY.values() for line in row.wrong]
    _say(*wrong[:100])
    return int(bool(wrong))


def _play(name: str, part: Callable[[], object]) -> None:
    began = time.monotonic()
    part()
    _say(f"{name}: {time.monotonic() - began:.0f} s")


def _say(*lines: str) -> None:
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 3:
        sys.exit(__doc__)
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) == 3 else int(time.time())))
