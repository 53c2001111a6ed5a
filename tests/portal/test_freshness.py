"""The line above a page: what a reader should know of the tree, and nothing while all is fresh."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from brain.pages.builds import CHARTED, chart_of, steps_of
from brain.pages.freshness import banner_of
from brain.store.builds import BuildRow
from brain.store.protocol import Envelope
from tests.portal.given_brain import given_brain, given_sync
from tests.portal.test_rooms import html_of

NOW = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)
COMMIT, TIP = "a41c9e7" + "0" * 33, "d0b7f12" + "0" * 33
ROOMS = ("tree", "read?node=standards/money.md", "broken", "")


def an_envelope(*, minutes: float | None = 1, **facts) -> Envelope:
    synced = None if minutes is None else NOW - timedelta(minutes=minutes)
    usual = {
        "project": "x",
        "branch": "main",
        "commit": COMMIT,
        "tip": COMMIT,
        "behind": 0,
        "built_at": NOW,
        "synced_at": synced,
        "state": "ready",
    }
    return Envelope(**usual | facts)


def told(envelope: Envelope, sync_minutes: int = 5) -> str:
    banner = banner_of(envelope, NOW, sync_minutes)
    return f"{banner.tone}: {banner.news} {banner.then}" if banner else ""


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({}, ""),
        ({"minutes": 14.9}, ""),
        (
            {"minutes": 15.1},
            "gold: The mirror was not synced since 1 Dec, 11:44 UTC. Newer commits may be missing.",
        ),
        ({"minutes": None}, "gold: The mirror was not synced yet. Newer commits may be missing."),
        ({"state": "failed"}, "bad: The last build failed. You read the tree of the last good one."),
        ({"state": "failed", "commit": ""}, ""),
        ({"state": "off", "behind": 3, "tip": TIP}, ""),
        ({"state": "not-built", "commit": "", "behind": None}, ""),
        ({"behind": 3, "tip": TIP}, "gold: 3 commits behind. You read a41c9e7; the branch is at d0b7f12."),
        ({"behind": 1, "tip": TIP}, "gold: 1 commit behind. You read a41c9e7; the branch is at d0b7f12."),
        (
            {"behind": 1000, "tip": TIP},
            "gold: 1,000+ commits behind. You read a41c9e7; the branch is at d0b7f12.",
        ),
        (
            {"behind": None, "tip": TIP},
            "gold: The branch has moved away. You read a41c9e7, which it does not hold.",
        ),
        ({"behind": None, "tip": ""}, "gold: The branch is gone. You read a41c9e7, which it does not hold."),
        ({"behind": 3, "tip": TIP, "state": "queued"}, ""),
        ({"behind": 3, "tip": TIP, "state": "indexing"}, ""),
        (
            {"behind": 3, "tip": TIP, "state": "queued", "minutes": 3},
            "gold: 3 commits behind. You read a41c9e7; the branch is at d0b7f12.",
        ),
    ],
)
def test_the_line_says_what_is_not_fresh(facts, words):
    assert told(an_envelope(**facts)) == words


@pytest.mark.parametrize(
    ("every", "minutes", "is_stale"),
    [(1, 14, False), (5, 16, True), (10, 29, False), (10, 31, True), (0, 9_999, False)],
)
def test_a_mirror_is_stale_after_three_missed_syncs_but_not_before_a_quarter_of_an_hour(
    every, minutes, is_stale
):
    assert bool(told(an_envelope(minutes=minutes), every)) is is_stale


@pytest.mark.parametrize("room", ROOMS)
def test_a_fresh_tree_has_no_line(rolf, room):
    assert 'class="note slim"' not in html_of(rolf, f"/projects/lending/brain/{room}".rstrip("/"))


@pytest.mark.parametrize("room", ROOMS)
def test_a_stale_mirror_is_told_on_every_page_of_the_project(rolf, room):
    given_sync("lending", minutes=60)
    html = html_of(rolf, f"/projects/lending/brain/{room}".rstrip("/"))
    assert "The mirror was not synced since" in html
    assert ("State of the Brain</a>" in html) == bool(room)


def test_a_failed_build_is_told_in_the_bar_and_once_on_the_page(rolf):
    given_brain("lending", state="failed", error="budget: Too much text.")
    for room in ROOMS:
        html = html_of(rolf, f"/projects/lending/brain/{room}".rstrip("/"))
        assert html.count("last build failed") == 2


def a_build(number: int, *, seconds: float, kind: str = "whole", outcome: str = "ready") -> BuildRow:
    return BuildRow(
        number=number,
        commit=COMMIT,
        kind=kind,
        asked_by="",
        started_at=NOW,
        seconds=seconds,
        outcome=outcome,
        error="",
    )


def percent(text: str) -> float:
    return float(text.removesuffix("%"))


@pytest.mark.parametrize("longest", [0.0, 0.04, 0.1, 0.9, 1.0, 1.01, 15.2, 599.0, 6_000.0])
def test_every_bar_is_seen_and_stays_in_the_chart(longest):
    chart = chart_of([a_build(2, seconds=longest), a_build(1, seconds=longest / 1_000)])
    for bar in chart.bars:
        assert percent(bar.height) >= 1
        assert percent(bar.y) >= 0
        assert percent(bar.y) + percent(bar.height) == pytest.approx(100, abs=0.02)
    top, half, nothing = map(float, chart.scale)
    assert (half, nothing) == (pytest.approx(top / 2), 0)
    assert longest <= top


@pytest.mark.parametrize("count", [1, 2, CHARTED])
def test_the_newest_build_stands_at_the_right(count):
    chart = chart_of([a_build(count - place, seconds=1) for place in range(count)])
    places = [percent(bar.x) for bar in chart.bars]
    assert places == sorted(places)
    assert 97 < places[-1] < 100


def test_a_chart_says_its_sentence():
    builds = [
        a_build(3, seconds=9, outcome="failed"),
        a_build(2, seconds=1.2, kind="incremental"),
        a_build(1, seconds=15.25),
    ]
    words = "Build times: 1 whole, the longest 15.2 seconds; 1 incremental, the longest 1.2 seconds; 1 failed, the longest 9.0 seconds."
    assert chart_of(builds).words == words
    assert chart_of([]) is None


@pytest.mark.parametrize("progress", [None, {"phase": "nap", "done": 1, "total": 2}])
def test_a_build_that_waits_is_at_no_step(progress):
    assert not any(step.is_current or step.is_past for step in steps_of(progress))
