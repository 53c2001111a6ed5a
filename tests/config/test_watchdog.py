"""When a cluster is judged to be stuck."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.supervisor.desk import Sight
from config.supervisor.watchdog import STARTS_WITHIN, STUCK_AFTER, Judgement


def judged(sights: list[Sight]) -> list[bool]:
    """The judgements of looks that are a second apart."""
    judgement = Judgement()
    return [judgement.is_stuck(sight, float(second)) for second, sight in enumerate(sights)]


def seen(*, waiting: bool = True, at_work: bool = False, beat: int = 1) -> Sight:
    return Sight(waiting, at_work, beat)


def test_work_that_nobody_begins_is_a_stuck_cluster() -> None:
    looks = int(STUCK_AFTER)
    assert judged([seen()] * (looks + 1)) == [False] * looks + [True]


def test_after_the_cure_judging_begins_anew() -> None:
    looks = int(STUCK_AFTER) + 1
    assert sum(judged([seen()] * looks * 3)) == 3


@pytest.mark.parametrize(
    "relief", [seen(at_work=True), seen(waiting=False), seen(beat=2)], ids=["at work", "no work", "a beat"]
)
def test_one_sign_of_life_starts_the_wait_again(relief: Sight) -> None:
    looks = int(STUCK_AFTER)
    after = Sight(waiting=True, at_work=False, beat=relief.beat)
    assert not any(judged([seen()] * looks + [relief] + [after] * (looks - 1)))


def test_a_cluster_that_comes_up_gets_longer() -> None:
    looks = int(STARTS_WITHIN)
    assert judged([seen(beat=0)] * (looks + 1)) == [False] * looks + [True]


@given(st.lists(st.builds(seen, waiting=st.booleans(), at_work=st.booleans(), beat=st.integers(1, 2))))
def test_a_cluster_that_was_at_work_lately_is_never_stuck(sights: list[Sight]) -> None:
    looks = int(STUCK_AFTER)
    for second, stuck in enumerate(judged(sights)):
        lately = sights[max(0, second - looks) : second + 1]
        assert not (stuck and any(sight.at_work for sight in lately))
