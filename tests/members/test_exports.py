"""Activities found and told: by time, actor, action, token and node; as JSON, JSON lines and CSV."""

from __future__ import annotations

import csv
import io
import json
import uuid
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from members import exports, tokens
from members.callers import OPERATOR, SYSTEM, Door
from members.errors import InvalidArgument
from members.exports import (
    ActivityFilter,
    activities,
    activity_json,
    csv_rows,
    every_activity,
    ndjson_lines,
)
from members.forms.activity import ActivityQuery
from members.models import Activity, Role
from tests.members.given_activity import CLEANED, HOSTILE, a_caller, a_member, a_project, noted

DAY = datetime(2026, 11, 30, tzinfo=UTC)


# Which


@pytest.mark.django_db
def test_the_newest_come_first_and_all_are_counted():
    rows = [noted(target=str(turn)) for turn in range(5)]
    found, total = activities(ActivityFilter(offset=1, limit=2), None)
    assert (found, total) == ([rows[3], rows[2]], 5)


@pytest.mark.django_db
def test_a_project_has_its_own_and_everybodys_are_all():
    project = a_project()
    ours, none = noted(project=project), noted("auth.failed")
    assert found(ActivityFilter(), project) == [ours]
    assert found(ActivityFilter()) == [none, ours]


@pytest.mark.django_db
def test_each_filter_finds_what_it_names_and_nothing_else():
    project = a_project()
    ada = a_member("ada", project, Role.MEMBER)
    token, _ = tokens.issue(a_caller(ada), ada, name="laptop", project=project)
    by_token = noted("brain.read", by=a_caller(ada, token=token, door=Door.API), target="a.md")
    by_operator = noted("brain.search", by=OPERATOR, target="a.md#b")
    denied = noted("access.denied", by=a_caller(a_member("operator")))
    failed = noted("auth.failed", by=a_caller())
    assert found(ActivityFilter(action="brain.read")) == [by_token]
    assert found(ActivityFilter(action="brain.")) == [by_operator, by_token]
    assert found(ActivityFilter(action="brain")) == []
    assert found(ActivityFilter(node="a.md")) == [by_token]
    assert found(ActivityFilter(token=str(token.pk))) == [by_token]
    assert found(ActivityFilter(token=token.digest[:8].upper())) == [by_token]
    assert found(ActivityFilter(actor="ada"))[0] == by_token
    assert found(ActivityFilter(actor="ad")) == []
    assert found(ActivityFilter(actor="operator")) == [denied, by_operator]
    assert found(ActivityFilter(actor="anonymous")) == [failed]
    assert found(ActivityFilter(actor="ada", action="token.create", node="laptop")) != []
    assert found(ActivityFilter(actor="ada", action="token.create", node="a.md")) == []


@pytest.mark.django_db
def test_a_time_is_a_bound_that_counts():
    first, second = noted(), noted()
    assert found(ActivityFilter(since=second.at)) == [row for row in (second, first) if row.at >= second.at]
    assert found(ActivityFilter(until=second.at)) == [second, first]
    assert found(ActivityFilter(since=first.at, until=first.at))[-1] == first
    assert found(ActivityFilter(until=first.at - timedelta(milliseconds=1))) == []
    assert found(ActivityFilter(since=second.at + timedelta(milliseconds=1))) == []


# All of them


@pytest.mark.django_db
def test_an_export_goes_through_every_page(monkeypatch):
    monkeypatch.setattr(exports, "PAGE", 3)
    rows = [noted(target=str(turn)) for turn in range(8)]
    assert exported(ActivityFilter(limit=None)) == rows[::-1]
    assert exported(ActivityFilter(limit=4)) == rows[:3:-1]
    assert exported(ActivityFilter(limit=3, offset=2)) == rows[5:2:-1]
    assert exported(ActivityFilter(limit=None, node="1")) == [rows[1]]
    assert exported(ActivityFilter(limit=None, node="none")) == []


@pytest.mark.django_db
def test_an_export_tells_nothing_that_was_done_after_it_began(monkeypatch):
    monkeypatch.setattr(exports, "PAGE", 3)
    rows = [noted(target=str(turn)) for turn in range(5)]
    going = every_activity(ActivityFilter(limit=None), None, still_open=lambda: True)
    begun = [next(going)]
    noted(target="later")
    assert begun + list(going) == rows[::-1]


@pytest.mark.django_db
def test_an_export_ends_at_the_next_page_once_its_reader_has_lost_access():
    noted()
    Activity.objects.bulk_create(
        Activity(chain=uuid.UUID(int=0), actor_type="system", door="system", action="x") for _ in range(2_500)
    )
    answers = iter([True, False])
    told = list(every_activity(ActivityFilter(limit=None), None, still_open=lambda: next(answers)))
    assert len(told) == 2_000


