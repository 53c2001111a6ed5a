"""`verify_activity`: whoever changes the log by force, past its triggers, is found out by the chain."""

from __future__ import annotations

import io
import json
import random
import uuid
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection, transaction

from members.activity import NO_PROJECT
from members.management.operator import ERROR, WRONG_USE
from members.models import Activity, Project
from tests.members.given_activity import HOSTILE, a_caller, a_member, a_project, noted

pytestmark = pytest.mark.django_db

SEED = 20_261_201
FORGED = {  # another value than any row has
    "id": "id + 1000000",
    "chain": "'6b0c1a52-0000-4000-8000-000000000000'",
    "number": "number + 1000",
    "at": "at + interval '1 microsecond'",
    "actor_type": "'robot'",
    "actor_id": "coalesce(actor_id, 0) + 1",
    "actor_name": "actor_name || 'x'",
    "door": "'window'",
    "token_id": "'6b0c1a52-0000-4000-8000-000000000001'",
    "token_name": "'forged'",
    "token_hash": "'forged'",
    "ip": "'192.0.2.7/24'",
    "agent": "agent || ' '",
    "action": "action || '.x'",
    "project": "project || 'x'",
    "target": "target || E'\\n'",
    "details": '\'{"lines":"1-2"}\'',
    "status": "status + 1",
    "reason": "reason || 'x'",
    "request_id": "'6b0c1a52-0000-4000-8000-000000000002'",
    "prev_hash": "repeat('0', 64)",
    "hash": "repeat('f', 64)",
}


@pytest.fixture
def project() -> Project:
    """A project whose chain has twelve rows, beside another and the one of no project."""
    project, ada = a_project(), a_member("ada")
    for turn in range(12):
        request_id = str(uuid.uuid4()) if turn % 2 else None
        caller = a_caller(ada if turn % 3 else None, agent=HOSTILE * (turn % 4), request_id=request_id)
        noted(by=caller, project=project, target=f"kö/{turn}.md", details={"commit": "é" * turn})
    noted(project=a_project("other"))
    noted("auth.failed", target=HOSTILE, status=401)
    return project


def test_a_log_as_it_was_written_is_whole(project):
    told, code = verified()
    assert code == 0
    assert {(one["project"], one["number"], one["wrong"]) for one in told} == {
        ("handbook", 12, None),
        ("other", 1, None),
        ("", 1, None),
    }
    assert {one["hash"] for one in told} == set(
        Activity.objects.filter(number__in=(1, 12)).exclude(chain=project.pk, number=1).values_list("hash", flat=True)
    )  # fmt: skip


def test_every_column_is_in_the_chain():
    assert set(FORGED) == {field.column for field in Activity._meta.fields}


def test_each_of_three_hundred_forgeries_is_found_and_its_row_named_first(project):
    dice = random.Random(SEED)
    rows = dict(Activity.objects.filter(chain=project.pk).values_list("number", "pk"))
    columns = [*FORGED, *dice.choices([*FORGED], k=300 - len(FORGED))]
    for column in columns:
        number = dice.randint(1, 12)
        with undone(), by_force() as execute:
            execute(f"UPDATE members_activity SET {column} = {FORGED[column]} WHERE id = %s", [rows[number]])
            told, code = verified()
        assert code == ERROR, column
        assert first_wrong(told, project, column) in expected(column, number, rows), (column, number)


def test_a_row_taken_from_the_middle_leaves_a_gap(project):
    with by_force() as execute:
        execute("DELETE FROM members_activity WHERE chain = %s AND number = 5", [project.pk])
    wrong = wrong_of(verified()[0], project)
    assert (wrong["what"], wrong["number"], wrong["message"]) == ("gap", 6, "After number 4 comes 6.")


def test_a_row_taken_from_the_middle_is_found_although_the_later_ones_move_up(project):
    with by_force() as execute:
        execute("DELETE FROM members_activity WHERE chain = %s AND number = 5", [project.pk])
        for number in range(6, 13):
            execute(
                "UPDATE members_activity SET number = %s WHERE chain = %s AND number = %s",
                [number - 1, project.pk, number],
            )
    wrong = wrong_of(verified()[0], project)
    assert (wrong["what"], wrong["number"]) == ("prev", 5)


def test_a_row_put_in_between_is_found(project):
    with by_force() as execute:
        execute("UPDATE members_activity SET number = -number WHERE chain = %s AND number > 5", [project.pk])
        execute(
            "UPDATE members_activity SET number = 1 - number WHERE chain = %s AND number < 0", [project.pk]
        )
        execute(
            "INSERT INTO members_activity SELECT (copy).* FROM (SELECT jsonb_populate_record(one,"
            ' \'{"id": 999999, "number": 6}\') AS copy FROM members_activity one'
            " WHERE chain = %s AND number = 5) forged",
            [project.pk],
        )
    assert wrong_of(verified()[0], project)["id"] == 999_999


def test_two_rows_that_changed_places_are_found(project):
    with by_force() as execute:
        for old, new in ((3, -3), (8, 3), (-3, 8)):
            execute(
                "UPDATE members_activity SET number = %s WHERE chain = %s AND number = %s",
                [new, project.pk, old],
            )
    assert wrong_of(verified()[0], project)["number"] == 3


def test_a_cut_tail_is_found_with_the_head_that_was_noted_before(project, tmp_path):
    heads = noted_heads(tmp_path)
    with by_force() as execute:
        execute("DELETE FROM members_activity WHERE chain = %s AND number > 9", [project.pk])
    assert verified()[1] == 0, "a shorter chain is whole in itself"
    told, code = verified("--heads", str(heads))
    assert (code, wrong_of(told, project)["what"]) == (ERROR, "cut")


