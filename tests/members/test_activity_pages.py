"""The activity log as people and programs meet it: who may read it, what the page shows, what leaves a row."""

from __future__ import annotations

import csv
import io
import json
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser

import pytest
from django.conf import settings
from django.test import Client

from members import exports, tokens
from members.activity import NO_PROJECT
from members.callers import OPERATOR, Door
from members.counting import count_read
from members.models import Activity, Member, ReadCount, Role
from members.views.activity_chart import SERIES, Day, chart_of, reads_a_day
from members.views.activity_rows import words_of
from tests.given_db import PASSWORD
from tests.members.given_activity import (
    CLEANED,
    HOSTILE,
    a_caller,
    a_member,
    a_project,
    an_auditor,
    noted,
)

pytestmark = pytest.mark.django_db

PAGE, ALL = "/projects/handbook/activity", "/activity"
API = "/api/projects/handbook/activity"
BACKEND = "django.contrib.auth.backends.ModelBackend"


@pytest.fixture
def ines(project) -> Client:
    """A maintainer of the project."""
    return browser_of(a_member("ines", project, Role.MAINTAINER))


# Who may


@pytest.mark.parametrize("role", [Role.READER, Role.MEMBER])
def test_members_who_are_no_maintainers_are_refused_and_that_is_noted(project, role):
    browser = browser_of(a_member("mei", project, role))
    for address, asked in ((PAGE, "project-activity"), (API, "api-activity")):
        assert browser.get(address).status_code == 403
        row = Activity.objects.latest("pk")
        assert (row.action, row.chain, row.actor_name, row.target) == (
            "access.denied",
            project.pk,
            "mei",
            asked,
        )


def test_a_closed_project_and_a_missing_one_are_the_same(project):
    browser = browser_of(a_member("eve"))
    closed, missing = browser.get(API), browser.get("/api/projects/missing/activity")
    assert closed.status_code == missing.status_code == 404
    told = [json.loads(answer.content) for answer in (closed, missing)]
    assert [one | {"instance": ""} for one in told] == [told[0] | {"instance": ""}] * 2
    assert browser.get(PAGE).status_code == 404


def test_an_auditor_reads_every_projects_activity_without_membership(project):
    browser = browser_of(an_auditor())
    noted(project=project, target="a.md")
    for address in (PAGE, API, f"/api/projects/{project.pk}/activity", ALL):
        assert "a.md" in browser.get(address).content.decode(), address
    assert browser.get("/projects/handbook/brain").status_code == 404, "and reads nothing else"


def test_a_superuser_is_an_auditor(project):
    browser = browser_of(Member.objects.create_superuser("root"))
    assert browser.get(ALL).status_code == browser.get(PAGE).status_code == 200


def test_the_activity_of_all_projects_is_for_auditors_only(ines):
    answer = ines.get(ALL)
    assert answer.status_code == 403
    assert "Only auditors may read" in answer.content.decode()
    assert Activity.objects.latest("pk").action == "access.denied"


def test_whoever_is_not_signed_in_is_sent_to_the_door_and_a_program_is_told(project):
    assert Client().get(PAGE)["Location"] == f"/signin?next={PAGE}"
    assert Client().get(ALL)["Location"] == f"/signin?next={ALL}"
    answer = Client().get(API)
    assert (answer.status_code, answer["Content-Type"]) == (401, "application/problem+json")
    assert answer.json()["code"] == "not-signed-in"


def test_a_token_opens_no_activity(project):
    ines = a_member("ines", project, Role.MAINTAINER)
    _, raw = tokens.issue(a_caller(ines), ines, name="laptop", project=project)
    assert Client(headers={"Authorization": f"Bearer {raw}"}).get(API).status_code == 401


def test_arguments_are_judged_before_who_asks(project):
    answer = Client().get(API, {"actors": "ada"})
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid-argument")
    assert answer.json()["errors"] == [
        {"field": "actors", "message": "There is no parameter actors. Did you mean actor?"}
    ]