# In which form


@pytest.mark.django_db
def test_json_tells_who_by_which_door_with_what():
    project = a_project()
    ada = a_member("ada", project, Role.MEMBER)
    token, _ = tokens.issue(a_caller(ada), ada, name="laptop", project=project)
    caller = a_caller(ada, token=token, door=Door.MCP, request_id=str(uuid.uuid4()))
    row = noted(by=caller, project=project, target="a.md", details={"lines": "1-3"})
    assert activity_json(row) == {
        "id": row.pk,
        "number": 2,
        "at": row.at.strftime("%Y-%m-%dT%H:%M:%S.") + f"{row.at.microsecond // 1000:03}Z",
        "actor": {"type": "member", "id": ada.pk, "name": "ada"},
        "door": "mcp",
        "auth": {
            "kind": "token",
            "tokenId": str(token.pk),
            "tokenName": "laptop",
            "tokenHash": token.digest[:8],
        },
        "ip": "192.0.2.7",
        "agent": "Firefox",
        "action": "brain.read",
        "projectId": str(project.pk),
        "project": "handbook",
        "target": "a.md",
        "details": {"lines": "1-3"},
        "status": 200,
        "reason": "",
        "requestId": caller.request_id,
        "prevHash": row.prev_hash,
        "hash": row.hash,
    }


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("caller", "kind"), [(a_caller(), "none"), (OPERATOR, "none"), (SYSTEM, "none"), (None, "session")]
)
def test_without_a_token_a_member_has_a_session_and_others_have_nothing(caller, kind):
    row = noted(by=caller or a_caller(a_member("ada")))
    told = activity_json(row)
    assert (told["auth"]["kind"], told["projectId"], told["requestId"]) == (kind, None, None)


@pytest.mark.django_db
def test_hostile_text_comes_back_as_it_was_kept_from_every_form():
    noted(
        by=a_caller(a_member(HOSTILE), agent=HOSTILE),
        project=a_project(),
        target=HOSTILE,
        details={"said": HOSTILE},
        reason=HOSTILE,
    )
    (line,) = ndjson_lines(Activity.objects.all())
    assert_plain(line.removesuffix("\n"))
    told = json.loads(line)
    assert told["target"] == told["agent"] == told["reason"] == told["actor"]["name"] == CLEANED

    text = "".join(csv_rows(Activity.objects.all()))
    assert_plain(text.replace("\r\n", ""))
    header, row = parsed(text)
    cells = dict(zip(header, row, strict=True))
    for name in ("target", "agent", "reason", "actorName"):
        assert cells[name] == f"'{CLEANED}", "a cell that begins with = is no formula"
        assert cells[name][1:] == CLEANED
    assert json.loads(cells["details"]) == told["details"]


@pytest.mark.django_db
def test_csv_and_json_tell_the_same():
    project = a_project()
    ada = a_member("ada", project, Role.MEMBER)
    noted(by=a_caller(ada), project=project, target="a.md", details={"lines": "1-3"})
    noted("auth.failed", status=401)
    header, *rows = parsed("".join(csv_rows(Activity.objects.order_by("pk"))))
    assert tuple(header) == exports.COLUMNS
    for row, each in zip(rows, Activity.objects.order_by("pk"), strict=True):
        told, cells = activity_json(each), dict(zip(header, row, strict=True))
        flat = told | {f"actor{name.capitalize()}": value for name, value in told["actor"].items()}
        flat |= {**told["auth"], "authKind": told["auth"]["kind"], "details": each.details}
        assert cells == {name: "" if flat[name] is None else str(flat[name]) for name in header}


@pytest.mark.django_db
def test_every_cell_is_quoted_and_lines_end_as_rfc_4180_says():
    noted(target='say "hi", you')
    header, row, end = "".join(csv_rows(Activity.objects.all())).split("\r\n")
    assert end == ""
    assert header.startswith('"id","number","at",')
    assert ',"say ""hi"", you",' in row
    assert row.count('","') == len(exports.COLUMNS) - 1


ODD = st.text(st.sampled_from("=+-@\t\r\n',\"\\ab＝＋") | st.characters(codec="utf-8"), max_size=12)


@given(st.lists(ODD, min_size=1, max_size=4))
def test_no_cell_is_a_formula_and_each_comes_back(values):
    out = io.StringIO()
    csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\r\n").writerow(map(exports._cell, values))
    (cells,) = parsed(out.getvalue())
    assert not [cell for cell in cells if cell.startswith(exports.FORMULA)]
    assert [cell.removeprefix("'") for cell in cells] == values


@pytest.mark.django_db
def test_a_row_whose_details_are_no_json_is_told_all_the_same():
    row = noted()
    row.details = "{forged"
    assert activity_json(row)["details"] == "{forged"
    assert "{forged" in "".join(csv_rows([row]))


