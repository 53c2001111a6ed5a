"""Whatever a history did, its Brain holds the rows of a whole build, and many of its builds were incremental."""

from __future__ import annotations

from itertools import batched

import pytest

from tests.brain.living import seeds
from tests.brain.living.growing import grown
from tests.brain.living.shrinking import shrunk, told
from tests.brain.living.standing import INCREMENTAL, lived

AT_ONCE = 10  # histories of one test: emptying the database between two tests takes as long as a history
LEAST_SHARE = 0.5  # of all builds after the first; the others are forced, or change too much


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("group", [*batched(seeds(), AT_ONCE)], ids=lambda group: f"{group[0]}-{group[-1]}")
def test_incremental_builds_make_the_rows_of_whole_builds(group):
    kinds = []
    for seed in group:
        wrong, had = lived(grown(seed))
        assert not wrong, _explained(seed)
        kinds += had[1:]
    if len(group) == AT_ONCE:
        assert kinds.count(INCREMENTAL) >= LEAST_SHARE * len(kinds), kinds


def _explained(seed: int) -> str:
    history = shrunk(grown(seed), lambda candidate: bool(lived(candidate)[0]))
    wrong, kinds = lived(history)
    return "\n".join([told(history), f"kinds: {kinds}", *wrong[:20]])