@pytest.mark.parametrize("address", [PAGE, API, ALL])
def test_nothing_is_written_by_these_addresses(ines, address):
    for method in ("post", "put", "patch", "delete"):
        assert getattr(ines, method)(address).status_code == 405


def test_the_tab_is_there_for_maintainers_and_auditors(project, ines):
    reader, auditor = a_member("mei", project), an_auditor()
    state = "/projects/handbook/brain"
    assert f'href="{PAGE}"' in ines.get(state).content.decode()
    assert f'href="{PAGE}"' not in browser_of(reader).get(state).content.decode()
    page = browser_of(auditor).get(PAGE).content.decode()
    assert f'href="{PAGE}"' in page
    assert f'href="{state}"' not in page, "what is closed to an auditor is not offered"


# JSON and files


def test_the_json_is_a_window_with_the_way_on(project, ines):
    rows = [noted(project=project, target=str(turn)) for turn in range(5)]
    told = ines.get(API, {"limit": 2, "offset": 1}).json()
    assert [one["id"] for one in told.pop("activities")] == [rows[3].pk, rows[2].pk]
    assert told == {"projectId": str(project.pk), "total": 5, "offset": 1, "limit": 2, "nextOffset": 3}
    assert ines.get(API, {"limit": 2, "offset": 3}).json()["nextOffset"] is None
    assert ines.get(API, {"offset": 9}).json()["activities"] == []


def test_looking_leaves_no_row_and_a_file_leaves_one_before_it_is_read(project, ines):
    before = Activity.objects.count()
    ines.get(PAGE)
    ines.get(API)
    ines.get(API, {"format": "json", "actor": "ines"})
    assert Activity.objects.count() == before
    answer = ines.get(API, {"format": "csv", "actor": "ines", "since": "2026-01-01", "limit": "7"})
    row = Activity.objects.latest("pk")
    assert (row.action, row.chain, row.actor_name, row.door) == (
        "activity.export",
        project.pk,
        "ines",
        "portal",
    )
    assert json.loads(row.details) == {"format": "csv", "filters": ["since", "actor"]}
    assert b"".join(answer)


def test_files_are_named_harmlessly_and_kept_by_no_cache(project, ines):
    today = f"{datetime.now(UTC):%Y-%m-%d}"
    for form, kind in (
        ("csv", "text/csv; charset=utf-8; header=present"),
        ("ndjson", "application/x-ndjson"),
    ):
        answer = ines.get(API, {"format": form})
        assert answer["Content-Type"] == kind
        assert answer["Content-Disposition"] == f'attachment; filename="activity-handbook-{today}.{form}"'
        assert answer["Cache-Control"] == "private, no-store"
        assert answer["X-Content-Type-Options"] == "nosniff"
        b"".join(answer)


def test_files_hold_all_that_the_filters_let_through(project, ines):
    rows = [noted("brain.read", project=project, target=str(turn)) for turn in range(150)]
    lines = streamed(ines.get(API, {"format": "ndjson", "action": "brain."})).split("\n")
    assert [json.loads(line)["id"] for line in lines if line] == [row.pk for row in reversed(rows)]
    table = csv.reader(
        io.StringIO(streamed(ines.get(API, {"format": "csv", "action": "brain."})), newline="")
    )
    assert [cells[0] for cells in table] == ["id", *(str(row.pk) for row in reversed(rows))]


def test_an_auditor_takes_the_files_of_everybody_and_that_belongs_to_no_project():
    browser = browser_of(an_auditor())
    noted("auth.failed", target="eve", status=401)
    assert '"eve"' in streamed(browser.get(ALL, {"format": "csv"}))
    assert Activity.objects.get(action="activity.export").chain == NO_PROJECT