# What may be asked


@pytest.mark.parametrize(
    ("since", "until", "bounds"),
    [
        ("2026-11-30", "2026-11-30", (DAY, DAY + timedelta(days=1) - timedelta(microseconds=1))),
        ("2026-11-30T14:06:41Z", "", (DAY.replace(hour=14, minute=6, second=41), None)),
        (
            "2026-11-30t14:06:41.5z",
            "",
            (DAY.replace(hour=14, minute=6, second=41, microsecond=500_000), None),
        ),
        ("2026-11-30T14:00:00+02:00", "2026-11-30 12:00:00Z", (DAY.replace(hour=12), DAY.replace(hour=12))),
        ("", "", (None, None)),
    ],
)
def test_a_date_is_the_whole_day_and_a_time_has_its_zone(since, until, bounds):
    wanted = ActivityQuery.parse({"since": since, "until": until}).wanted
    assert (wanted.since, wanted.until) == bounds


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"since": "tomorrow"}, "since"),
        ({"since": "2026-13-45"}, "since"),
        ({"since": "2026-W48"}, "since"),
        ({"since": "20261130"}, "since"),
        ({"until": "2026-11-30T14:06:41"}, "until"),
        ({"until": "2026-11-30T25:06:41Z"}, "until"),
        ({"until": "0001-01-01T00:00:00+10:00"}, "until"),
        ({"since": "2026-11-30", "until": "2026-11-29"}, "until"),
        ({"token": "laptop"}, "token"),
        ({"token": "1234567"}, "token"),
        ({"actor": "x" * 151}, "actor"),
        ({"node": "x" * 2_001}, "node"),
        ({"action": "x" * 41}, "action"),
        ({"offset": "20001"}, "offset"),
        ({"offset": "-1"}, "offset"),
        ({"offset": "1e3"}, "offset"),
        ({"offset": "٣"}, "offset"),
        ({"limit": "0"}, "limit"),
        ({"limit": "many"}, "limit"),
        ({"format": "xml"}, "format"),
        ({"format": "CSV"}, "format"),
    ],
)
def test_what_is_not_of_its_form_is_refused_by_its_name(asked, field):
    with pytest.raises(InvalidArgument) as refused:
        ActivityQuery.parse(asked)
    assert refused.value.field == field
    assert refused.value.told == {"errors": [{"field": field, "message": str(refused.value)}]}


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("Since", "Did you mean since?"),
        ("actors", "Did you mean actor?"),
        ("path", "There are: since, until,"),
    ],
)
def test_an_unknown_parameter_is_refused_with_the_nearest_name(name, nearest):
    with pytest.raises(InvalidArgument, match=f"There is no parameter {name}. ") as refused:
        ActivityQuery.parse({name: "x"})
    assert nearest in str(refused.value)


@pytest.mark.parametrize(
    ("asked", "limit"),
    [
        ({}, 100),
        ({"limit": "1"}, 1),
        ({"limit": "501"}, 500),
        ({"limit": "999999999999"}, 500),
        ({"format": "csv"}, None),
        ({"format": "ndjson", "limit": "5000"}, 5_000),
    ],
)
def test_a_limit_over_the_largest_becomes_it_and_an_export_is_cut_only_where_it_asks(asked, limit):
    assert ActivityQuery.parse(asked).wanted.limit == limit


@pytest.mark.django_db
def test_what_is_asked_is_cleaned_as_what_is_kept():
    row = noted(by=a_caller(a_member(HOSTILE)), target=HOSTILE)
    assert found(ActivityQuery.parse({"node": HOSTILE, "actor": HOSTILE}).wanted) == [row]


@given(
    st.dictionaries(
        st.sampled_from(["since", "until", "actor", "action", "token", "node", "offset", "limit"]), st.text()
    )
)
def test_whatever_is_asked_is_understood_or_refused(asked):
    try:
        wanted = ActivityQuery.parse(asked).wanted
    except InvalidArgument:
        return
    assert wanted.offset <= 20_000
    assert wanted.limit is not None
    assert 1 <= wanted.limit <= 500


@pytest.mark.django_db
def test_every_action_there_is_is_known_once():
    assert exports.actions_known() == []
    for action in ("brain.read", "auth.login", "brain.read", "brain.grep"):
        noted(action)
    assert exports.actions_known() == ["auth.login", "brain.grep", "brain.read"]


def found(wanted, project=None) -> list[Activity]:
    return activities(wanted, project)[0]


def exported(wanted) -> list[Activity]:
    return list(every_activity(wanted, None, still_open=lambda: True))


def parsed(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline=""), strict=True))


def assert_plain(text: str) -> None:
    assert not [character for character in text if not character.isprintable()]
    assert not set("\u202e\u2066\u200b") & set(text)
