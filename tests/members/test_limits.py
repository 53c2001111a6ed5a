"""Limits: exact in every process, told in headers, and forgotten after their minute."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import timedelta
from threading import Barrier, Event

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import connection, connections, transaction
from django.db.models.functions import Now
from django.test import override_settings

from config.rates import RATES, rate_limits
from members import limits
from members.errors import RateLimited
from members.models import RateWindow
from tests.members.given_tokens import at_once

FEW = override_settings(RATE_LIMITS={"default": 3, "search": 2, "auth": 2, "concurrent": 2})


@pytest.fixture(autouse=True)
def few():
    with FEW:
        yield


def aged(seconds: int) -> None:
    RateWindow.objects.update(opened_at=Now() - timedelta(seconds=seconds))


# In a minute


@pytest.mark.django_db
def test_a_limit_is_taken_from_until_nothing_is_left():
    assert [limits.take("token:a", "default").remaining for _ in range(3)] == [2, 1, 0]
    for _ in range(2):
        with pytest.raises(RateLimited):
            limits.take("token:a", "default")


@pytest.mark.django_db
def test_callers_and_kinds_are_counted_apart():
    for _ in range(3):
        limits.take("token:a", "default")
    assert limits.take("token:b", "default").remaining == 2
    assert limits.take("token:a", "search").remaining == 1


@pytest.mark.django_db
def test_one_request_can_cost_several():
    assert limits.take("token:a", "default", cost=3).remaining == 0
    with pytest.raises(RateLimited):
        limits.take("token:a", "default")


@pytest.mark.django_db
@pytest.mark.parametrize("elsewhere", [61, -61])
def test_after_a_minute_all_of_it_is_there_again(elsewhere):
    limits.take("token:a", "default", cost=3)
    aged(elsewhere)
    taken = limits.take("token:a", "default")
    assert (taken.remaining, taken.reset) == (2, 60)


@pytest.mark.django_db
def test_within_the_minute_it_is_not():
    limits.take("token:a", "default", cost=3)
    aged(58)
    with pytest.raises(RateLimited) as refused:
        limits.take("token:a", "default")
    assert refused.value.wait in (1, 2)


@pytest.mark.django_db
def test_headers_tell_the_limit_and_what_is_left():
    limits.take("token:a", "default")
    aged(18)
    headers = limits.headers_of(limits.take("token:a", "default"))
    assert headers == {
        "RateLimit-Policy": '"default";q=3;w=60',
        "RateLimit": '"default";r=1;t=42',
        "X-RateLimit-Limit": "3",
        "X-RateLimit-Remaining": "1",
        "X-RateLimit-Reset": "42",
    }


@pytest.mark.django_db
def test_a_refusal_tells_how_long_to_wait_and_the_same_headers():
    limits.take("token:a", "default", cost=3)
    aged(18)
    with pytest.raises(RateLimited) as refused:
        limits.take("token:a", "default")
    assert refused.value.wait == 42
    assert refused.value.headers["RateLimit"] == '"default";r=0;t=42'
    assert "42 seconds" in str(refused.value)


@pytest.mark.django_db
def test_taking_is_one_statement(django_assert_num_queries):
    limits.take("token:a", "default")
    with django_assert_num_queries(1):
        limits.take("token:a", "default")


@pytest.mark.django_db
def test_windows_are_swept_an_hour_after_they_opened():
    for key in ("old", "new"):
        limits.take(key, "default")
    RateWindow.objects.filter(key="old").update(opened_at=Now() - timedelta(hours=1, seconds=1))
    limits.sweep()
    assert list(RateWindow.objects.values_list("key", flat=True)) == ["new"]


@pytest.mark.django_db(transaction=True)
def test_sweeping_waits_for_nobody():
    limits.take("old", "default")
    aged(4_000)
    with transaction.atomic():
        limits.take("old", "search")
        RateWindow.objects.select_for_update().get(policy="default")
        (swept,) = at_once(1, lambda _: sweep_soon(), threads=1)
    assert swept == 1


def sweep_soon() -> int:
    """How many windows are there after a sweep that may not wait."""
    with connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = '5s'")
    limits.sweep()
    return RateWindow.objects.count()


@pytest.mark.django_db
def test_its_table_costs_no_write_ahead_log():
    with connection.cursor() as cursor:
        cursor.execute("SELECT relpersistence FROM pg_class WHERE relname = 'members_ratewindow'")
        assert cursor.fetchone() == ("u",)


@pytest.mark.django_db
def test_failed_attempts_are_counted_by_address_and_of_ipv6_by_network():
    for address in ("192.0.2.1", "192.0.2.2", "2001:db8::1", "2001:db8::2", "2001:db8:0:1::1"):
        limits.take_attempt(address)
    limits.take_attempt("192.0.2.1")
    for address in ("192.0.2.1", "2001:db8::3"):
        with pytest.raises(RateLimited):
            limits.take_attempt(address)


@pytest.mark.django_db(transaction=True)
def test_many_at_once_are_counted_exactly():
    with override_settings(RATE_LIMITS={"default": 200}):
        made = at_once(300, lambda _: limits.take("token:a", "default"))
    assert sum(isinstance(each, RateLimited) for each in made) == 100
    assert sorted(each.remaining for each in made if isinstance(each, limits.Taken)) == list(range(200))
    assert RateWindow.objects.get().count == 300


# At once


@contextmanager
def held_elsewhere(key: str, times: int) -> Iterator[None]:
    """So many answers in work for the caller, each in a session of its own."""
    inside, leave = Barrier(times + 1), Event()

    def hold() -> None:
        try:
            with limits.slot(key):
                inside.wait(timeout=30)
                leave.wait(timeout=30)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(times) as pool:
        holders = [pool.submit(hold) for _ in range(times)]
        inside.wait(timeout=30)
        try:
            yield
        finally:
            leave.set()
    for each in holders:
        each.result()


@pytest.mark.django_db(transaction=True)
def test_only_so_many_answers_are_in_work_at_once():
    with held_elsewhere("token:a", 2):
        with pytest.raises(RateLimited) as refused, limits.slot("token:a"):
            pass
        with limits.slot("token:b"):
            assert locks_held() == 1
    assert refused.value.wait == 1
    with limits.slot("token:a"):
        assert locks_held() == 1


def locks_held() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()")
        return cursor.fetchone()[0]


@pytest.mark.django_db
def test_a_slot_is_free_again_whatever_became_of_its_answer():
    with limits.slot("token:a"):
        assert locks_held() == 1
    assert locks_held() == 0
    with pytest.raises(ZeroDivisionError), limits.slot("token:a"):
        1 / 0  # noqa: B018
    assert locks_held() == 0


@pytest.mark.django_db(transaction=True)
def test_a_slot_whose_session_broke_is_free_too():
    def broken(_: int) -> None:
        with limits.slot("token:a"), connection.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")

    with override_settings(RATE_LIMITS={"concurrent": 1}):
        (error,) = at_once(1, broken, threads=1)
        assert "terminating connection" in str(error)
        with limits.slot("token:a"):
            assert locks_held() == 1


# Set


@pytest.mark.django_db
def test_without_limits_nothing_is_counted():
    with override_settings(RATE_LIMITS=rate_limits("off")):
        assert limits.take("token:a", "default", cost=10**6) is None
        limits.take_attempt("192.0.2.1")
        with limits.slot("token:a"):
            assert locks_held() == 0
    assert not RateWindow.objects.exists()


def test_the_limits_when_nobody_says():
    assert rate_limits(RATES) == {"default": 300, "search": 120, "changes": 20, "auth": 30, "concurrent": 8}


def test_what_is_left_out_stays_as_it_is():
    assert rate_limits(" search=7 , auth=1") == rate_limits(RATES) | {"search": 7, "auth": 1}


@pytest.mark.parametrize("told", ["", "x", "default", "default=", "default=0", "default=-1", "default=1.5",
                                  "default=1000000", "defaults=1", "default=1;search=2", "default=1,", "OFF",
                                  "default=²"])  # fmt: skip
def test_anything_else_is_refused_with_what_to_write(told):
    with pytest.raises(ImproperlyConfigured, match=r"RATE_LIMITS has .*write off, or name=number"):
        rate_limits(told)
