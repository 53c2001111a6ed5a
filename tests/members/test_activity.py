"""The activity log: numbered and chained by the database, only ever added to, harmless to read."""

from __future__ import annotations

import uuid
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from django.db import DatabaseError, connection, connections, transaction

from members.activity import NO_PROJECT, record
from members.callers import OPERATOR, SYSTEM
from members.counting import count_read
from members.models import Activity, ReadCount
from tests.members.given_activity import CLEANED, HOSTILE, a_caller, a_member, a_project, noted


@pytest.mark.django_db
def test_an_activity_tells_who_did_what_by_which_door_from_where():
    project, ada = a_project(), a_member("ada")
    caller = a_caller(ada, request_id=str(uuid.uuid4()))
    row = noted(by=caller, project=project, target="a.md", details={"lines": "1-3"}, status=304)
    assert (row.actor_type, row.actor_id, row.actor_name, row.door) == ("member", ada.pk, "ada", "portal")
    assert (row.chain, row.project, row.target, row.details) == (
        project.pk, "handbook", "a.md", '{"lines": "1-3"}',
    )  # fmt: skip
    assert (row.ip, row.agent, str(row.request_id)) == ("192.0.2.7", "Firefox", caller.request_id)
    assert (row.action, row.status, row.token_id) == ("brain.read", 304, None)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("caller", "kind"), [(OPERATOR, "operator"), (SYSTEM, "system"), (a_caller(), "anonymous")]
)
def test_who_is_no_member_is_told_apart(caller, kind):
    assert noted(by=caller).actor_type == kind


@pytest.mark.django_db
def test_the_database_gives_number_time_and_hashes_whatever_is_handed_in():
    told = {"number": 99, "at": datetime(2000, 1, 1, tzinfo=UTC), "prev_hash": "x", "hash": "y"}
    first, second = (
        Activity.objects.create(chain=NO_PROJECT, actor_type="system", door="system", action="a", **told)
        for _ in range(2)
    )
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.number, second.number) == (1, 2)
    assert (first.prev_hash, second.prev_hash) == ("", first.hash)
    assert len(first.hash) == 64
    assert abs(datetime.now(UTC) - first.at) < timedelta(minutes=5)
    assert first.at.microsecond % 1_000 == 0


@pytest.mark.django_db
def test_each_project_has_a_chain_of_its_own():
    one, other = a_project("one"), a_project("other")
    rows = [noted(project=project) for project in (one, other, None, one)]
    assert [row.number for row in rows] == [1, 1, 1, 2]
    assert rows[3].prev_hash == rows[0].hash


@pytest.mark.django_db
def test_rows_that_come_in_one_statement_are_chained_too():
    rows = [Activity(chain=NO_PROJECT, actor_type="system", door="system", action="a") for _ in range(3)]
    Activity.objects.bulk_create(rows)
    assert_whole(Activity.objects.order_by("number"))


@pytest.mark.django_db
@pytest.mark.parametrize(
    "deed",
    [
        lambda row: Activity.objects.update(actor_name="eve"),
        lambda row: Activity.objects.filter(pk=row.pk).delete(),
        lambda row: row.delete(),
        lambda row: row.save(),
        lambda row: Activity.objects.bulk_update([row], ["reason"]),
        lambda row: execute("UPDATE members_activity SET hash = hash"),
        lambda row: execute("DELETE FROM members_activity"),
        lambda row: execute(
            "INSERT INTO members_activity SELECT * FROM members_activity ON CONFLICT (id) DO UPDATE SET door = 'x'"
        ),
        lambda row: execute("TRUNCATE members_activity"),
    ],
)
def test_no_row_is_changed_or_removed_by_any_statement(deed):
    row = noted()
    before = Activity.objects.values().get()
    # The tests' own database empties the table between tests; an installation's never does.
    execute("ALTER TABLE members_activity ENABLE TRIGGER activity_is_never_emptied")
    with pytest.raises(DatabaseError, match="activities are only ever added"), transaction.atomic():
        deed(row)
    assert Activity.objects.values().get() == before


@pytest.mark.django_db(transaction=True)
def test_a_change_that_is_rolled_back_leaves_no_row_and_no_gap():
    project = a_project()
    noted(project=project)
    with transaction.atomic():
        noted("project.change", project=project)
        transaction.set_rollback(True)
    noted("brain.read", project=project)
    rows = Activity.objects.order_by("number")
    assert [(row.number, row.action) for row in rows] == [(1, "brain.read"), (2, "brain.read")]
    assert_whole(rows)


@pytest.mark.django_db(transaction=True)
def test_eight_at_once_make_one_chain_without_gap_and_fork():
    project = a_project()

    def write(number: int) -> None:
        try:
            for turn in range(50):
                record(SYSTEM, "brain.read", project=project, target=f"{number}-{turn}")
        finally:
            connections.close_all()

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(write, range(8)))
    rows = list(Activity.objects.order_by("number"))
    assert len({row.target for row in rows}) == 400
    assert_whole(rows)
    assert all(before.at <= after.at for before, after in pairwise(rows))


@pytest.mark.django_db
def test_hostile_text_is_cleaned_where_it_comes_in():
    row = noted(by=a_caller(a_member(HOSTILE), agent=HOSTILE), target=HOSTILE, reason=HOSTILE)
    assert row.actor_name == row.agent == row.target == row.reason == CLEANED


@pytest.mark.django_db
def test_reads_that_are_counted_add_up_by_day_member_token_and_action():
    project, ada = a_project(), a_member("ada")
    for action in ("brain.tree", "brain.tree", "brain.lookup"):
        count_read(a_caller(ada), project, action)
    count_read(OPERATOR, project, "brain.tree")
    counts = ReadCount.objects.order_by("member_id", "action").values_list("member_id", "action", "count")
    assert list(counts) == [(0, "brain.tree", 1), (ada.pk, "brain.lookup", 1), (ada.pk, "brain.tree", 2)]


def execute(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


def assert_whole(rows) -> None:
    rows = list(rows)
    assert [row.number for row in rows] == list(range(1, len(rows) + 1))
    assert [row.prev_hash for row in rows] == ["", *(row.hash for row in rows[:-1])]