@pytest.mark.parametrize("lost", ["membership", "role", "account", "auditor"])
def test_a_running_export_stops_when_its_reader_loses_access(project, lost, monkeypatch):
    monkeypatch.setattr(exports, "PAGE", 10)
    for turn in range(35):
        noted(project=project, target=str(turn))
    reader = an_auditor("ines") if lost == "auditor" else a_member("ines", project, Role.MAINTAINER)
    going = iter(browser_of(reader).get(API, {"format": "ndjson", "action": "brain."}).streaming_content)
    monkeypatch.setattr("members.views.activity.CHUNK", 1)
    {
        "membership": lambda: reader.memberships.all().delete(),
        "role": lambda: reader.memberships.update(role=Role.MEMBER),
        "account": lambda: Member.objects.filter(pk=reader.pk).update(is_active=False),
        "auditor": reader.groups.clear,
    }[lost]()
    assert b"".join(going).count(b"\n") == 10


def test_an_answer_says_how_much_of_the_limit_is_left(ines, settings):
    settings.RATE_LIMITS = {"default": 2}
    assert [ines.get(API).headers.get("X-RateLimit-Remaining") for _ in range(2)] == ["1", "0"]
    refused = ines.get(API)
    assert (refused.status_code, refused.json()["code"]) == (429, "rate-limited")


# The page


def test_the_page_tells_when_who_what_on_what_by_which_door_and_how_it_ended(project, ines):
    anand = a_member("anand", project, Role.MEMBER)
    token, _ = tokens.issue(a_caller(anand), anand, name="nightly-review", project=project)
    details = {"commit": "a41c9e7" + "0" * 33, "lines": "41-55"}
    caller = a_caller(anand, token=token, door=Door.MCP)
    row = noted(by=caller, project=project, target="a b.md#c", details=details)
    noted("access.denied", by=a_caller(anand), project=project, status=403, reason="You are a reader.")
    denied, read = rows_of(ines.get(PAGE))[:2]
    at = f"{row.at.day} {row.at:%b}, {row.at:%H:%M:%S}"
    assert read == [
        at,
        "nightly-review of anand",
        "brain.read",
        "a b.md#c lines 41–55 at a41c9e7",
        "MCP",
        "200",
    ]
    assert denied[1:] == ["anand", "access.denied", "", "portal", "403 You are a reader."]
    page = ines.get(PAGE).content.decode()
    assert 'href="/projects/handbook/brain/read?node=a%20b.md%23c"' in page
    assert f'<time datetime="{row.at:%Y-%m-%dT%H:%M:%S}.{row.at.microsecond // 1000:03}Z">' in page


def test_who_is_no_member_has_a_name_too(project, ines):
    noted(by=OPERATOR, project=project, target="a.md")
    noted("auth.failed", project=project, target="eve", status=401)
    assert [row[1] for row in rows_of(ines.get(PAGE))] == ["Not signed in 192.0.2.7", "Operator"]


def test_nodes_are_links_on_the_page_of_a_project_that_is_open_only(project):
    noted(project=project, target="a.md")
    auditor = browser_of(an_auditor())
    for address in (ALL, PAGE):
        assert "brain/read?node=" not in auditor.get(address).content.decode()


def test_the_page_of_everybody_names_each_project_and_leads_to_the_ones_there_are(project):
    gone = a_project("gone")
    noted(project=gone)
    noted(project=project)
    gone.delete()
    page = browser_of(an_auditor()).get(ALL)
    assert [row[3] for row in rows_of(page)] == ["none", "handbook", "gone"], "the newest is the sign-in"
    assert f'href="{PAGE}"' in page.content.decode()
    assert "/projects/gone/" not in page.content.decode()