def test_a_chain_that_is_gone_altogether_is_found_with_its_noted_head(project, tmp_path):
    heads = noted_heads(tmp_path)
    with by_force() as execute:
        execute("DELETE FROM members_activity WHERE chain = %s", [project.pk])
    told, code = verified("--heads", str(heads))
    assert (code, wrong_of(told, project)["what"]) == (ERROR, "cut")


def test_a_chain_that_was_written_anew_is_found_with_its_noted_head(project, tmp_path):
    heads = noted_heads(tmp_path)
    kept = list(Activity.objects.filter(chain=project.pk).order_by("number"))
    with by_force() as execute:
        execute("DELETE FROM members_activity WHERE chain = %s", [project.pk])
    for row in kept:
        row.pk, row.actor_name = None, "eve"
        row.save(force_insert=True)
    assert verified()[1] == 0
    told, code = verified("--heads", str(heads))
    assert (code, wrong_of(told, project)["what"], wrong_of(told, project)["number"]) == (ERROR, "head", 12)


def test_heads_noted_at_several_times_are_all_looked_for(project, tmp_path):
    heads = noted_heads(tmp_path)
    noted(project=project)
    heads.write_text(heads.read_text() + noted_heads(tmp_path, "later").read_text())
    noted(project=project)
    assert verified("--heads", str(heads))[1] == 0


def test_one_project_can_be_verified_alone(project, tmp_path):
    heads = noted_heads(tmp_path)
    with by_force() as execute:
        execute("UPDATE members_activity SET status = 500 WHERE chain = %s", [NO_PROJECT])
    told, code = verified("--project", "handbook", "--heads", str(heads))
    assert (code, [one["project"] for one in told]) == (0, ["handbook"])
    assert verified()[1] == ERROR


def test_the_words_name_the_chain_its_head_and_the_first_bad_row(project):
    with by_force() as execute:
        execute(
            "UPDATE members_activity SET reason = 'x' WHERE chain = %s AND number IN (4, 9)", [project.pk]
        )
    out, err, code = ran()
    row = Activity.objects.get(chain=project.pk, number=4)
    head = Activity.objects.get(chain=project.pk, number=12).hash
    assert (
        f"handbook: head 12 {head}\n  BROKEN at number 4, id {row.pk}: It is not what its hash was made of.\n"
        in out
    )
    assert (err, code) == ("1 chain of the activity log can't be trusted.\n", ERROR)


def test_an_empty_log_is_whole():
    assert verified() == ([], 0)


@pytest.mark.parametrize(
    "text", ["no json", '{"chain": "x", "number": 1, "hash": ""}', '{"number": 1}', "[1]"]
)
def test_a_file_that_holds_no_heads_is_refused(tmp_path, text):
    (tmp_path / "heads").write_text(text)
    assert ran("--heads", str(tmp_path / "heads"))[2] == WRONG_USE
    assert ran("--heads", str(tmp_path / "missing"))[2] == WRONG_USE


def test_a_project_that_does_not_exist_is_refused():
    assert ran("--project", "missing")[1:] == ("No such project, or no access to it.\n", ERROR)


@contextmanager
def by_force():
    """What the database's superuser can do: statements past the triggers."""
    with connection.cursor() as cursor:
        cursor.execute(
            "ALTER TABLE members_activity DISABLE TRIGGER activity_stays, DISABLE TRIGGER activity_chain"
        )
        yield cursor.execute
        cursor.execute(
            "ALTER TABLE members_activity ENABLE TRIGGER activity_stays, ENABLE TRIGGER activity_chain"
        )


@contextmanager
def undone():
    """A block that leaves nothing behind."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def ran(*arguments: str) -> tuple[str, str, int]:
    out, err, code = io.StringIO(), io.StringIO(), 0
    try:
        call_command("verify_activity", *arguments, stdout=out, stderr=err, no_color=True)
    except SystemExit as end:
        code = int(end.code or 0)
    return out.getvalue(), err.getvalue(), code


def verified(*arguments: str) -> tuple[list[dict], int]:
    out, _, code = ran("--json", *arguments)
    return [json.loads(line) for line in out.split("\n") if line], code


def noted_heads(folder: Path, name: str = "heads") -> Path:
    (folder / name).write_text(ran("--json")[0])
    return folder / name


def wrong_of(told: list[dict], project: Project) -> dict:
    (wrong,) = [one["wrong"] for one in told if one["chain"] == str(project.pk)]
    return wrong


def first_wrong(told: list[dict], project: Project, column: str) -> tuple:
    """The chain of the project tells it; a row that was given to another chain is missed only at the end."""
    wrongs = [one["wrong"] for one in told if one["wrong"]]
    assert len(wrongs) == (1 if column != "chain" else len(wrongs))
    ours = [one["wrong"] for one in told if one["chain"] == str(project.pk) and one["wrong"]]
    wrong = (ours or wrongs)[0]
    return wrong["what"], wrong["number"], wrong["id"]


def expected(column: str, number: int, rows: dict[int, int]) -> list[tuple]:
    if column == "chain":  # the next row is the first that is wrong, or the moved one where it came to
        return [
            ("gap", number + 1, rows.get(number + 1)),
            ("gap", number, rows[number]),
            ("hash", 1, rows[1]),
        ]
    if column == "number":
        return [("gap", number + 1, rows.get(number + 1)), ("gap", number + 1_000, rows[number])]
    if column == "id":
        return [("hash", number, rows[number] + 1_000_000)]
    return [("prev" if column == "prev_hash" else "hash", number, rows[number])]