def test_the_filters_work_without_script_and_stay_as_they_were_set(project, ines):
    noted("brain.read", by=a_caller(a_member("bo")), project=project, target="a.md")
    noted("brain.grep", by=OPERATOR, project=project)
    asked = {"actor": "bo", "action": "brain.", "since": "2026-01-01", "until": "", "node": "a.md"}
    answer = ines.get(PAGE, asked)
    page = answer.content.decode()
    assert [row[1] for row in rows_of(answer)] == ["bo"]
    for control in (
        '<input name="actor" value="bo"',
        '<option value="brain." selected>',
        'type="date" name="since" value="2026-01-01"',
        '<input name="node" value="a.md"',
    ):
        assert control in page
    assert '<input name="token"' not in page


def test_a_wrong_filter_is_told_at_its_field(ines):
    answer = ines.get(PAGE, {"since": '"><script>', "until": "2026-11-30"})
    page = answer.content.decode()
    assert answer.status_code == 400
    assert "From is a date (2026-11-30) or a time with its zone" in page
    assert 'name="since" value="&quot;&gt;&lt;script&gt;" aria-invalid="true"' in page
    assert 'name="until" value="2026-11-30"' in page


def test_what_the_page_does_not_know_is_no_reason_to_refuse_it(ines):
    assert ines.get(PAGE, {"utm_source": "mail"}).status_code == 200


def test_pages_lead_to_newer_and_older_ones_with_the_filters_kept(project, ines):
    for turn in range(120):
        noted(project=project, target=str(turn))
    first, second, last = (
        ines.get(PAGE, {"action": "brain.read", "offset": at}).content.decode() for at in (0, 50, 100)
    )
    assert "1–50 of 120" in first
    assert "?action=brain.read&amp;offset=50" in first
    assert ">Newer<" not in first
    assert 'href="?action=brain.read" rel="prev"' in second
    assert 'href="?action=brain.read&amp;offset=100" rel="next"' in second
    assert "101–120 of 120" in last
    assert ">Older<" not in last
    beyond = ines.get(PAGE, {"offset": 500}).content.decode()
    assert "The log ends before this page" in beyond


def test_the_page_leads_to_files_of_what_it_shows(project, ines):
    noted(project=project)
    page = ines.get(PAGE, {"action": "brain.", "offset": 0}).content.decode()
    for form in ("csv", "ndjson"):
        assert f'href="{API}?action=brain.&amp;format={form}"' in page
        assert ines.get(f"{API}?action=brain.&format={form}").status_code == 200


def test_nothing_is_told_in_words(project, ines):
    assert "Nothing was done yet" in ines.get(PAGE).content.decode()
    assert "No activity fits" in ines.get(PAGE, {"actor": "nobody"}).content.decode()


def test_hostile_text_stays_text_on_the_page(project):
    ines = a_member("ines", project, Role.MAINTAINER)
    hostile = a_member(HOSTILE, project, Role.MEMBER)
    token, _ = tokens.issue(a_caller(hostile), hostile, name=HOSTILE[:99], project=project)
    noted(
        "brain.read",
        by=a_caller(hostile, agent=HOSTILE, token=token),
        project=project,
        target=HOSTILE,
        details={
            "lines": HOSTILE,
            "commit": HOSTILE,
            "role": {"from": HOSTILE, "to": [HOSTILE]},
            "queryHash": HOSTILE,
        },
        reason=HOSTILE,
    )
    for browser, address in ((browser_of(ines), PAGE), (browser_of(an_auditor()), ALL)):
        answer = browser.get(address, {"actor": HOSTILE})
        page = answer.content.decode()
        assert "<img" not in page
        assert not set("\u202e\u2066\u200b\x1b\x07") & set(page)
        row = next(row for row in rows_of(answer) if "brain.read" in row)
        assert [cell for cell in row if cell.startswith(CLEANED)], "the text itself is there"


def test_a_page_asks_as_little_for_many_rows_as_for_few(project, ines, django_assert_num_queries):
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    def queries() -> int:
        with CaptureQueriesContext(connection) as asked:
            ines.get(PAGE)
        return len(asked)

    noted(project=project)
    few = queries()
    for turn in range(40):
        noted(by=a_caller(a_member(f"m{turn}")), project=project)
    assert queries() == few


@pytest.mark.parametrize(
    ("details", "words"),
    [
        ({}, ""),
        ({"commit": "a" * 40, "lines": "1-1"}, "lines 1–1 at aaaaaaa"),
        ({"queryHash": "9f41" + "0" * 60, "hits": 1, "commit": "b" * 40}, "query 9f41…, 1 hit at bbbbbbb"),
        ({"queryHash": "9f41" + "0" * 60, "hits": 3}, "query 9f41…, 3 hits"),
        ({"since": "c" * 40, "documents": 4}, "since ccccccc, documents 4"),
        ({"role": {"from": "reader", "to": "maintainer"}}, "role reader to maintainer"),
        ({"is_staff": {"from": False, "to": True}}, "is staff no to yes"),
        ({"groups": {"from": [], "to": ["auditor"]}}, "groups none to auditor"),
        ({"fields": ["email", "first_name"]}, "fields email, first_name"),
        ("{forged", "{forged"),
        (7, "7"),
        (None, ""),
    ],
)
def test_details_are_told_in_words(details, words):
    assert words_of(details) == words


# The chart


def test_reads_a_day_are_those_listed_and_those_counted(project):
    ada, other = a_member("ada", project, Role.MEMBER), a_project("other")
    token, _ = tokens.issue(a_caller(ada), ada, name="laptop", project=project)
    by_token = a_caller(ada, token=token, door=Door.API)
    for caller in (a_caller(ada), by_token, OPERATOR):
        noted("brain.read", by=caller, project=project)
        count_read(caller, project, "brain.tree")
        count_read(caller, other, "brain.tree")
    noted("brain.search", by=a_caller(ada, token=token, door=Door.MCP), project=project)
    noted("membership.add", by=a_caller(ada), project=project)
    today = datetime.now(UTC).date()
    for back, count in ((3, 10), (20, 99)):
        day = today - timedelta(days=back)
        ReadCount.objects.create(
            day=day,
            project_id=project.pk,
            member_id=ada.pk,
            token_id=NO_PROJECT,
            action="brain.tree",
            count=count,
        )
    chart = reads_a_day(project)
    assert [name for name, _ in SERIES] == ["portal", "API and MCP", "command"]
    told = {day.day: day.counts for day in chart.days if sum(day.counts)}
    assert told == {today: (2, 3, 2), today - timedelta(days=3): (10, 0, 0)}
    assert (len(chart.days), chart.total, chart.most.day) == (14, 17, today - timedelta(days=3))
    assert reads_a_day(None).total == 20


def test_no_read_is_no_chart(project, ines):
    noted("membership.add", project=project)
    assert reads_a_day(project) is None
    assert "<figure" not in ines.get(PAGE).content.decode()


def test_the_chart_is_told_in_words_and_numbers_too(project, ines):
    noted(project=project, by=OPERATOR)
    page = ines.get(PAGE).content.decode()
    today = datetime.now(UTC)
    assert f"the most on {today:%A}, {today.day} {today:%B}." in page
    assert "style=" not in page
    assert "<figure" not in ines.get(PAGE, {"action": "brain."}).content.decode()


@pytest.mark.parametrize(
    ("most", "scale"),
    [
        (1, "2 1 0"),
        (2, "2 1 0"),
        (3, "4 2 0"),
        (5, "6 3 0"),
        (7, "10 5 0"),
        (11, "20 10 0"),
        (400, "400 200 0"),
        (561, "600 300 0"),
        (999, "1k 500 0"),
        (61_000, "100k 50k 0"),
        (700_000, "1M 500k 0"),
    ],
)
def test_the_scale_ends_at_a_round_number(most, scale):
    chart = chart_of([Day(datetime.now(UTC).date(), (most, 0, 0))])
    assert " ".join(chart.scale) == scale
    (bar,) = chart.bars
    assert float(bar.y[:-1]) + float(bar.height[:-1]) == pytest.approx(100, abs=0.02)


# Coming and going


def test_signing_in_and_out_is_noted():
    Member.objects.create_user("ada", password=PASSWORD)
    browser = Client(headers={"User-Agent": "Firefox"})
    browser.post("/signin", {"username": "ada", "password": PASSWORD})
    browser.post("/signout")
    rows = list(Activity.objects.order_by("pk"))
    assert [(row.action, row.actor_name, row.door, row.status) for row in rows] == [
        ("auth.login", "ada", "portal", 200),
        ("auth.logout", "ada", "portal", 200),
    ]
    assert {(row.ip, row.agent, row.chain) for row in rows} == {("127.0.0.1", "Firefox", NO_PROJECT)}
    assert all(row.request_id for row in rows)


def test_a_wrong_password_is_noted_with_the_name_and_without_the_password():
    Member.objects.create_user("ada", password=PASSWORD)
    Client().post("/signin", {"username": "ada", "password": "canary wrong"})
    Client().post("/signin", {"username": HOSTILE, "password": "canary wrong"})
    first, second = Activity.objects.order_by("pk")
    assert (first.action, first.target, first.status, first.actor_type) == (
        "auth.failed",
        "ada",
        401,
        "anonymous",
    )
    assert second.target == CLEANED
    assert "canary" not in json.dumps(list(Activity.objects.values()), default=str)


def test_a_paused_sign_in_is_noted_each_time():
    for _ in range(settings.AXES_FAILURE_LIMIT + 2):
        Client().post("/signin", {"username": "ada", "password": "wrong"})
    assert Activity.objects.filter(action="auth.failed").count() == settings.AXES_FAILURE_LIMIT + 2


def test_the_admins_door_is_told_apart():
    Member.objects.create_superuser("root", password=PASSWORD)
    browser = Client()
    browser.post("/admin/login/?next=/admin/", {"username": "root", "password": "wrong"})
    browser.post("/admin/login/?next=/admin/", {"username": "root", "password": PASSWORD})
    browser.post("/admin/logout/")
    assert list(Activity.objects.order_by("pk").values_list("action", "door")) == [
        ("auth.failed", "admin"),
        ("auth.login", "admin"),
        ("auth.logout", "admin"),
    ]


def test_whoever_was_not_signed_in_does_not_sign_out():
    Client().post("/signout")
    assert not Activity.objects.exists()


def test_nobody_comes_in_who_cannot_be_noted(monkeypatch):
    Member.objects.create_user("ada", password=PASSWORD)

    def away(*_args, **_kwargs):
        from django.db import OperationalError

        raise OperationalError("the disk is full")

    monkeypatch.setattr("members.receivers.record", away)
    browser = Client()
    assert browser.post("/signin", {"username": "ada", "password": PASSWORD}).status_code == 503
    assert browser.get("/")["Location"].startswith("/signin")


def browser_of(member: Member) -> Client:
    client = Client()
    client.force_login(member, backend=BACKEND)
    return client


def streamed(answer) -> str:
    return b"".join(answer).decode()


def rows_of(answer) -> list[list[str]]:
    """The cells of the page's table as somebody reads them."""
    reader = _Table()
    reader.feed(answer.content.decode())
    return reader.rows


class _Table(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.within = False

    def handle_starttag(self, tag, attrs):
        if tag == "tr" and ("role", "row") in attrs:
            self.rows.append([])
        self.within = self.within or (tag == "td" and bool(self.rows))
        if tag == "td" and self.rows:
            self.rows[-1].append("")

    def handle_endtag(self, tag):
        if tag == "td" and self.rows:
            self.within = False
            self.rows[-1][-1] = " ".join(self.rows[-1][-1].split())
        if tag == "table":
            self.rows = [row for row in self.rows if row]

    def handle_data(self, data):
        if self.within:
            self.rows[-1][-1] += data
